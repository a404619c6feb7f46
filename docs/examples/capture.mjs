// Captures one exchange between an A2A client and an A2A server, seals it and prints where it is.
// node docs/examples/capture.mjs KEY.pem OUT_DIR
import { readFileSync } from 'node:fs';
import { ClientFactory } from '@a2a-js/sdk/client';
import { DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express from 'express';
import { readSigner, startCapture } from 'forensictrace';
import { card, greeter } from './greeter.mjs';

const [key = 'ci-signer.pem', dir = 'evidence'] = process.argv.slice(2);
const profile = JSON.parse(readFileSync(new URL('../../profiles/general.json', import.meta.url), 'utf8'));

const capture = startCapture({ dir, incident_id: 'greeting-1', profile_id: profile.profile_id });

// The server: a middleware before the SDK's handlers, and the SDK's event bus.
const app = express();
const server = app.listen(0, '127.0.0.1');
await new Promise((listening) => server.once('listening', listening));
const url = `http://127.0.0.1:${server.address().port}`;
const agentCard = card(url);
const agent = greeter((capability) => capture.observe.capabilityUse({ capability, basis: 'executed' }));
const handler = new DefaultRequestHandler(agentCard, new InMemoryTaskStore(), agent, capture.eventBus('greeter'));
app.use(capture.middleware({ agent: 'greeter', binding: 'JSONRPC' }));
app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: handler }));
app.use('/', jsonRpcHandler({ requestHandler: handler, userBuilder: UserBuilder.noAuthentication }));

// The client: card resolver and transports of the SDK, tapped.
const client = await new ClientFactory(capture.client({ agent: 'caller' })).createFromUrl(url);
await client.sendMessage({
  message: { messageId: 'm-1', role: 1, parts: [{ content: { $case: 'text', value: 'Good morning' } }] },
});
server.close();

// The key is loaded only now.
const { bundlePath, receiptPath } = capture.finish({ signer: () => readSigner(key, 'ci'), profile });
console.log(`forensictrace verify ${bundlePath} ${receiptPath} profiles/general.json`);
