import { once } from 'node:events';
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import type { Ending } from '../../src/capture/ending.ts';

/** What a peer of the tests sends, and how an exchange with it ended for who reads all of it. */
export type Answer = {
  /** Null for none. */
  readonly status?: number | null;
  readonly headers?: OutgoingHttpHeaders;
  readonly pieces?: readonly (string | Uint8Array)[];
  /** What comes before: interim responses, or bytes that are no response. */
  readonly before?: (response: ServerResponse) => void;
  /** What the connection does behind the pieces. */
  readonly last?: 'end' | 'reset' | 'hang';
  /** The body after content decoding, where it is not the pieces. */
  readonly decoded?: string;
  readonly ended: Ending;
};

const json = { 'content-type': 'application/json' };
const sse = { 'content-type': 'text/event-stream' };
const rpc = (result: string): string => `{"jsonrpc":"2.0","id":1,"result":${result}}`;
const status = (state: string): string =>
  rpc(`{"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_${state}"}}}`);
const event = (data: string): string => `data: ${data}\n\n`;
const task = rpc('{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_COMPLETED"}}}');
const chunk = rpc('{"artifactUpdate":{"taskId":"t","artifact":{"artifactId":"a","parts":[{"text":"é€😀 done"}]}}}');
const large = rpc(
  `{"artifactUpdate":{"taskId":"t","artifact":{"artifactId":"a","parts":[{"text":"${'x'.repeat(1e7)}"}]}}}`,
);
const cut = (text: string, count: number): Uint8Array[] => {
  const bytes = Buffer.from(text);
  const size = Math.ceil(bytes.length / count);
  return Array.from({ length: count }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
};
const working = [event(status('SUBMITTED')), event(status('WORKING'))];
const encoded = (coding: string, bytes: Uint8Array): Answer => ({
  headers: { ...json, 'content-encoding': coding },
  pieces: [bytes.subarray(0, 20), bytes.subarray(20)],
  decoded: task,
  ended: 'complete',
});

export const ANSWERS: Readonly<Record<string, Answer>> = {
  'five-events-in-one-chunk': {
    headers: sse,
    pieces: [[...working, event(chunk), event(chunk), event(status('COMPLETED'))].join('')],
    ended: 'complete',
  },
  'one-event-over-twenty-chunks': { headers: sse, pieces: cut(event(chunk), 20), ended: 'complete' },
  'cut-while-working-cleanly': { headers: sse, pieces: working, ended: 'complete' },
  'cut-in-an-event-cleanly': { headers: sse, pieces: [...working, 'data: {"x'], ended: 'aborted' },
  'cut-while-working-by-a-reset': { headers: sse, pieces: working, last: 'reset', ended: 'reset' },
  'not-utf8': { headers: json, pieces: [Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d)], ended: 'complete' },
  'event-not-utf8': {
    headers: sse,
    pieces: ['data: "', Uint8Array.of(0xff), '"\n\n', ...working],
    ended: 'complete',
  },
  'byte-order-mark': { headers: json, pieces: [`\ufeff${task}`], ended: 'complete' },
  'duplicate-names-and-huge-integers': {
    headers: json,
    pieces: [
      '{"jsonrpc":"2.0","id":1,"id":12345678901234567890123,"result":{"task":{"id":"t","id":"u","contextId":"c",',
      '"status":{"state":"TASK_STATE_WORKING","state":"TASK_STATE_COMPLETED"},"metadata":{"n":1e400,"__proto__":{"a":1}}}}}',
    ],
    ended: 'complete',
  },
  'error-with-the-wrong-id': {
    headers: json,
    pieces: ['{"jsonrpc":"2.0","id":"other","error":{"code":-32001,"message":"Task not found"}}'],
    ended: 'complete',
  },
  'html-413': {
    status: 413,
    headers: { 'content-type': 'text/html', connection: 'close' },
    pieces: ['<h1>too large</h1>'],
    ended: 'complete',
  },
  'content-length': {
    headers: { ...json, 'content-length': Buffer.byteLength(task) },
    pieces: [task],
    ended: 'complete',
  },
  'less-than-content-length': {
    headers: { ...json, 'content-length': 1_000 },
    pieces: [task],
    last: 'reset',
    ended: 'reset',
  },
  empty: { headers: json, ended: 'complete' },
  'no-content': { status: 204, ended: 'complete' },
  'not-modified': { status: 304, headers: { etag: '"x"' }, ended: 'complete' },
  'interim-responses': {
    before: (response) => {
      response.writeProcessing();
      response.writeEarlyHints({ link: '</style.css>; rel=preload' });
    },
    headers: json,
    pieces: [task],
    ended: 'complete',
  },
  'several-of-a-header': {
    headers: { ...json, 'set-cookie': ['a=1', 'b=2'], 'x-many': ['1', '2'], 'x-latin': 'caf\xe9' },
    pieces: [task],
    ended: 'complete',
  },
  gzip: encoded('gzip', gzipSync(task)),
  deflate: encoded('deflate', deflateSync(task)),
  'raw-deflate': encoded('deflate', deflateRawSync(task)),
  brotli: encoded('br', brotliCompressSync(task)),
  'two-codings': encoded('deflate, gzip', gzipSync(deflateSync(task))),
  'no-response': { status: null, last: 'reset', before: (response) => void response.socket?.destroy(), ended: 'reset' },
  'no-http': {
    status: null,
    before: (response) => void response.socket?.end('SPDY/1 200 OK\r\n\r\n'),
    last: 'hang',
    ended: 'reset',
  },
};

/** Answers that have no end of their own, or are too long for every client. */
const SPECIAL: Readonly<Record<string, Answer>> = {
  'ten-megabytes': { headers: sse, pieces: [event(large), ...working], ended: 'complete' },
  'never-ends': { headers: sse, pieces: working, last: 'hang', ended: 'aborted' },
  'never-answers': { before: () => undefined, last: 'hang', ended: 'timeout' },
  'moved-with-307': { status: 307, headers: { location: '/rpc/content-length' }, ended: 'complete' },
  'moved-with-303': { status: 303, headers: { location: '/rpc/content-length' }, ended: 'complete' },
};

export const answerOf = (name: string): Answer => (ANSWERS[name] ?? SPECIAL[name])!;

export const bodyOf = ({ pieces = [], decoded }: Answer): Buffer =>
  Buffer.from(decoded ?? Buffer.concat(pieces.map((piece) => Buffer.from(piece))));

/** `resetAndDestroy` sends a FIN before the RST, and which of them a client sees is chance. A TLS socket knows no reset. */
const reset = (socket: Socket): void => {
  if (!(socket instanceof TLSSocket)) Object.assign(socket, { resetAndClosing: true });
  socket.destroy();
};

const answer = async (
  { status: code = 200, headers = {}, pieces = [], before, last = 'end' }: Answer,
  response: ServerResponse,
): Promise<void> => {
  response.sendDate = false;
  before?.(response);
  if (before !== undefined && last !== 'end') return;
  response.writeHead(code ?? 0, headers);
  for (const piece of pieces) {
    response.write(piece);
    // Each piece leaves in a write of its own.
    for (let turns = 0; turns < 3; turns++) await turn();
  }
  if (last === 'end') response.end();
  // A reset that overtakes what was sent would leave to chance what of it arrives.
  if (last === 'reset') setTimeout(() => response.socket && reset(response.socket), 150);
};

/** Requests that came whole, by their `x-case`; bodies as Latin-1, so that each character is a byte. */
export type Asked = Readonly<
  Record<string, readonly { method: string; url: string; headers: string[]; body: string; trailers: string[] }[]>
>;

export type Peer = {
  readonly origin: string;
  /** What was asked for since the last call. */
  asked(): Asked;
  close(): void;
};

const listening = async (server: Server): Promise<number> => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
};

const BOUNDARY = /-{4}[\w-]*formdata[\w-]*/gi;

/** A service whose last path segment names its answer; `echo` and what has no name answer with a task. Over TLS when it is given a certificate. */
export const startPeer = async (tls?: { readonly key: string; readonly cert: string }): Promise<Peer> => {
  let asked: Record<string, Asked[string]> = {};
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const name = request.headers['x-case'];
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const { method = '', url = '', rawHeaders, rawTrailers: trailers } = request;
    const headers = rawHeaders.map((text) => text.replace(BOUNDARY, 'BOUNDARY'));
    const body = Buffer.concat(pieces).toString('latin1').replace(BOUNDARY, 'BOUNDARY');
    if (typeof name === 'string') asked[name] = [...(asked[name] ?? []), { method, url, headers, body, trailers }];
    const segment = url.split('/').at(-1) ?? '';
    await answer(answerOf(segment) ?? answerOf('content-length'), response);
  };
  const server = tls === undefined ? createServer() : createTlsServer(tls);
  server.on('request', (request, response) => void serve(request, response).catch(() => response.destroy()));
  server.on('upgrade', (_, socket: Socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    socket.on('error', () => undefined).on('data', (data) => void socket.end(`pong ${data.toString()}`));
  });
  const port = await listening(server);
  return {
    origin: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    asked: () => {
      const taken = asked;
      asked = {};
      return taken;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
