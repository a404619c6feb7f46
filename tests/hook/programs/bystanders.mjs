// node bystanders.mjs [clean]: two agents and a client, and around them everything that a capture of A2A has no business with. `clean`: and a client with a clean environment.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, get } from 'node:http';
import { ask, bodyOf, listening, startPlainAgent } from './plain-agent.mjs';

const SECRET = 'unrelated-payload';
const json = { 'content-type': 'application/json' };
const post = async (url, body, headers = {}) =>
  (await fetch(url, { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(body) })).text();

const backend = createServer(async (request, response) => {
  const asked = await bodyOf(request);
  response
    .writeHead(200, json)
    .end(JSON.stringify({ asked, secret: SECRET, next: 'http://127.0.0.1:9/never-asked-for' }));
});
backend.on('upgrade', (_, socket) => {
  socket.end(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n${SECRET}`);
});
const service = `http://127.0.0.1:${await listening(backend)}`;

/** Its work: a JSON API, a tool by the Model Context Protocol, a package, a socket. */
const useServices = async () => {
  await post(`${service}/v1/chat/completions`, { model: 'm', messages: [{ role: 'user', content: SECRET }] });
  const mcp = { 'mcp-protocol-version': '2025-06-18', 'mcp-session-id': 's-1' };
  await post(`${service}/mcp`, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: SECRET } }, mcp);
  await post(`${service}/mcp`, { jsonrpc: '2.0', id: 2, method: 'tasks/get', params: { taskId: SECRET } }, mcp);
  await post(`${service}/rpc`, { jsonrpc: '2.0', id: 3, method: 'eth_call', params: [SECRET] });
  await (await fetch(`${service}/package/-/package-1.0.0.tgz`)).arrayBuffer();
  await (await fetch(`${service}/tasks`)).json();
  const [, socket] = await once(get(service, { headers: { connection: 'upgrade', upgrade: 'websocket' } }), 'upgrade');
  socket.end();
};

const worker = await startPlainAgent(async (text) => `done: ${text}`);
const card = {
  name: 'worker',
  description: 'works',
  version: '1.0.0',
  supportedInterfaces: [{ url: worker.url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  capabilities: {},
  defaultInputModes: [],
  defaultOutputModes: [],
  skills: [],
};
const cards = createServer((request, response) => {
  if (request.url === '/.well-known/agent-card.json') response.writeHead(200, json).end(JSON.stringify(card));
  else response.end('healthy');
});
const cardOrigin = `http://127.0.0.1:${await listening(cards)}`;

const boss = await startPlainAgent(async (text) => {
  await useServices();
  const { supportedInterfaces } = await (await fetch(`${cardOrigin}/.well-known/agent-card.json`)).json();
  await (await fetch(`${cardOrigin}/health`)).text();
  await fetch(supportedInterfaces[0].url, { method: 'HEAD' });
  return ask(supportedInterfaces[0].url, `half of ${text}`);
});

await useServices();
console.log(await ask(boss.url, 'read http://example.com/mentioned and ask http://127.0.0.1:9/'));
const alone = `
  fetch(process.argv[1], {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message: { messageId: 'alone', parts: [{ text: 'alone' }] } } }),
  })
    .then((response) => response.json())
    .then(({ result }) => console.log(result.message.parts[0].text));
`;
if (process.argv[2] === 'clean') {
  const child = spawn('env', ['-i', process.execPath, '-e', alone, worker.url]);
  let out = '';
  child.stdout.on('data', (piece) => {
    out += piece;
  });
  await once(child, 'close');
  process.stdout.write(out);
}
worker.close();
boss.close();
for (const server of [backend, cards]) {
  server.close();
  server.closeAllConnections();
}
