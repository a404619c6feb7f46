// node exchanges.mjs LOG [COUNT]: sends messages to an agent in this process, COUNT of them or until it is killed. LOG gets the id of each message
// whose answer is there, and each line is in the file before the next message is sent. No SDK, so that it begins at once.

import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [log, count = 'Infinity'] = process.argv.slice(2);

const answer = ({ id, params: { message } }) => {
  const artifacts = [{ artifactId: `of-${message.messageId}`, parts: [{ text: `an answer to ${message.messageId}` }] }];
  const task = {
    id: `task-${message.messageId}`,
    contextId: 'context',
    status: { state: 'TASK_STATE_COMPLETED' },
    artifacts,
  };
  return JSON.stringify({ jsonrpc: '2.0', id, result: { task } });
};

const server = createServer(async (request, response) => {
  let text = '';
  for await (const chunk of request) text += chunk;
  response.writeHead(200, { 'content-type': 'application/json' }).end(answer(JSON.parse(text)));
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${server.address().port}/rpc`;

for (let sent = 0; sent < Number(count); sent++) {
  const messageId = `${process.pid}-${sent}`;
  const message = { messageId, role: 'ROLE_USER', parts: [{ text: `message ${sent}` }] };
  const body = JSON.stringify({ jsonrpc: '2.0', id: sent, method: 'SendMessage', params: { message } });
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
    body,
  });
  const { result } = await response.json();
  if (result.task.id !== `task-${messageId}`) throw new Error(`the answer to ${messageId} is another one`);
  appendFileSync(log, `${messageId}\n`);
}
server.close();
server.closeAllConnections();
console.log(`${count} exchanges passed`);
