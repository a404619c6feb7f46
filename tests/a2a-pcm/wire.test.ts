import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PCM_MEDIA_TYPE } from '../../src/pcm/a2a-parts.ts';
import type { Members } from '../pcm/lab.ts';
import { fresh, type Guarded, guarded, requireLevel, textOf } from './lab.ts';

let server: Guarded;
beforeAll(async () => {
  server = await guarded(undefined, { maxBodyBytes: 64 * 1024 });
});
afterAll(() => server.close());

type Body = string | Uint8Array<ArrayBuffer>;
const post = async (path: string, body: Body, headers: Record<string, string> = {}) => {
  const before = server.ran.length;
  const response = await fetch(`${server.origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'a2a-version': '1.0', ...headers },
    body,
  });
  const text = await response.text();
  return { status: response.status, text, ran: server.ran.slice(before) };
};

/** A request of JSON-RPC whose parts are this JSON text. */
const calling = (parts: string, method = 'SendMessage', message = ''): string =>
  `{"jsonrpc":"2.0","id":7,"method":"${method}","params":{"message":{"messageId":"m","role":"ROLE_USER",${message}"parts":[${parts}]}}}`;
const partOf = (text: string): string => JSON.stringify({ text, mediaType: PCM_MEDIA_TYPE });
/** A message as it is signed, with one token of its text written otherwise. */
const respelled = (from: string, to: string, message: Members = fresh()): string => {
  const text = textOf(message);
  if (!text.includes(from)) throw new Error(`no ${from}`);
  return text.replace(from, to);
};
const reasonsOf = (text: string): readonly string[] => {
  const { error } = JSON.parse(text) as { error: { data: { reason: string; metadata: { verdict: string } }[] } };
  for (const { reason, metadata } of error.data) requireLevel(reason, metadata.verdict);
  return error.data.map(({ reason }) => reason);
};

describe('what a parser would have lost is bad input', () => {
  const cases: Record<string, readonly [string, string]> = {
    'a name twice': [respelled('"pcm":0', '"pcm":0,"pcm":0'), 'PCM_READ_DUPLICATE'],
    'a name twice, once escaped': [respelled('"amount":5', '"amount":5,"am\\u006funt":5'), 'PCM_READ_DUPLICATE'],
    '1.0 for 1': [respelled('"amount":5', '"amount":5.0'), 'PCM_A2A_INTEGER'],
    '1e0 for 1': [respelled('"amount":5', '"amount":5e0'), 'PCM_A2A_INTEGER'],
    '0.0 for the version': [respelled('"pcm":0', '"pcm":0.0'), 'PCM_A2A_INTEGER'],
    'a number that overflows': [respelled('"amount":5', '"amount":1e400'), 'PCM_READ_NUMBER'],
    'an integer beyond 2^53': [respelled('"amount":5', '"amount":9007199254740993'), 'PCM_READ_NUMBER'],
    'a lone surrogate': [respelled('"amount":5', '"amount":5,"note":"\\ud800"'), 'PCM_READ_SURROGATE'],
    'no JSON': ['{', 'PCM_READ_SYNTAX'],
    'a byte order mark': [`\ufeff${textOf(fresh())}`, 'PCM_READ_BYTE_ORDER_MARK'],
  };
  it.each(Object.entries(cases))('%s', async (_, [text, reason]) => {
    const { status, text: answer, ran } = await post('/rpc', calling(partOf(text)));
    expect(JSON.parse(answer)).toMatchObject({
      id: 7,
      error: {
        code: -32602,
        message: expect.stringMatching(/^PCM message refused \(bad-input\): /),
        data: [{ reason, domain: 'forensictrace', metadata: { verdict: 'bad-input' } }],
      },
    });
    expect([status, ran]).toEqual([200, []]);
  });

  it('a lone surrogate that the request itself escapes', async () => {
    const part = partOf(textOf(fresh({ payload: { kind: 'text', text: 'X' } }))).replace('X', '\\ud800');
    const { text, ran } = await post('/rpc', calling(part));
    expect([reasonsOf(text), ran]).toEqual([['PCM_READ_SURROGATE'], []]);
  });

  it('a float that is no integer is a float, and evidence is left as its signer wrote it', async () => {
    const floats = respelled('"sig":', '"payload":{"kind":"data","data":1.5},"sig":');
    expect(reasonsOf((await post('/rpc', calling(partOf(floats)))).text)).toEqual(['PCM_SIGNATURE']);
    const evidence = respelled('"sig":', '"claims":[{"type":"x","args":{},"evidence":{"a":[1.0]}}],"sig":');
    expect(reasonsOf((await post('/rpc', calling(partOf(evidence)))).text)).toEqual(['PCM_SIGNATURE']);
  });
});

describe('every shape that a server may take for a part of this media type is verified', () => {
  const bytes = (): string => Buffer.from(textOf(fresh())).toString('base64');
  const text = (): string => JSON.stringify(textOf(fresh()));
  const parts: Record<string, () => string> = {
    'text of 1.0': () => `{"text":${text()},"mediaType":"${PCM_MEDIA_TYPE}"}`,
    'text, its type in snake case': () => `{"text":${text()},"media_type":"${PCM_MEDIA_TYPE}"}`,
    'text, its type in capitals with a parameter': () =>
      `{"text":${text()},"mediaType":" Application/VND.PCM+json ;charset=utf-8"}`,
    'text of 0.3, its type in the metadata': () =>
      `{"kind":"text","text":${text()},"metadata":{"mimeType":"${PCM_MEDIA_TYPE}"}}`,
    'bytes of 1.0': () => `{"raw":"${bytes()}","mediaType":"${PCM_MEDIA_TYPE}"}`,
    'a file of 0.3': () => `{"kind":"file","file":{"bytes":"${bytes()}","mimeType":"${PCM_MEDIA_TYPE}"}}`,
    'a file of 0.3 over HTTP+JSON': () => `{"file":{"fileWithBytes":"${bytes()}","mimeType":"${PCM_MEDIA_TYPE}"}}`,
  };
  it.each(Object.entries(parts))('%s', async (_, part) => {
    const once = calling(part());
    const { ran } = await post('/rpc', once);
    // The SDK refuses some shapes of the other version; that the guard spent the message is seen when it comes again.
    expect(ran.length).toBeLessThan(2);
    expect(reasonsOf((await post('/rpc', once)).text)).toEqual(['PCM_REPLAY_SEEN']);
  });

  it.each([
    ['data', '{"data":{"pcm":0},"mediaType":"application/vnd.pcm+json"}'],
    ['a URL', '{"url":"https://a.example/m","mediaType":"application/vnd.pcm+json"}'],
    ['a file elsewhere', '{"kind":"file","file":{"uri":"https://a.example/m","mimeType":"application/vnd.pcm+json"}}'],
    ['nothing', '{"mediaType":"application/vnd.pcm+json"}'],
    ['text and bytes', '{"text":"{}","raw":"e30=","mediaType":"application/vnd.pcm+json"}'],
    ['bytes that are no canonical base64', '{"raw":"e31=","mediaType":"application/vnd.pcm+json"}'],
    ['a number', '{"text":1,"mediaType":"application/vnd.pcm+json"}'],
  ])('a part with %s is refused', async (_, part) => {
    const { text: answer, ran } = await post('/rpc', calling(part));
    expect([reasonsOf(answer), ran]).toEqual([['PCM_A2A_PART'], []]);
  });

  it.each([
    [
      'the message',
      (part: string) => calling(part).replace('"params":', '"params":{"message":{"parts":[]}},"params":'),
    ],
    ['the parts', (part: string) => calling(part, 'SendMessage', '"parts":[],')],
    ['the text', (part: string) => calling(part.replace('{', '{"text":"{}",'))],
    ['the media type', (part: string) => calling(part.replace('{', '{"mediaType":"text/plain",'))],
  ])('a request that names %s twice is refused', async (_, build) => {
    const { text: answer, ran } = await post('/rpc', build(partOf(textOf(fresh()))));
    expect([reasonsOf(answer), ran]).toEqual([['PCM_A2A_BODY'], []]);
  });

  it('a part list under another name, and 0.3 under its own, over HTTP+JSON', async () => {
    const message = `{"messageId":"m","role":"ROLE_USER","content":[${partOf(textOf(fresh()))}]}`;
    for (const body of [`{"message":${message}}`, `{"request":${message}}`]) {
      await post('/rest/message:send', body, { 'a2a-version': '0.3' });
      const again = await post('/rest/message:send', body, { 'a2a-version': '0.3' });
      expect(again.text).toContain('PCM_REPLAY_SEEN');
    }
  });
});

describe('the error of the binding', () => {
  const refusedRequest = (): string =>
    `{"message":{"messageId":"m","role":"ROLE_USER","parts":[${partOf(textOf(fresh({ to: { agent: 'uid:3' } })))}]}}`;

  it('is that of A2A 1.0 over HTTP+JSON, with the status of the verdict', async () => {
    const { status, text, ran } = await post('/rest/message:send', refusedRequest());
    expect([status, ran]).toEqual([403, []]);
    expect(JSON.parse(text)).toMatchObject({
      error: { code: 403, status: 'PERMISSION_DENIED', details: [{ reason: 'PCM_REPLAY_RECIPIENT' }] },
    });
    const malformed = `{"message":{"messageId":"m","role":"ROLE_USER","parts":[${partOf('{')}]}}`;
    expect(await post('/rest/message:send', malformed)).toMatchObject({ status: 400, ran: [] });
  });

  it('is that of 0.3 over HTTP+JSON where the request speaks it', async () => {
    const { status, text } = await post('/rest/message:send', refusedRequest(), { 'a2a-version': '' });
    expect([status, JSON.parse(text)]).toMatchObject([
      403,
      { code: -32602, data: [{ reason: 'PCM_REPLAY_RECIPIENT' }] },
    ]);
  });

  it("repeats little of a stranger's words", async () => {
    const long = fresh({ to: { agent: '\u{1f600}'.repeat(128) } });
    const { text } = await post('/rpc', calling(partOf(textOf(long)), 'SendMessage'));
    expect(reasonsOf(text)).toEqual(['PCM_REPLAY_RECIPIENT']);
    const wide = respelled('"amount":5', `"amount":5,"${'x'.repeat(9000)}":1`);
    expect((await post('/rpc', calling(partOf(wide)))).text.length).toBeLessThan(2000);
  });
});

function* spaces(): Generator<string> {
  for (;;) yield ' '.repeat(16_384);
}

describe('the body', () => {
  it.each<[string, Body, Record<string, string>, string]>([
    ['longer than the bound', calling(partOf('x'.repeat(65_536))), {}, 'PCM_A2A_BODY_TOO_LONG'],
    [
      'longer than the bound once decoded',
      new Uint8Array(gzipSync(Buffer.alloc(1 << 20, ' '))),
      { 'content-encoding': 'gzip' },
      'PCM_A2A_BODY_TOO_LONG',
    ],
    ['of an encoding that nobody knows', '{}', { 'content-encoding': 'x' }, 'PCM_A2A_BODY'],
    ['that is no UTF-8', new Uint8Array([0x22, 0xff, 0x22]), {}, 'PCM_A2A_BODY'],
    [
      'in UTF-16, whatever its header says',
      new Uint8Array(Buffer.from('{}', 'utf16le')),
      { 'content-type': 'application/json; charset=utf-16' },
      'PCM_A2A_BODY',
    ],
    ['with a byte order mark', '\ufeff{}', {}, 'PCM_A2A_BODY'],
    ['that is no JSON', '{', {}, 'PCM_A2A_BODY'],
    ['nested beyond reading', '['.repeat(10_000), {}, 'PCM_A2A_BODY'],
    ['that is JSON in a string', JSON.stringify(calling(partOf(textOf(fresh())))), {}, 'PCM_A2A_BODY'],
    ['that is a batch with a message', `[${calling(partOf(textOf(fresh())))}]`, {}, 'PCM_A2A_BATCH'],
  ])('%s is refused', async (_, body, headers, reason) => {
    const { text, ran } = await post('/rpc', body, headers);
    expect([reasonsOf(text), ran]).toEqual([[reason], []]);
  });

  it('without end is refused at the bound, and its connection ended', async () => {
    const sending = request(`${server.origin}/rpc`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    });
    const answered = once(sending, 'response');
    const ended = new Promise((done) => sending.once('close', done));
    const flood = Readable.from(spaces());
    // The server ends the connection while this is still sent.
    sending.on('error', () => {});
    flood.pipe(sending);
    const [response] = (await answered) as [IncomingMessage];
    const pieces = (await response.toArray()) as Buffer[];
    expect(reasonsOf(Buffer.concat(pieces).toString())).toEqual(['PCM_A2A_BODY_TOO_LONG']);
    await ended;
    flood.destroy();
  });

  it('is answered with 413 over HTTP+JSON when it is too long', async () => {
    expect(await post('/rest/message:send', ' '.repeat(65_537))).toMatchObject({ status: 413, ran: [] });
  });

  it('compressed within the bound is read, and a batch without a message is left to the SDK', async () => {
    const body = new Uint8Array(gzipSync(calling(partOf(textOf(fresh())))));
    expect((await post('/rpc', body, { 'content-encoding': 'gzip' })).ran).toHaveLength(1);
    const batch = await post('/rpc', `[${calling('{"text":"hello"}')}]`);
    expect([JSON.parse(batch.text), batch.ran]).toMatchObject([{ error: { code: -32602 } }, []]);
  });

  it('of another type is not read, nor parsed for the SDK, which refuses it', async () => {
    const { text, ran } = await post('/rpc', calling(partOf(textOf(fresh()))), { 'content-type': 'text/plain' });
    expect([JSON.parse(text), ran]).toMatchObject([{ error: { code: -32005 } }, []]);
  });

  it('without a body, a request reaches the SDK', async () => {
    const response = await fetch(`${server.origin}/rest/tasks/none`, { headers: { 'a2a-version': '1.0' } });
    expect(response.status).toBe(404);
  });
});

it('whatever one character of a request becomes, the executor is given the message as it was signed or none', async () => {
  const length = calling(partOf(textOf(fresh()))).length;
  await fc.assert(
    fc.asyncProperty(
      fc.nat(length - 1),
      fc.constantFrom(...Array.from('"\\{}[]:,.0159eE-+ua \u00e9')),
      async (at, character) => {
        const message = fresh();
        const request = calling(partOf(textOf(message)));
        const { text, ran } = await post('/rpc', `${request.slice(0, at)}${character}${request.slice(at + 1)}`);
        expect(JSON.parse(text)).toMatchObject({ jsonrpc: '2.0' });
        for (const accepted of ran)
          expect(accepted.map((one) => one.message)).toEqual(accepted.length === 0 ? [] : [message]);
      },
    ),
    { numRuns: 100 },
  );
});
