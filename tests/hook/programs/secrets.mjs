// PLANTED='{"name":"value",…}' node secrets.mjs: an agent and its client whose exchanges carry each value; fails unless each was really sent.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, get, request as nodeRequest } from 'node:http';
import { ask, bodyOf, listening, startPlainAgent } from './plain-agent.mjs';

const planted = JSON.parse(process.env.PLANTED);
let sent = '';
const base64 = (text) => Buffer.from(text).toString('base64');
const decodedBase64 = (text) =>
  text.replace(/[\w+/-]{12,}={0,2}/g, (part) => `${part} ${Buffer.from(part, 'base64').toString('latin1')}`);

/** Services and agents of the program note what reached them. */
const note = (request, body = '') => {
  sent += decodedBase64(decodeURIComponent(`${request.url} ${request.rawHeaders.join(' ')} `)) + decodedBase64(body);
};
const post = (url, headers, body) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'a2a-version': '1.0', ...headers },
    body,
  });
const rpc = (method, params) => JSON.stringify({ jsonrpc: '2.0', id: 9, method, params });

const backend = createServer(async (request, response) => {
  note(request, await bodyOf(request));
  response.setHeader('set-cookie', `backend=${planted.backendCookie}; HttpOnly`);
  sent += planted.backendCookie;
  response.end(`no such key: ${planted.backendKey}`);
});
const site = createServer((request, response) => {
  note(request);
  const location = `/next?sig=${encodeURIComponent(planted.location)}&page=1`;
  sent += planted.location;
  if (request.url.startsWith('/moved')) response.writeHead(302, { location }).end();
  else response.end('a page');
});
const [backendPort, sitePort] = await Promise.all([listening(backend), listening(site)]);

const agent = await startPlainAgent(
  async (text, request) => {
    note(request);
    if (!text.startsWith('http')) {
      const key = { authorization: `Bearer ${planted.backendKey}` };
      const told = await fetch(`http://127.0.0.1:${backendPort}/v1/complete`, {
        method: 'POST',
        headers: key,
        body: '{}',
      });
      return `${await told.text()} / ${told.headers.get('set-cookie')} / ${request.headers['x-api-key']}`;
    }
    const [response] = await once(get(text.split(' ')[0]), 'response');
    const next = new URL(response.headers.location, text.split(' ')[0]);
    return (await fetch(`${next.origin}${next.pathname}${next.search}`)).text();
  },
  { headers: { 'set-cookie': `session=${planted.setCookie}; Path=/`, 'x-session-token': planted.responseHeader } },
);
sent += planted.setCookie + planted.responseHeader;

/** Streams events that say what the request had, and is cut in the last. */
const streaming = createServer(async (request, response) => {
  const body = await bodyOf(request);
  note(request, body);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const event = (text) =>
    `data: ${JSON.stringify({ jsonrpc: '2.0', id: 9, result: { message: { messageId: 'e', parts: [{ text }] } } })}\n\n`;
  response.write(event(`you said ${request.headers.authorization}`));
  response.write(event(base64(`{"pass":"${planted.basic}"}`)));
  response.write(`data: {"result":{"taskPushNotificationConfig":{"url":"http://x.example","token":"${planted.cut}`);
  sent += planted.cut;
  setImmediate(() => response.destroy());
});
const streamUrl = `http://127.0.0.1:${await listening(streaming)}/rpc`;

await ask(agent.url, 'hello', {
  headers: {
    authorization: `Bearer ${planted.authorization}`,
    cookie: `theme=dark; sid=${planted.cookie}`,
    'x-api-key': planted.apiKey,
    'proxy-authorization': `Digest ${planted.proxy}`,
  },
  params: {
    metadata: { deep: [{ deeper: { again: `key=${planted.apiKey}` } }] },
    message: { metadata: { auth: planted.authorization, escaped: `a\n${planted.cookie}"` } },
  },
});
await ask(
  agent.url,
  `${planted.redacted} and ${encodeURIComponent(planted.redacted)} and ${base64(`::${planted.redacted}::`)}`,
);
sent += planted.redacted;
const url = `http://reader:${encodeURIComponent(planted.userinfo)}@127.0.0.1:${sitePort}/moved?access_token=${planted.query}`;
await ask(agent.url, `${url} please`);
await post(
  streamUrl,
  { authorization: `Basic ${base64(`user:${planted.basic}`)}` },
  rpc('CreateTaskPushNotificationConfig', {
    taskId: 't',
    pushNotificationConfig: {
      url: 'http://hook.example/',
      token: planted.pushToken,
      authentication: { scheme: 'Bearer', credentials: planted.pushCredentials },
    },
  }),
)
  .then((response) => response.text())
  .catch(() => 'cut');
await post(
  `http://127.0.0.1:${backendPort}/notified`,
  { 'x-a2a-notification-token': planted.notification },
  '{"task":{"id":"t"}}',
);
const card = nodeRequest(`http://127.0.0.1:${sitePort}/.well-known/agent-card.json`, {
  headers: ['Host', 'site', 'X-Auth-Token', planted.card],
});
card.end();
const [fetched] = await once(card, 'response');
await bodyOf(fetched);
await once(spawn('true', [planted.argument]), 'exit');
sent += planted.argument;

for (const [name, value] of Object.entries(planted)) assert.ok(sent.includes(value), `${name} was not sent`);
console.log(`${Object.keys(planted).length} values were sent`);
agent.close();
for (const server of [backend, site, streaming]) {
  server.close();
  server.closeAllConnections();
}
