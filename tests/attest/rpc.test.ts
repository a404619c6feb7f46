import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FrameGuard } from '../../src/attest/rpc/frame-guard.ts';
import { refusalOf, sharedLab } from './lab.ts';

const shared = sharedLab();

const frame = (body: string | Buffer): Buffer =>
  Buffer.concat([Buffer.from(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`), Buffer.from(body)]);
const request = (method: string, params: object, id: unknown = 1): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });

const dial = async (): Promise<Socket> => {
  const socket = connect(shared().path('s'));
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
};
const answer = async (socket: Socket): Promise<unknown> => {
  let text = '';
  for await (const piece of socket.iterator({ destroyOnReturn: false })) {
    text += String(piece);
    const [, length, body] = /^Content-Length: (\d+)\r\n\r\n(.*)$/s.exec(text) ?? [];
    if (body !== undefined && body.length >= Number(length)) return JSON.parse(body.slice(0, Number(length)));
  }
  return text === '' ? 'ended' : text;
};
const greeted = async (): Promise<Socket> => {
  const socket = await dial();
  socket.write(frame(request('hello', { token: shared().token('a') })));
  expect(await answer(socket)).toMatchObject({ result: { identity: { subject: 'a' } } });
  return socket;
};
const refusal = (message: string, code = 'unauthenticated') => ({
  jsonrpc: '2.0',
  id: 1,
  error: { code: -32_000, message, data: { code } },
});

describe('a connection', () => {
  it('says who it is before anything else', async () => {
    const socket = await dial();
    socket.write(frame(request('status', {})));
    expect(await answer(socket)).toEqual(refusal('the first call is hello, with a token'));
  });

  it.each([
    ['', 'the signer knows no such token'],
    ['0'.repeat(64), 'the signer knows no such token'],
  ])('with the token %j is ended', async (token, text) => {
    const socket = await dial();
    socket.write(frame(request('hello', { token })));
    expect(await answer(socket)).toEqual(refusal(text));
    expect(await answer(socket)).toBe('ended');
  });

  it('is not known by a token that nearly is one', async () => {
    const token = shared().token('a');
    for (const nearly of [token.slice(1), `${token}0`, token.toUpperCase(), `${token}\n`]) {
      const socket = await dial();
      socket.write(frame(request('hello', { token: nearly })));
      expect(await answer(socket)).toEqual(refusal('the signer knows no such token'));
    }
  });

  const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  it.each<[string, string | Buffer]>([
    ['a length that is no number', 'Content-Length: x\r\n\r\n{}'],
    ['a negative length', 'Content-Length: -5\r\n\r\n'],
    ['no length', 'Content-Length: 0\r\n\r\n'],
    ['a length beyond all bounds', 'Content-Length: 99999999\r\n\r\n'],
    ['a length just beyond the bound', `Content-Length: ${1024 * 1024 + 16 * 1024 + 1}\r\n\r\n`],
    ['two headers', 'Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}'],
    ['a header without end', 'x'.repeat(100)],
    ['another protocol', 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['no JSON', frame('{')],
    ['bytes that are no UTF-8', frame(Buffer.from([0x22, 0xff, 0x22]))],
    ['a name twice', frame('{"jsonrpc":"2.0","id":1,"id":2,"method":"status","params":{}}')],
    ['a name twice in args', frame('{"jsonrpc":"2.0","id":1,"method":"status","params":{"a":1,"a":2}}')],
    [
      'an integer that is not kept',
      frame('{"jsonrpc":"2.0","id":1,"method":"status","params":{"a":9007199254740993}}'),
    ],
    ['half a surrogate pair', frame('{"jsonrpc":"2.0","id":1,"method":"status","params":{"a":"\\ud800"}}')],
    ['what is nested beyond reading', frame(`{"jsonrpc":"2.0","id":1,"method":"status","params":${nested(200)}}`)],
    ['what is nested beyond every stack', frame('['.repeat(500_000))],
    ['a notification', frame('{"jsonrpc":"2.0","method":"status","params":{}}')],
    ['a cancellation', frame('{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}')],
    ['an answer', frame('{"jsonrpc":"2.0","id":1,"result":{}}')],
    ['a batch', frame(`[${request('status', {})}]`)],
    ['an id that is null', frame(request('status', {}, null))],
    ['params by position', frame('{"jsonrpc":"2.0","id":1,"method":"status","params":[]}')],
    ['no params', frame('{"jsonrpc":"2.0","id":1,"method":"status"}')],
  ])('is ended by %s, and no other is', async (_, bytes) => {
    const socket = await greeted();
    socket.write(bytes);
    expect(await answer(socket)).toBe('ended');
    expect((await (await shared().client('a')).status()).tenant).toBe('default');
  });

  it('lives on after a call that is refused', async () => {
    const socket = await greeted();
    socket.write(frame(request('decide', { run: 1 })));
    expect(await answer(socket)).toEqual(
      refusal('/run: Invalid input: expected string, received number', 'invalid_request'),
    );
    socket.write(frame(request('status', {})));
    expect(await answer(socket)).toMatchObject({ result: { tenant: 'default' } });
  });
});

describe('args', () => {
  it('of a mebibyte are decided, and longer ones refused before they are sent', async () => {
    const run = await shared().run();
    await run.decide('ls', { x: 'x'.repeat(1_000_000) });
    expect(await refusalOf(run.decide('ls', { x: 'x'.repeat(1 << 20) }))).toContain(
      'invalid_request: the request is longer than',
    );
  });

  it('keep members that programs trip over', async () => {
    const run = await shared().run();
    const args = JSON.parse('{"__proto__":{"admin":true},"constructor":1,"a/b~c":{"":[]}}');
    await run.decide('ls', args);
    const evidence = await run.evidence([1], { args: { 1: args } });
    expect(evidence.records[0]!.args).toBe(args);
    expect(await shared().claim(run, { type: 'reached_host', args: { host: 'x.example' }, evidence })).toEqual([
      'failed',
      'PCM_CLAIM_NOT_SAID',
    ]);
    const without = JSON.parse('{"constructor":1,"a/b~c":{"":[]}}');
    const other = await run.evidence([1], { args: { 1: without } });
    expect(await shared().claim(run, { type: 'reached_host', args: { host: 'x.example' }, evidence: other })).toEqual([
      'failed',
      'PCM_EVIDENCE_OPENING',
    ]);
  });
});

describe('the guard of frames', () => {
  const lengths = (guard: FrameGuard) => {
    const passed: number[] = [];
    let text = '';
    guard.on('data', (piece: Buffer) => {
      text += piece.toString('latin1');
      for (;;) {
        const [head, length] = /^Content-Length: (\d+)\r\n\r\n/.exec(text) ?? [];
        if (head === undefined || text.length < head.length + Number(length)) return;
        passed.push(Number(length));
        text = text.slice(head.length + Number(length));
      }
    });
    return passed;
  };
  const settled = () => new Promise((done) => setImmediate(done));

  it('passes every frame whole, however its bytes come', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 300 }), { maxLength: 12 }),
        fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 8 }),
        async (sizes, cuts) => {
          const guard = new FrameGuard();
          const passed = lengths(guard);
          const bytes = Buffer.concat(sizes.map((size) => frame('x'.repeat(size))));
          for (let at = 0, i = 0; at < bytes.length; i++) {
            const cut = cuts[i % cuts.length]!;
            guard.write(bytes.subarray(at, at + cut));
            at += cut;
          }
          await settled();
          expect(passed).toEqual(sizes);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('passes 16 that are not answered, and a long one alone', async () => {
    const guard = new FrameGuard();
    const passed = lengths(guard);
    for (let i = 0; i < 20; i++) guard.write(frame('small'));
    guard.write(frame('x'.repeat(100_000)));
    guard.write(frame('after'));
    await settled();
    expect(passed).toHaveLength(16);
    for (const [answered, open] of [
      [4, 20],
      [15, 20],
      [1, 21],
      [1, 22],
    ] as const) {
      for (let i = 0; i < answered; i++) guard.answered();
      await settled();
      expect(passed).toHaveLength(open);
    }
    expect(passed.at(-2)).toBe(100_000);
  });
});
