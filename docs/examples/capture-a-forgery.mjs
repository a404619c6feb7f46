// An agent reads a URI that it was sent; the service there sends it on to a service that no outsider may reach.
// node docs/examples/capture-a-forgery.mjs KEY.pem OUT_DIR INCIDENT_ID
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ClientFactory } from '@a2a-js/sdk/client';
import { DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express from 'express';
import { readSigner, startCapture } from 'forensictrace';
import { card } from './greeter.mjs';

const [key = 'ci-signer.pem', dir = 'evidence', incident_id = 'forgery-1'] = process.argv.slice(2);
const profileFile = fileURLToPath(new URL('../../profiles/general.json', import.meta.url));
const profile = JSON.parse(readFileSync(profileFile, 'utf8'));
const listening = async (server) => {
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
};
const main = async () => {
  const capture = startCapture({ dir, incident_id, profile_id: profile.profile_id });
  const admin = await listening(createServer((_, response) => response.end('users: 3')));
  const files = await listening(
    createServer((_, response) => response.writeHead(302, { location: `${admin.url}/admin` }).end()),
  );
  // The agent reads whatever URI a message holds, by the observed fetcher: each hop is evidence.
  const read = capture.uriFetch({ agent: 'researcher' });
  const researcher = {
    execute: async ({ contextId, userMessage }, bus) => {
      const found = await read(userMessage.parts[0].content.value.match(/http\S+/)[0]);
      const parts = [{ content: { $case: 'text', value: await found.text() } }];
      bus.publish({ kind: 'message', data: { messageId: `re-${userMessage.messageId}`, role: 2, contextId, parts } });
      bus.finished();
    },
    cancelTask: async () => {},
  };
  const app = express();
  const agent = await listening(createServer(app));
  const handler = new DefaultRequestHandler(card(agent.url), new InMemoryTaskStore(), researcher);
  app.use(capture.middleware({ agent: 'researcher', binding: 'JSONRPC' }));
  app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: handler }));
  app.use('/', jsonRpcHandler({ requestHandler: handler, userBuilder: UserBuilder.noAuthentication }));

  const client = await new ClientFactory(capture.client({ agent: 'caller' })).createFromUrl(agent.url);
  const text = { $case: 'text', value: `Please sum up ${files.url}/report` };
  await client.sendMessage({ message: { messageId: 'm-1', role: 1, parts: [{ content: text }] } });
  for (const server of [admin, files, agent]) server.close();

  const { bundlePath, receiptPath } = capture.finish({ signer: () => readSigner(key, 'ci'), profile });
  const paths = [bundlePath, receiptPath, relative('', profileFile)].join(' ');
  console.log(`npx forensictrace verify ${paths} --trust trust.json`);
};

main().catch(({ message }) => {
  console.error(message);
  process.exit(2);
});
