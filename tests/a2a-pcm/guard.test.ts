import express from 'express';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createPcmGuard } from '../../src/a2a-pcm/guard.ts';
import { pcmFilePart, pcmPart } from '../../src/a2a-pcm/part.ts';
import { listen } from '../capture/lab.ts';
import { clientOf, fresh, type Guarded, guarded, receiverB, requestOf, textOf, type Wire } from './lab.ts';

let server: Guarded;
beforeAll(async () => {
  server = await guarded();
});
afterAll(() => server.close());

const WIRES: readonly Wire[] = ['JSONRPC 1.0', 'HTTP+JSON 1.0', 'JSONRPC 0.3', 'HTTP+JSON 0.3'];
/** Runs of the executor that a piece of work caused. */
const runs = async (work: () => Promise<unknown>) => {
  const before = server.ran.length;
  const result = await work();
  return { result, ran: server.ran.slice(before) };
};
const send = async (wire: Wire, ...parts: Parameters<typeof requestOf>) =>
  (await clientOf(server, wire)).sendMessage(requestOf(...parts));

describe.each(WIRES)('over %s, between client and server of the SDK', (wire) => {
  it('gives the executor the message as it was verified', async () => {
    const message = fresh();
    const { ran } = await runs(() => send(wire, pcmFilePart(textOf(message))));
    expect(ran).toMatchObject([[{ message, outcome: { verdict: 'accept', skipped: [] } }]]);
  });

  it('refuses a message that came before, and the executor does not run', async () => {
    const part = pcmFilePart(textOf(fresh()));
    await send(wire, part);
    const { ran } = await runs(() =>
      expect(send(wire, part)).rejects.toThrow(
        /PCM message refused \(reject\): this message was already received \(PCM_REPLAY_SEEN\)/,
      ),
    );
    expect(ran).toEqual([]);
  });

  it('lets through what carries no message, and the executor has none to act on', async () => {
    const plain = {
      content: { $case: 'text' as const, value: textOf(fresh()) },
      mediaType: 'text/plain',
      filename: '',
    };
    const { ran } = await runs(() => send(wire, { ...plain, metadata: undefined }));
    expect(ran).toEqual([[]]);
  });
});

it.each<Wire>(['JSONRPC 1.0', 'HTTP+JSON 1.0', 'JSONRPC 0.3'])('a text part passes over %s', async (wire) => {
  const { ran } = await runs(() => send(wire, pcmPart(textOf(fresh()))));
  expect(ran).toMatchObject([[{ outcome: { verdict: 'accept' } }]]);
});

it('guards a stream as it guards a call', async () => {
  const client = await clientOf(server, 'JSONRPC 1.0');
  const part = pcmPart(textOf(fresh()));
  const drain = async () => {
    let events = 0;
    for await (const _ of client.sendMessageStream(requestOf(part))) events++;
    return events;
  };
  expect(await runs(drain)).toMatchObject({ result: 1, ran: [[{ outcome: { verdict: 'accept' } }]] });
  await expect(drain()).rejects.toThrow(/PCM_REPLAY_SEEN/);
});

describe('several messages in one request', () => {
  it('are all given to the executor, in the order of their parts', async () => {
    const [one, two] = [fresh(), fresh()];
    const { ran } = await runs(() => send('JSONRPC 1.0', pcmPart(textOf(one)), pcmFilePart(textOf(two))));
    expect(ran[0]!.map(({ message }) => message.nonce)).toEqual([one.nonce, two.nonce]);
  });

  it('are all refused for one that is', async () => {
    const [good, other] = [fresh(), fresh({ to: { agent: 'uid:3' } })];
    const { ran } = await runs(() =>
      expect(send('JSONRPC 1.0', pcmPart(textOf(good)), pcmPart(textOf(other)))).rejects.toThrow(
        /addressed to uid:3, not uid:2 \(PCM_REPLAY_RECIPIENT\)/,
      ),
    );
    expect(ran).toEqual([]);
  });

  it('are refused when there are too many, before one is verified', async () => {
    const [first, ...rest] = Array.from({ length: 17 }, () => pcmPart(textOf(fresh())));
    await expect(send('JSONRPC 1.0', first!, ...rest)).rejects.toThrow(/PCM_A2A_PARTS/);
    expect((await runs(() => send('JSONRPC 1.0', first!))).ran).toHaveLength(1);
  });
});

it('an executor that no guard stands before is told so', async () => {
  const told = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const client = await clientOf(server, 'JSONRPC 1.0', '/bare');
  const answer = await client.sendMessage(requestOf(pcmPart(textOf(fresh()))));
  expect(JSON.stringify(answer)).toContain('no guard stands before this call');
  expect(told).toHaveBeenCalledOnce();
  told.mockRestore();
});

it('hands the fault of a shared state to the application, and the executor does not run', async () => {
  const down = await guarded(
    receiverB({}, undefined, { replay: { offer: () => Promise.reject(new Error('the shared state is down')) } }),
  );
  const faults: unknown[] = [];
  down.app.use((error: unknown, _q: unknown, response: { status(code: number): { end(): void } }, _n: unknown) => {
    faults.push(error);
    response.status(503).end();
  });
  const client = await clientOf(down, 'JSONRPC 1.0');
  await expect(client.sendMessage(requestOf(pcmPart(textOf(fresh()))))).rejects.toThrow(/503/);
  expect([faults, down.ran]).toMatchObject([[{ message: 'the shared state is down' }], []]);
  await down.close();
});

it('is told of a parser that stands before it, which it cannot see through', async () => {
  const faults: string[] = [];
  const guard = createPcmGuard(receiverB());
  const app = express();
  app.use(express.json(), guard.before('JSONRPC'), () => faults.push('passed'));
  app.use((error: Error, _request: unknown, response: express.Response, _next: unknown) => {
    faults.push(error.message);
    response.status(500).end();
  });
  const parsed = await listen((outer) => outer.use(app));
  const headers = { 'content-type': 'application/json' };
  expect((await fetch(parsed.origin, { method: 'POST', headers, body: '{}' })).status).toBe(500);
  expect(faults).toEqual(['another parser stands before the guard of PCM']);
  await parsed.close();
});
