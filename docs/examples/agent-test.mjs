// A test of an agent, as anybody would write it; no word of a recorder. The agent reads a page that a message names, and the page sends it on to
// a service that no outsider may reach.
// node docs/examples/agent-test.mjs
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { ClientFactory } from '@a2a-js/sdk/client';
import { DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express from 'express';
import { card } from './greeter.mjs';

const listening = async (handler) => {
  const server = createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
};
const admin = await listening((_, response) => response.end('users: 3'));
const site = await listening((_, response) => response.writeHead(302, { location: `${admin.url}/users` }).end());

const app = express();
const agent = await listening(app);
const reader = {
  execute: async ({ contextId, userMessage }, bus) => {
    const page = await fetch(userMessage.parts[0].content.value.match(/http\S+/)[0]);
    const parts = [{ content: { $case: 'text', value: await page.text() } }];
    bus.publish({ kind: 'message', data: { messageId: `re-${userMessage.messageId}`, role: 2, contextId, parts } });
    bus.finished();
  },
  cancelTask: async () => {},
};
const handler = new DefaultRequestHandler(card(agent.url), new InMemoryTaskStore(), reader);
app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: handler }));
app.use('/', jsonRpcHandler({ requestHandler: handler, userBuilder: UserBuilder.noAuthentication }));

const client = await new ClientFactory().createFromUrl(agent.url);
const text = { $case: 'text', value: `Please sum up ${site.url}/report` };
const answer = await client.sendMessage({ message: { messageId: 'm-1', role: 1, parts: [{ content: text }] } });
assert.match(JSON.stringify(answer), /users/);
console.log('ok: the agent summed up the report');
for (const server of [admin, site, agent]) server.close();
