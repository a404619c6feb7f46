// node readers.mjs ORIGIN '[[MANNER,ANSWER],…]': asks a peer for each answer in that manner, and prints what it got.
import { Agent, request as nodeRequest } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import { Writable } from 'node:stream';
import * as undici from 'undici';
import { digest, failure, transcribe } from './transcript.mjs';

const [origin, asked] = process.argv.slice(2);
const body = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'SendStreamingMessage',
  params: { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hello é' }] } },
});
const headersOf = (name) => ({ 'content-type': 'application/json', 'a2a-version': '1.0', 'x-case': name });

/** Each reads a fetch response to its end. */
const reads = {
  text: (response) => response.text(),
  bytes: async (response) => digest(await response.arrayBuffer()),
  json: async (response) => JSON.stringify(await response.json()),
  blob: async (response) => digest(await (await response.blob()).arrayBuffer()),
  reader: async (response) => {
    const reader = response.body?.getReader();
    const pieces = [];
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true };
      if (done) return digest(Buffer.concat(pieces));
      pieces.push(value);
    }
  },
  iteration: async (response) => {
    const pieces = [];
    for await (const piece of response.body ?? []) pieces.push(piece);
    return digest(Buffer.concat(pieces));
  },
  clone: async (response) => {
    const twin = response.clone();
    const both = await Promise.allSettled([twin.text(), response.text()]);
    return both.map(({ value, reason }) => value ?? failure(reason));
  },
};

const head = (response) => {
  const { status, statusText, url, redirected, type, headers } = response;
  return { status, statusText, url, redirected, type, headers: [...headers], hasBody: response.body !== null };
};

const fetched = (fetch, read, init) => async (tell, url, name) => {
  const response = await fetch(url, { method: 'POST', body, headers: headersOf(name), ...init });
  tell('head', head(response));
  tell('body', await read(response).catch(failure), response.bodyUsed);
};

const collecting = () => {
  const pieces = [];
  const stream = new Writable({
    write: (piece, _, done) => {
      pieces.push(piece);
      done();
    },
  });
  return { stream, content: () => digest(Buffer.concat(pieces)) };
};

/** Follows a node:http request by its events, in the order in which they come. */
const followed = (request, agent, onResponse) => (tell, url, name) =>
  new Promise((resolve) => {
    const call = request(url, { method: 'POST', headers: headersOf(name), agent, rejectUnauthorized: false });
    for (const event of ['information', 'continue', 'finish', 'abort', 'timeout']) {
      call.on(event, (info) => tell(event, info?.statusCode));
    }
    let answered = false;
    call.on('error', (error) => {
      // Behind the head of a response, whether the kernel shows a reset to the request as well is chance.
      if (!answered || failure(error) !== 'connection lost') tell('error', failure(error));
    });
    call.on('close', () => {
      tell('close', call.destroyed);
      resolve();
    });
    call.on('response', (response) => {
      answered = true;
      tell('response', response.statusCode, response.statusMessage, response.rawHeaders, response.httpVersion);
      for (const event of ['aborted', 'end', 'close']) {
        response.on(event, () => tell(`response ${event}`, response.complete, response.rawTrailers));
      }
      response.on('error', (error) => tell('response error', failure(error)));
      onResponse(response, tell, call);
    });
    tell('end', call.end(body) === call);
  });

const listening = (response, tell) => {
  const pieces = [];
  response.on('data', (piece) => pieces.push(piece));
  response.on('close', () => tell('content', digest(Buffer.concat(pieces))));
};
const pausing = (response, tell) => {
  const pieces = [];
  response.on('readable', () => {
    for (let piece = response.read(); piece !== null; piece = response.read()) pieces.push(piece);
  });
  response.on('close', () => tell('content', digest(Buffer.concat(pieces))));
};
const decoding = (response, tell) => {
  let text = '';
  response.setEncoding('utf8').on('data', (piece) => {
    text += piece;
  });
  response.on('close', () => tell('content', text));
};

const undiciRequested = (read) => async (tell, url, name) => {
  const response = await undici.request(url, { method: 'POST', body, headers: headersOf(name) });
  tell('head', response.statusCode, response.headers);
  tell('body', await read(response.body).catch(failure), response.trailers);
};

const untilFirst = (stop) => async (tell, url, name) => {
  const control = new AbortController();
  const response = await fetch(url, { method: 'POST', body, headers: headersOf(name), signal: control.signal });
  const reader = response.body.getReader();
  const { value } = await reader.read();
  tell('first', value.length > 0);
  await stop({ reader, control });
  tell('next', await reader.read().then(({ done }) => done, failure));
};

const secure = origin.startsWith('https:');
const request = secure ? tlsRequest : nodeRequest;
const keepAlive = new (secure ? TlsAgent : Agent)({ keepAlive: true, maxSockets: 2 });
const MANNERS = {
  ...Object.fromEntries(Object.entries(reads).map(([name, read]) => [`fetch ${name}`, fetched(fetch, read)])),
  'undici fetch': fetched(undici.fetch, reads.text),
  'undici request text': undiciRequested(async (content) => content.text()),
  'undici request iteration': undiciRequested(async (content) => {
    const pieces = [];
    for await (const piece of content) pieces.push(piece);
    return digest(Buffer.concat(pieces));
  }),
  'undici stream': async (tell, url, name) => {
    const { stream, content } = collecting();
    const opaque = { method: 'POST', body, headers: headersOf(name) };
    await undici.stream(url, opaque, ({ statusCode, headers }) => {
      tell('head', statusCode, headers);
      return stream;
    });
    tell('body', content());
  },
  'http data': followed(request, undefined, listening),
  'http readable': followed(request, false, pausing),
  'http text': followed(request, undefined, decoding),
  'http keep-alive': followed(request, keepAlive, listening),
  'fetch redirected': fetched(fetch, reads.text, { redirect: 'follow' }),
  'fetch moved by hand': fetched(fetch, reads.text, { redirect: 'manual' }),
  'fetch refusing redirects': fetched(fetch, reads.text, { redirect: 'error' }),
  'stops by cancel': untilFirst(({ reader }) => reader.cancel('enough')),
  'stops by abort': untilFirst(({ control }) => control.abort()),
  'stops by a reason': untilFirst(({ control }) => control.abort(new RangeError('enough'))),
  'stops by break': async (tell, url, name) => {
    const response = await fetch(url, { method: 'POST', body, headers: headersOf(name) });
    for await (const piece of response.body) {
      tell('first', piece.length > 0);
      break;
    }
    tell('used', response.bodyUsed);
  },
  'http stops': followed(request, undefined, (response, tell) =>
    response.once('data', (piece) => {
      tell('first', piece.length > 0);
      response.destroy();
    }),
  ),
  'times out': (...call) => fetched(fetch, reads.text, { signal: AbortSignal.timeout(300) })(...call),
  'http destroyed': (tell, url, name) =>
    new Promise((resolve) => {
      const call = request(url, { method: 'POST', headers: headersOf(name), timeout: 100 });
      call.on('timeout', () => {
        tell('timeout');
        call.destroy(new RangeError('too late'));
      });
      call.on('error', (error) => tell('error', failure(error)));
      call.on('close', () => {
        tell('close');
        resolve();
      });
      call.end(body);
    }),
};

const cases = {};
for (const [manner, answer] of JSON.parse(asked)) {
  const name = `${manner}: ${answer}`;
  // The path names the case, so that its record can be found.
  const url = `${origin}/rpc/${encodeURIComponent(manner)}/${answer}`;
  cases[name] = (tell) => MANNERS[manner](tell, url, name);
}
await transcribe(cases);
keepAlive.destroy();
