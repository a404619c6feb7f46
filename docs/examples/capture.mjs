// Captures one exchange between an A2A client and an A2A server, seals it and prints how to verify it.
// node docs/examples/capture.mjs KEY.pem OUT_DIR INCIDENT_ID
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ClientFactory } from '@a2a-js/sdk/client';
import { DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express from 'express';
import { readSigner, startCapture } from 'forensictrace';
import { card, greeter } from './greeter.mjs';

const [key = 'ci-signer.pem', dir = 'evidence', incident_id = 'greeting-1'] = process.argv.slice(2);
const profileFile = fileURLToPath(new URL('../../profiles/general.json', import.meta.url));
const profile = JSON.parse(readFileSync(profileFile, 'utf8'));

const main = async () => {
  const capture = startCapture({ dir, incident_id, profile_id: profile.profile_id });

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
  const files = [bundlePath, receiptPath, relative('', profileFile)].join(' ');
  console.log(`npx forensictrace verify ${files} --trust trust.json`);
};

main().catch(({ message }) => {
  console.error(message);
  process.exit(2);
});
