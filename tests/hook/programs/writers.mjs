// node writers.mjs ORIGIN CLOSED: asks a peer in every manner of sending, and where nobody listens; prints what it got.

import { once } from 'node:events';
import { Agent, get, request as nodeRequest } from 'node:http';
import { Readable } from 'node:stream';
import * as undici from 'undici';
import { failure, transcribe } from './transcript.mjs';

const [origin, closed] = process.argv.slice(2);
const body = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'SendMessage',
  params: { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hello é€😀' }] } },
});
const bytes = Buffer.from(body);
const pieces = [bytes.subarray(0, 90), bytes.subarray(90, 93), bytes.subarray(93)];
const typed = { 'content-type': 'application/json', 'a2a-version': '1.0' };
const form = () => {
  const data = new FormData();
  data.set('field', 'value é');
  data.set('file', new Blob(['content']), 'name.txt');
  return data;
};

const fetched = (init) => async (tell, url, name) => {
  const { signal, body: content, ...rest } = typeof init === 'function' ? init() : init;
  const options = {
    method: 'POST',
    ...rest,
    headers: { 'x-case': name, ...typed, ...rest.headers },
    signal,
    body: content,
  };
  const response = await fetch(url, options);
  tell(response.status, [...response.headers], await response.text());
};
const asked = (headers) => async (tell, url, name) => {
  const request = new Request(url, { method: 'POST', body, headers: { 'x-case': name, ...typed, ...headers } });
  const twin = request.clone();
  const response = await fetch(request);
  tell(response.status, await twin.text(), request.bodyUsed);
};

const undiciSent = (make) => async (tell, url, name) => {
  const response = await undici.request(url, { method: 'POST', headers: { 'x-case': name, ...typed }, ...make() });
  tell(response.statusCode, response.headers, await response.body.text());
};

/** A node:http request that `write` writes and ends. */
const sent =
  (write, options = {}) =>
  (tell, url, name) =>
    new Promise((resolve) => {
      const { headers = {}, ...rest } = options;
      const all = Array.isArray(headers) ? ['x-case', name, ...headers] : { 'x-case': name, ...typed, ...headers };
      const request = nodeRequest(url, { method: 'POST', headers: all, ...rest });
      for (const event of ['continue', 'finish', 'drain', 'timeout']) request.on(event, () => tell(event));
      request.on('error', (error) => tell('error', failure(error)));
      request.on('close', () => {
        tell('close', request.destroyed, request.writableFinished);
        resolve();
      });
      request.on('response', (response) => {
        tell('response', response.statusCode, response.rawHeaders);
        response.on('end', () => tell('response end', response.rawTrailers)).resume();
      });
      write(request, tell);
    });

const cases = {
  'fetch string': fetched({ body }),
  'fetch bytes': fetched({ body: bytes }),
  'fetch view': fetched({ body: new Uint8Array(Buffer.from(`xx${body}`)).subarray(2) }),
  'fetch buffer': fetched({ body: new Uint8Array(bytes).buffer }),
  'fetch blob': fetched({ body: new Blob(pieces, { type: 'application/json' }) }),
  'fetch parameters': fetched({
    body: new URLSearchParams({ q: 'é&=', r: '2' }),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  }),
  'fetch form': (tell, url, name) =>
    fetch(url, { method: 'POST', body: form(), headers: { 'x-case': name, 'a2a-version': '1.0' } }).then(async (r) =>
      tell(r.status, await r.text()),
    ),
  'fetch stream': fetched(() => ({ body: new Blob(pieces).stream(), duplex: 'half' })),
  'fetch iterable': fetched(() => ({ body: Readable.from(pieces), duplex: 'half' })),
  'fetch stream that fails': fetched(() => ({
    duplex: 'half',
    body: new ReadableStream({
      start: (control) => control.enqueue(pieces[0]),
      pull: () => Promise.reject(new RangeError('no more')),
    }),
  })),
  'fetch request': asked({}),
  'fetch nothing': fetched({}),
  'fetch GET': fetched({ method: 'GET' }),
  'fetch HEAD': fetched({ method: 'HEAD' }),
  'fetch PUT': fetched({ method: 'PUT', body }),
  'fetch headers': fetched({ body, headers: { 'x-many': '1, 2', 'x-latin': 'caf\xe9' } }),
  'fetch aborted before': fetched(() => ({ body, signal: AbortSignal.abort() })),
  'fetch refused': (tell, _, name) => fetched({ body })(tell, closed, name),
  'fetch no URL': (tell) => fetched({ body })(tell, 'http://', 'none'),
  'fetch no header': (tell, url) => fetched({ body, headers: { 'bad name': '1' } })(tell, url, 'none'),
  'undici string': undiciSent(() => ({ body })),
  'undici bytes': undiciSent(() => ({ body: bytes })),
  'undici readable': undiciSent(() => ({ body: Readable.from(pieces) })),
  'undici generator': undiciSent(() => ({
    body: (async function* () {
      yield* pieces;
    })(),
  })),
  'undici refused': (tell, _, name) => undiciSent(() => ({ body }))(tell, closed, name),
  'undici client': async (tell, url, name) => {
    const client = new undici.Client(new URL(url).origin, { pipelining: 3 });
    const path = new URL(url).pathname;
    const one = { path, method: 'POST', body, headers: ['x-case', name, 'a2a-version', '1.0'], idempotent: true };
    const both = await Promise.all([client.request(one), client.request({ ...one, blocking: false })]);
    tell(...(await Promise.all(both.map(async (response) => [response.statusCode, await response.body.text()]))));
    await client.close();
  },
  'http end': sent((request, tell) => tell(request.end(body, () => tell('ended')) === request)),
  'http writes': sent((request, tell) => {
    tell(
      request.write(pieces[0]),
      request.write(pieces[1], () => tell('written')),
    );
    request.end(pieces[2]);
  }),
  'http encodings': sent((request) => {
    request.write(pieces[0].toString('hex'), 'hex');
    request.write(pieces[1].toString('base64'), 'base64');
    request.end(pieces[2].toString('latin1'), 'latin1');
  }),
  'http flushed': sent((request) => {
    request.flushHeaders();
    setImmediate(() => request.end(body));
  }),
  'http piped': sent((request) => Readable.from(pieces).pipe(request)),
  'http length': sent((request) => request.end(bytes), { headers: { 'content-length': bytes.length } }),
  'http trailers': sent((request) => {
    request.setHeader('trailer', 'x-digest');
    request.write(bytes);
    request.addTrailers({ 'x-digest': 'd' });
    request.end();
  }),
  'http list of headers': sent((request) => request.end(body), {
    headers: [
      'Host',
      'peer',
      'A2A-Version',
      '1.0',
      'X-Many',
      '1',
      'X-Many',
      '2',
      'content-length',
      String(bytes.length),
    ],
  }),
  'http expecting': sent((request) => request.on('continue', () => request.end(body)), {
    headers: { expect: '100-continue' },
  }),
  'http twice ended': sent((request) => {
    request.end(body);
    request.end('more');
  }),
  'http written after its end': sent((request, tell) => {
    request.end(body);
    tell(request.write('more', (error) => tell('not written', failure(error))));
  }),
  'http no chunk': sent((request, tell) => {
    try {
      request.write(7);
    } catch (error) {
      tell('thrown', failure(error));
    }
    request.end(body);
  }),
  'http changed late': sent((request, tell) => {
    request.write(bytes);
    try {
      request.setHeader('x-late', '1');
    } catch (error) {
      tell('thrown', failure(error));
    }
    request.end();
  }),
  'http destroyed before': sent((request) => request.destroy()),
  'http destroyed with a reason': sent((request) => {
    request.write(pieces[0]);
    request.destroy(new RangeError('no more'));
  }),
  'http signal': sent((request) => request.end(body), { signal: AbortSignal.abort() }),
  'http refused': (tell, _, name) => sent((request) => request.end(body))(tell, closed, name),
  'http queue': async (tell, url, name) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const one = () => sent((request) => request.end(body), { agent });
    await Promise.all([one()(tell, url, name), one()(tell, url, name)]);
    agent.destroy();
  },
  'http GET': async (tell, url, name) => {
    const [response] = await once(get(url, { headers: { 'x-case': name }, auth: 'user:pass' }), 'response');
    tell(response.statusCode, (await response.toArray()).join(''));
  },
  'http upgrade': (tell, url, name) =>
    new Promise((resolve) => {
      const headers = { 'x-case': name, connection: 'upgrade', upgrade: 'websocket' };
      const request = get(url, { headers });
      request.on('upgrade', (response, socket, head) => {
        tell('upgrade', response.statusCode, response.headers, head.toString());
        socket.on('data', (data) => tell('data', data.toString()));
        socket.on('close', resolve);
        socket.end('ping');
      });
    }),
};

await transcribe(
  Object.fromEntries(
    Object.entries(cases).map(([name, work]) => {
      const url = `${origin}/rpc/${encodeURIComponent(name)}/echo`;
      return [name, (tell) => work(tell, url, name)];
    }),
  ),
);
