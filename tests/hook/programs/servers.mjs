// node servers.mjs: a server that answers in every manner of node:http, and a client that reads the bytes off its sockets; prints both sides.
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import express from 'express';
import { bodyOf, listening } from './plain-agent.mjs';
import { failure, transcribe } from './transcript.mjs';

const asked = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'SendMessage',
  params: { message: { messageId: 'm', parts: [{ text: 'é' }] } },
});
const answer = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  result: { message: { messageId: 'a', parts: [{ text: 'é€' }] } },
});
const json = { 'Content-Type': 'application/json' };

const thrown = (tell, work) => {
  try {
    work();
  } catch (error) {
    tell('thrown', failure(error));
  }
};

const app = express();
app.use(express.json());
app.post(
  '/express-json',
  (request, response) => void response.json({ jsonrpc: '2.0', id: request.body.id, result: {} }),
);
app.post('/express-fails', () => {
  throw new Error('of the handler');
});

/** Each answers a request that has come whole; `tell` notes what it sees itself. */
const MANNERS = {
  end: (_, response, tell) => tell(response.end(answer, () => tell('ended')) === response),
  writes: (_, response, tell) => {
    tell(
      response.write(answer.slice(0, 9)),
      response.write(answer.slice(9), 'utf8', () => tell('written')),
    );
    response.end();
  },
  'write-head': (_, response, tell) => {
    tell(response.writeHead(201, 'Made', { ...json, 'X-Many': ['1', '2'] }) === response, response.headersSent);
    response.end(answer);
  },
  'write-head-of-a-list': (_, response) =>
    response.writeHead(200, ['Content-Type', 'application/json', 'X-A', '1']).end(answer),
  'set-headers': (_, response, tell) => {
    response.statusCode = 203;
    response.statusMessage = 'Other';
    response.setHeader('Content-Type', 'application/json').appendHeader('X-Many', '1').appendHeader('X-Many', '2');
    tell(response.getHeaders());
    response.end(answer);
  },
  encodings: (_, response) => {
    response.write(Buffer.from(answer).subarray(0, 9).toString('base64'), 'base64');
    response.end(Buffer.from(answer).subarray(9).toString('hex'), 'hex');
  },
  length: (_, response) => response.writeHead(200, { 'content-length': Buffer.byteLength(answer) }).end(answer),
  flushed: async (_, response) => {
    response.flushHeaders();
    await turn();
    response.end(answer);
  },
  piped: (_, response) => Readable.from([answer.slice(0, 5), answer.slice(5)]).pipe(response),
  corked: (_, response) => {
    response.cork();
    response.write(answer.slice(0, 5));
    response.write(answer.slice(5));
    response.uncork();
    response.end();
  },
  trailers: (_, response) => {
    response.writeHead(200, { trailer: 'x-digest' });
    response.write(answer);
    response.addTrailers({ 'x-digest': 'd' });
    response.end();
  },
  interim: (_, response) => {
    response.writeProcessing();
    response.writeEarlyHints({ link: '</a>; rel=preload' }, () => response.end(answer));
  },
  'no-content': (_, response) => response.writeHead(204).end(),
  events: async (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (let sent = 0; sent < 3; sent++) {
      response.write(`data: ${answer}\n\n`);
      await turn();
    }
    response.end();
  },
  'twice-ended': (_, response, tell) => {
    response.end(answer);
    response.end('more', (error) => tell(failure(error)));
  },
  'head-twice': (_, response, tell) => {
    response.writeHead(200, json);
    response.write(answer);
    thrown(tell, () => response.writeHead(500));
    thrown(tell, () => response.setHeader('x-late', '1'));
    response.end();
  },
  'no-chunk': (_, response, tell) => {
    thrown(tell, () => response.write(7));
    thrown(tell, () => response.writeHead(42));
    response.end(answer);
  },
  'much-at-once': (_, response, tell) => {
    const much = 'x'.repeat(200_000);
    tell(response.write(much), response.writableNeedDrain);
    response.once('drain', () => {
      tell('drain');
      response.end();
    });
  },
  'express-json': (request, response) => app(request, response),
};

const server = createServer().setMaxListeners(0);
server.keepAliveTimeout = 1;
const port = await listening(server);

/** The bytes of one answer, as they come off the socket. */
const exchange = (path) =>
  new Promise((resolve, reject) => {
    const pieces = [];
    const socket = connect(port, '127.0.0.1');
    socket.on('data', (piece) => pieces.push(piece)).on('error', reject);
    socket.on('close', () => resolve(Buffer.concat(pieces).toString()));
    const head = [
      'POST /' + path + ' HTTP/1.1',
      'Host: agent',
      'Connection: close',
      ...Object.entries(json).map((row) => row.join(': ')),
    ];
    socket.write([...head, `Content-Length: ${Buffer.byteLength(asked)}`, '', asked].join('\r\n'));
  });

/** Status and body of the last response in those bytes. */
const read = (bytes) => {
  const at = bytes.lastIndexOf('HTTP/1.1');
  const [head, rest] = [bytes.slice(at, bytes.indexOf('\r\n\r\n', at)), bytes.slice(bytes.indexOf('\r\n\r\n', at) + 4)];
  let body = rest;
  if (/transfer-encoding: chunked/i.test(head)) {
    const left = Buffer.from(rest);
    const chunks = [];
    for (let from = 0; ; ) {
      const end = left.indexOf('\r\n', from);
      const size = Number.parseInt(left.toString('latin1', from, end), 16);
      if (size === 0) break;
      chunks.push(left.subarray(end + 2, end + 2 + size));
      from = end + 4 + size;
    }
    body = Buffer.concat(chunks).toString();
  }
  return { status: Number(head.slice(9, 12)), body };
};

await transcribe(
  Object.fromEntries(
    Object.entries(MANNERS).map(([name, respond]) => [
      name,
      async (tell) => {
        const serve = async (request, response) => {
          if (request.url !== `/${name}`) return;
          response.sendDate = false;
          for (const event of ['finish', 'close']) response.on(event, () => tell(event, response.writableFinished));
          response.on('error', (error) => tell('error', failure(error)));
          if (!name.startsWith('express')) tell('asked', await bodyOf(request));
          await respond(request, response, tell);
        };
        server.on('request', serve);
        const bytes = await exchange(name);
        tell('bytes', bytes.replaceAll(/^Date: .*$/gm, 'Date'));
        tell('got', read(bytes));
      },
    ]),
  ),
);
server.close();
