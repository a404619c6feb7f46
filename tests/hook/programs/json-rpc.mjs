// A JSON-RPC agent and its client with nothing but Node, so that programs begin at once.

import { once } from 'node:events';
import { createServer } from 'node:http';

const artifactOf = (messageId) => ({ artifactId: `of-${messageId}`, parts: [{ text: `an answer to ${messageId}` }] });
const answerTo = ({ id, params: { message } }) => {
  const { messageId } = message;
  const status = { state: 'TASK_STATE_COMPLETED' };
  const task = { id: `task-${messageId}`, contextId: 'context', status, artifacts: [artifactOf(messageId)] };
  return JSON.stringify({ jsonrpc: '2.0', id, result: { task } });
};

/** Starts an agent that answers each message by one artifact; `work(text)` is done before that. */
export const serve = async (work = async () => {}) => {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const call = JSON.parse(body);
    await work(call.params.message.parts[0].text);
    response.writeHead(200, { 'content-type': 'application/json' }).end(answerTo(call));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${server.address().port}/rpc`, close };
};

/** Sends a message; throws when the answer is to another one. */
export const send = async (url, messageId, text) => {
  const message = { messageId, role: 'ROLE_USER', parts: [{ text }] };
  const body = JSON.stringify({ jsonrpc: '2.0', id: messageId, method: 'SendMessage', params: { message } });
  const headers = { 'content-type': 'application/json', 'a2a-version': '1.0' };
  const response = await fetch(url, { method: 'POST', headers, body });
  const { result } = await response.json();
  if (result.task.id !== `task-${messageId}`) throw new Error(`the answer to ${messageId} is another one`);
};
