import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Fetch } from '../../src/capture/fetch-tap.ts';
import type { Capture } from '../../src/capture/index.ts';
import type { RecordOf } from '../../src/evidence/bundle.ts';
import { capture, finish, folder } from './lab.ts';

const rpc = (result: string): string => `{"jsonrpc":"2.0","id":1,"result":${result}}`;
const working = rpc('{"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING"}}}');
const chunk = rpc('{"artifactUpdate":{"taskId":"t","artifact":{"artifactId":"a","parts":[{"text":"é€😀"}]}}}');

const send = async (
  response: ServerResponse,
  type: string,
  pieces: readonly (string | Uint8Array)[],
): Promise<void> => {
  response.writeHead(200, 'Fine', { 'content-type': type, 'set-cookie': ['a=1', 'b=2'], 'x-other': 'kept' });
  for (const piece of pieces) {
    response.write(piece);
    await wait(2);
  }
};

const bytes = (text: string): number[] => [...Buffer.from(text)];
const stream = `: hello\n\ndata: ${working}\r\n\r\nevent: x\ndata: ${chunk}\n\n`;
const oneByOne = bytes(`data: ${chunk}\n\n`).map((byte) => Uint8Array.of(byte));

/** What the peer does, and how the exchange must be said to have ended with how many events. */
const PEERS: Record<
  string,
  {
    serve(response: ServerResponse): unknown;
    ended: RecordOf<'exchanges'>['ended'];
    events?: number | null;
  }
> = {
  json: { serve: (r) => send(r, 'application/json', [working]).then(() => r.end()), ended: 'complete', events: null },
  empty: { serve: (r) => void r.writeHead(200).end(), ended: 'complete' },
  'no content': { serve: (r) => void r.writeHead(204).end(), ended: 'complete' },
  'not modified': { serve: (r) => void r.writeHead(304, { etag: '"x"' }).end(), ended: 'complete' },
  'html 413': {
    serve: (r) => void r.writeHead(413, { 'content-type': 'text/html' }).end('<h1>too large</h1>'),
    ended: 'complete',
  },
  'html 502': { serve: (r) => void r.writeHead(502).end('<html>bad gateway</html>'), ended: 'complete' },
  redirect: { serve: (r) => void r.writeHead(307, { location: '/json' }).end(), ended: 'complete' },
  'not utf-8': {
    serve: (r) => send(r, 'application/json', [Uint8Array.of(0x22, 0xff, 0x22)]).then(() => r.end()),
    ended: 'complete',
  },
  'byte-order mark': {
    serve: (r) => send(r, 'application/json', [`\ufeff${working}`]).then(() => r.end()),
    ended: 'complete',
  },
  sse: { serve: (r) => send(r, 'text/event-stream', [stream]).then(() => r.end()), ended: 'complete', events: 2 },
  'sse byte by byte': {
    serve: (r) => send(r, 'text/event-stream', oneByOne).then(() => r.end()),
    ended: 'complete',
    events: 1,
  },
  'sse not utf-8': {
    serve: (r) =>
      send(r, 'text/event-stream', [`data: ${working}\n\ndata: "`, Uint8Array.of(0xff), '"\n\n', stream]).then(() =>
        r.end(),
      ),
    ended: 'complete',
    events: 4,
  },
  'sse cut clean in an event': {
    serve: (r) => send(r, 'text/event-stream', [stream, 'data: {"x']).then(() => r.end()),
    ended: 'aborted',
    events: 2,
  },
  'sse reset': {
    serve: (r) => send(r, 'text/event-stream', [stream, 'data: {"x']).then(() => void r.destroy()),
    ended: 'reset',
    events: 2,
  },
  'json reset': {
    serve: (r) => send(r, 'application/json', ['{"jsonrpc"']).then(() => void r.destroy()),
    ended: 'reset',
  },
  'reset at once': { serve: (r) => void r.destroy(), ended: 'reset' },
  'never answers': { serve: () => undefined, ended: 'timeout' },
  'never ends': { serve: (r) => send(r, 'text/event-stream', [stream]), ended: 'timeout', events: 2 },
  'large artifact': {
    serve: (r) =>
      send(r, 'text/event-stream', [
        `data: ${rpc(`{"artifactUpdate":{"artifact":{"artifactId":"a","parts":[{"text":"${'x'.repeat(3e6)}"}]}}}`)}\n\n`,
        stream,
      ]).then(() => r.end()),
    ended: 'complete',
  },
};

const failure = (error: unknown): unknown => {
  const { name, message, cause } = error as Error;
  return { name, message, cause: (cause as { code?: string } | undefined)?.code };
};

/** Everything a client can see of a response. */
const seen = async (fetched: Promise<Response>, read: (response: Response) => Promise<unknown>): Promise<unknown> => {
  try {
    const response = await fetched;
    const { status, statusText, ok, type, url, redirected, headers, body } = response;
    const head = { status, statusText, ok, type, url, redirected, hasBody: body !== null };
    const rows = [...headers].filter(([name]) => name !== 'date');
    const content = await read(response).catch(failure);
    return { ...head, rows, cookies: headers.getSetCookie(), content, bodyUsed: response.bodyUsed };
  } catch (error) {
    return failure(error);
  }
};

const READS: Record<string, (response: Response) => Promise<unknown>> = {
  text: (response) => response.text(),
  bytes: async (response) => Buffer.from(await response.arrayBuffer()).toString('hex'),
  json: (response) => response.json(),
  pieces: async (response) => {
    let text = '';
    for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>)
      text += Buffer.from(piece).toString('latin1');
    return text;
  },
  'own buffer': async (response) => {
    const reader = response.body?.getReader({ mode: 'byob' });
    let text = '';
    for (let reads = 0; ; reads++) {
      // Megabytes by seven bytes are the same read half a million times.
      const { done, value } = (await reader?.read(new Uint8Array(reads < 2_000 ? 7 : 7_777))) ?? { done: true };
      if (done) return text;
      text += Buffer.from(value!).toString('latin1');
    }
  },
  clone: async (response) => {
    const twin = response.clone();
    // Both are read, so that bodyUsed does not depend on which of them an abort reaches first.
    const [first, second] = await Promise.allSettled([twin.text(), response.text()]);
    return [twin.url, first, second].map((part) =>
      typeof part === 'object' && part.status === 'rejected' ? failure(part.reason) : part,
    );
  },
};

let origin: string;
let close: () => void;
beforeAll(async () => {
  const server = createServer((request, response) => {
    request.resume();
    const name = decodeURIComponent((request.url ?? '').slice(1));
    // A peer that was cut off cannot be told.
    Promise.resolve(PEERS[name]?.serve(response)).catch(() => undefined);
  });
  // A kept connection that the server ends while the next request is on its way resets that request, with capture or without.
  server.keepAliveTimeout = 120_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  close = () => {
    server.closeAllConnections();
    server.close();
  };
});
afterAll(() => close());

const post = (signal: AbortSignal): RequestInit => ({
  method: 'POST',
  body: '{"jsonrpc":"2.0","id":1,"method":"SendMessage"}',
  headers: { 'content-type': 'application/json' },
  signal,
});

const inCapture = async (
  work: (fetch: Fetch, running: Capture) => Promise<void>,
): Promise<ReturnType<typeof finish>> => {
  const place = folder();
  try {
    const running = capture(place.path, { bodyLimit: 1_000_000 });
    await work(running.fetch({ agent: null, binding: 'JSONRPC' }), running);
    return finish(running);
  } finally {
    place.remove();
  }
};

describe.each(Object.keys(PEERS))('a peer: %s', (peer) => {
  const { ended, events } = PEERS[peer]!;
  const url = (): string => `${origin}/${encodeURIComponent(peer)}`;

  test.each(Object.keys(READS))('read as %s, the client gets the same with and without capture', async (how) => {
    const timeout = () => AbortSignal.timeout(ended === 'timeout' ? 150 : 20_000);
    const without = await seen(fetch(url(), post(timeout())), READS[how]!);
    let withCapture: unknown;
    const { refusals, records } = await inCapture(async (tap) => {
      withCapture = await seen(tap(url(), post(timeout())), READS[how]!);
    });
    expect(withCapture).toEqual(without);
    expect(refusals).toEqual([]);
    expect(records.trace_metadata[0]!.gaps).toEqual([]);
    expect(records.exchanges).toHaveLength(1);
    const [exchange] = records.exchanges;
    // Without content length a body that nobody asks for is not waited for.
    expect(exchange!.ended).toBe(ended);
    if (events !== undefined) expect(exchange!.event_count).toBe(events);
  });

  test('aborted by the client, it ends in the same way', async () => {
    const outcome = (fetchImpl: Fetch) => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 100);
      return seen(fetchImpl(url(), post(controller.signal)), READS.text!);
    };
    const without = await outcome(fetch);
    let withCapture: unknown;
    const { refusals, records } = await inCapture(async (tap) => {
      withCapture = await outcome(tap);
    });
    if (ended === 'timeout') {
      expect(withCapture).toEqual(without);
      expect(records.exchanges).toMatchObject([{ ended: 'aborted' }]);
    }
    expect(refusals).toEqual([]);
  });
});

describe('a consumer that stops early', () => {
  test.each(['cancel', 'break'])('by %s: the connection ends, the rest is not read, what came is kept', async (how) => {
    const { refusals, records } = await inCapture(async (tap) => {
      const response = await tap(`${origin}/${encodeURIComponent('never ends')}`, post(AbortSignal.timeout(20_000)));
      if (how === 'break') for await (const _ of response.body as unknown as AsyncIterable<Uint8Array>) break;
      else {
        const reader = response.body!.getReader();
        await reader.read();
        await reader.cancel('enough');
        expect(await reader.read()).toEqual({ done: true, value: undefined });
      }
    });
    expect(refusals).toEqual([]);
    expect(records.exchanges).toMatchObject([{ ended: 'aborted', event_count: 2 }]);
    expect(records.task_transitions).toMatchObject([{ state: 'working', wire_event: 0 }]);
    expect(records.artifacts[0]!.content!.text).toBe('é€😀');
  });

  test('back-pressure stays: a chunk is asked of the peer only when the consumer asks', async () => {
    let pulls = 0;
    const endless: Fetch = async () =>
      new Response(
        new ReadableStream(
          {
            pull: (controller) => {
              pulls++;
              controller.enqueue(Buffer.from('data: x\n\n'));
            },
          },
          { highWaterMark: 0 },
        ),
        { headers: { 'content-type': 'text/event-stream' } },
      );
    await inCapture(async (_, running) => {
      const reader = (
        await running.fetch({ agent: null, binding: 'JSONRPC', fetch: endless })(
          'http://a.test/',
          post(AbortSignal.timeout(20_000)),
        )
      ).body!.getReader();
      await wait(20);
      expect(pulls).toBe(0);
      await reader.read();
      await wait(20);
      expect(pulls).toBe(1);
      await reader.cancel();
    });
  });
});

describe('evidence of what came', () => {
  test('an artifact over the limit: full size and digest, cut and marked, later events still recorded', async () => {
    const { records } = await inCapture(async (tap) => {
      await (await tap(`${origin}/${encodeURIComponent('large artifact')}`, post(AbortSignal.timeout(20_000)))).text();
    });
    const [exchange] = records.exchanges;
    expect(exchange!.response_body).toMatchObject({ truncated: 1_000_000 });
    expect(exchange!.response_body!.size).toBeGreaterThan(3e6);
    expect(exchange!.wire_issue).toMatchObject({ event_count: 'truncated' });
    expect(records.artifacts.map(({ wire_event, wire_issue }) => [wire_event, wire_issue])).toEqual([
      [0, { raw: 'truncated' }],
      [2, null],
    ]);
    expect(records.artifacts[1]!.content!.text).toBe('é€😀');
    expect(records.task_transitions.at(-1)).toMatchObject({ state: 'working', wire_event: 1 });
  });

  test('an event that is no UTF-8 spoils itself, not the others', async () => {
    const { records } = await inCapture(async (tap) => {
      await (await tap(`${origin}/${encodeURIComponent('sse not utf-8')}`, post(AbortSignal.timeout(20_000)))).text();
    });
    expect(records.exchanges[0]!.response_body!.encoding).toBe('base64');
    expect(
      records.task_transitions.map(({ wire_event, state, wire_issue }) => [wire_event, state, wire_issue]),
    ).toEqual([
      [0, 'working', null],
      [1, null, { response: 'unparsable' }],
      [2, 'working', null],
    ]);
  });
});
