import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Capture } from '../../src/capture/index.ts';
import type { Records } from '../../src/evidence/bundle.ts';
import { capture, finish, folder } from './lab.ts';

const file = (name: string): string => readFileSync(new URL(`../cases/a2a/${name}`, import.meta.url), 'utf8');

let place: ReturnType<typeof folder>;
let running: Capture;
beforeEach(() => {
  place = folder();
  running = capture(place.path, { bodyLimit: 100_000 });
});
afterEach(() => place.remove());

/** Captures exchanges in which a peer answers so. */
const answered = async (
  exchanges: readonly { readonly body?: string; readonly response: string; readonly type: string }[],
): Promise<Records> => {
  for (const { body = '{"jsonrpc":"2.0","id":1,"method":"message/stream"}', response, type } of exchanges) {
    const fetch = async () => new Response(response, { headers: { 'content-type': type } });
    const send = running.fetch({ agent: 'a', binding: 'JSONRPC', fetch });
    await (await send('http://agent.test/', { method: 'POST', body })).text();
  }
  const { refusals, records } = finish(running);
  expect(refusals).toEqual([]);
  expect(records.trace_metadata[0]!.ended).toBe('complete');
  return records;
};

const stream = (response: string) => answered([{ response, type: 'text/event-stream' }]);

/** What the chain that ends at the last chunk puts together. */
const assembled = (records: Records): string => {
  const byId = new Map(records.artifacts.map((record) => [record.artifact_record_id, record]));
  let text = '';
  for (let at = records.artifacts.at(-1); at !== undefined; at = byId.get(at.appends_to ?? ''))
    text = (at.content?.text ?? '') + text;
  return text;
};

const update = (append: boolean, parts: readonly object[]): string =>
  `data: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result: { artifactUpdate: { taskId: 't', append, artifact: { artifactId: 'a', parts } } } })}\n\n`;

describe('reported streams', () => {
  test('A3: a stream cut in an event looks like a quiet end; it is told as cut', async () => {
    const records = await stream(file('A3-cut.sse'));
    expect(records.task_transitions.map(({ state }) => state)).toEqual(['submitted', 'working']);
    expect(records.exchanges).toMatchObject([
      { ended: 'aborted', event_count: 2, wire_issue: { event_count: 'unterminated' } },
    ]);
  });

  test('A5: deltas join, a script split over them is there; an empty list adds nothing', async () => {
    const records = await stream(file('A5-snapshot.sse'));
    expect(records.artifacts.at(-1)).toMatchObject({ part_index: null, content: null, last_chunk: true });
    expect(assembled(records)).toBe('<script>alert(1)</script>');
  });

  test('A5: a full copy with append false replaces', async () => {
    expect(assembled(await stream(file('A5-replace.sse')))).toBe('Hello!');
  });

  test('A1: response ids of any kind are kept as their tokens', async () => {
    const rows = file('A1-ids.tsv')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    const pairs = rows.map((row) => row.split('\t') as [string, string]);
    const idOf = (received: string): string => {
      const [, first, second] = /^(.*) AND DUPLICATE id (.*)$/.exec(received) ?? [];
      if (first !== undefined) return `"id":${first},"id":${second},`;
      return received === 'MISSING' ? '' : `"id":${received},`;
    };
    const records = await answered(
      pairs.map(([sent, received]) => ({
        body: `{"jsonrpc":"2.0","id":${sent},"method":"message/send"}`,
        response: `{${idOf(received)}"jsonrpc":"2.0","result":{}}`,
        type: 'application/json',
      })),
    );
    expect(records.exchanges.map(({ request_id }) => request_id)).toEqual(pairs.map(([sent]) => sent));
    expect(records.exchanges.map(({ response_id }) => response_id)).toEqual(
      pairs.map(([, received]) => (/MISSING|DUPLICATE/.test(received) ? null : received)),
    );
    expect(records.exchanges.at(-1)!.wire_issue).toEqual({ response_id: 'duplicate_name' });
  });

  test('A9: an event beyond the limit is cut and marked; later ones are recorded', async () => {
    const records = await stream(update(false, [{ text: 'x'.repeat(2_000_000) }]) + update(true, [{ text: 'end' }]));
    const [cut, later] = records.artifacts;
    expect(cut).toMatchObject({ wire_issue: { raw: 'truncated' }, content: null });
    expect(cut!.raw!.size).toBeGreaterThan(2_000_000);
    expect(later).toMatchObject({ content: { text: 'end' }, wire_event: 1 });
  });
});

describe('chunks of an artifact', () => {
  const chains = async (...updates: readonly string[]): Promise<(number | null)[]> => {
    const { artifacts } = await stream(updates.join(''));
    return artifacts.map(({ appends_to }) => {
      const at = artifacts.findIndex(({ artifact_record_id }) => artifact_record_id === appends_to);
      return at < 0 ? null : at;
    });
  };
  const text = { text: 'x' };

  test.each<[string, string[], (number | null)[]]>([
    [
      'several parts of one update go on one after the other',
      [update(false, [text]), update(true, [text, text])],
      [null, 0, 1],
    ],
    ['parts of the first are beside each other', [update(false, [text, text]), update(true, [text])], [null, null, 1]],
    [
      'kinds are apart, and a JSON value is one of its own',
      [update(false, [text, { raw: 'eA==' }]), update(true, [text, { raw: 'eA==' }, { data: 1 }])],
      [null, null, 0, 1, null],
    ],
    ['an append without a beginning begins', [update(true, [text]), update(true, [text])], [null, 0]],
    [
      'what cannot be read stays in the chain',
      [update(false, [text]), update(true, [{ text: 'x', raw: 'eA==' }]), update(true, [text]), update(true, [text])],
      [null, 0, 1, 2],
    ],
    [
      'a new beginning forgets',
      [update(false, [text]), update(true, [{ text: 'x', raw: 'eA==' }]), update(false, [text]), update(true, [text])],
      [null, 0, null, 2],
    ],
    [
      'an empty list goes on with what was last, and nothing goes on with it',
      [update(false, [text]), update(true, []), update(true, [text])],
      [null, 0, 0],
    ],
  ])('%s', async (_, updates, expected) => {
    expect(await chains(...updates)).toEqual(expected);
  });
});
