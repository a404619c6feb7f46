// An agent without an SDK: JSON-RPC by hand over node:http, so that a program of it starts at once.

import { once } from 'node:events';
import { createServer } from 'node:http';

export const listening = async (server, host = '127.0.0.1', port = 0) => {
  await once(server.listen(port, host), 'listening');
  return server.address().port;
};

export const bodyOf = async (request) => {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces).toString();
};

const json = { 'content-type': 'application/json' };

/** Serves SendMessage; `work(text, request)` makes the text of its answer, `headers` those of the answer. */
export const startPlainAgent = async (work, { headers = {} } = {}) => {
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, params } = JSON.parse(await bodyOf(request));
    const text = await work(params.message.parts[0].text, request);
    const message = { messageId: `answer-${id}`, role: 'ROLE_AGENT', parts: [{ text }] };
    response.writeHead(200, { ...json, ...headers }).end(JSON.stringify({ jsonrpc: '2.0', id, result: { message } }));
  });
  const url = `http://127.0.0.1:${await listening(server)}/rpc`;
  return {
    url,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};

let sent = 0;

/** Sends a text to an agent; gives the text of its answer. */
export const ask = async (url, text, { headers = {}, params = {} } = {}) => {
  const id = ++sent;
  const message = { messageId: `m-${id}`, role: 'ROLE_USER', parts: [{ text }], ...params.message };
  const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'SendMessage', params: { ...params, message } });
  const response = await fetch(url, { method: 'POST', headers: { ...json, 'a2a-version': '1.0', ...headers }, body });
  return (await response.json()).result.message.parts[0].text;
};
