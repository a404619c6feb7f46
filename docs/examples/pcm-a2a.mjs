// A client sends a proof-carrying message to an agent behind a guard, then sends it again. The message is that of docs/examples/pcm, signed at a time
// of the past, so the receiver is given a clock that stands there.
// node docs/examples/pcm-a2a.mjs
import { readFileSync } from 'node:fs';
import { ClientFactory } from '@a2a-js/sdk/client';
import { DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server';
import { jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express from 'express';
import {
  createPcmGuard,
  createPcmReceiver,
  createReplay,
  nativeCrypto,
  pcmPart,
  pcmTime,
  readPcmSchema,
  readPcmTrust,
} from 'forensictrace';

const read = (name) => readFileSync(new URL(`pcm/${name}.json`, import.meta.url));
const accepted = (document) => {
  if (document.ok) return document.value;
  throw new Error(document.findings[0].detail);
};
const clock = () => Date.UTC(2026, 10, 30, 1, 44, 25);

// What the receiver pins, who it is, and what it accepts of its one intent.
const receiver = createPcmReceiver({
  trust: accepted(readPcmTrust(read('trust'), nativeCrypto)),
  me: 'uid:990102',
  intents: [
    {
      schema: accepted(readPcmSchema(read('refund.request'), nativeCrypto)),
      root_persons: ['alice'],
      max_age_s: 60,
      once_field: 'order',
    },
  ],
  replay: createReplay(pcmTime(Date.UTC(2026, 10, 30, 1, 40))),
  crypto: nativeCrypto,
  now: clock,
});
const guard = createPcmGuard(receiver);

// The executor acts on what the guard accepted, never on the parts.
const refunder = {
  execute: async ({ contextId, userMessage }, bus) => {
    const told = guard.accepted().map(({ message, outcome }) => {
      const { amount, order } = message.intent.args;
      return `refunded ${amount} of order ${order}, granted by ${outcome.grants.root.person}`;
    });
    const parts = told.map((value) => ({ content: { $case: 'text', value } }));
    bus.publish({ kind: 'message', data: { messageId: `re-${userMessage.messageId}`, role: 2, contextId, parts } });
    bus.finished();
  },
  cancelTask: async () => {},
};

const cardOf = (url) => ({
  name: 'Refunder',
  description: 'Refunds what a person granted.',
  version: '1.0.0',
  supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: '' }],
  capabilities: { streaming: false, extensions: [] },
  defaultInputModes: ['application/vnd.pcm+json'],
  defaultOutputModes: ['text/plain'],
  skills: [],
  securitySchemes: {},
  securityRequirements: [],
  signatures: [],
});

const main = async () => {
  const app = express();
  const server = app.listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  const card = cardOf(`http://127.0.0.1:${server.address().port}/`);
  const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), refunder);
  app.use('/', guard.before('JSONRPC'), jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));

  const client = await new ClientFactory().createFromAgentCard(card);
  const send = () =>
    client.sendMessage({ message: { messageId: 'm-1', role: 1, parts: [pcmPart(read('message').toString())] } });
  const answer = await send();
  console.log(answer.parts[0].content.value);
  console.log(await send().then(() => 'acted twice', String));
  server.close();
};

await main();
