import { expect, test } from 'vitest';
import type { Records } from '../../src/evidence/bundle.ts';
import { COLLECTIONS } from '../../src/evidence/collections.ts';
import { openLab } from './support.ts';

const PLACES = ['main', 'process', 'thread-1', 'thread-2'];
const ROUNDS = 4;

const sent = PLACES.flatMap((from) =>
  PLACES.filter((to) => to !== from).flatMap((to) =>
    Array.from({ length: ROUNDS }, (_, round) => `${from}-${to}-${round}`),
  ),
);

/** The places of one message in the runtime order: as its client and its server saw it begin, and each the answer. */
const placesOf = (records: Records, messageId: string): readonly number[] => {
  const views = records.exchanges.filter(({ request_body }) =>
    request_body?.text.includes(`"messageId":"${messageId}"`),
  );
  const of = (side: string): readonly number[] => {
    const own = views.filter(({ attributes }) => attributes?.side === side);
    const answers = own.flatMap(({ exchange_id }) =>
      records.artifacts.filter((artifact) => artifact.exchange_id === exchange_id),
    );
    expect([own.length, answers.length], `${messageId}, ${side}`).toEqual([1, 1]);
    return [own[0]!.sequence, answers[0]!.sequence];
  };
  const [asked, got] = of('client');
  const [served, answered] = of('server');
  return [asked!, served!, answered!, got!];
};

test('two processes and two threads give one bundle, in which cause goes before effect', async () => {
  const lab = await openLab();
  const { code, stdout, stderr, records } = await lab.capture('order', ['node', 'tests/hook/programs/order.mjs']);
  expect([code, stdout], stderr).toEqual([0, 'order passed\n']);
  expect(records.trace_metadata).toMatchObject([{ ended: 'complete', gaps: [] }]);
  expect(records.exchanges.length).toBe(2 * sent.length);
  for (const messageId of sent) {
    const places = placesOf(records, messageId);
    expect(places, messageId).toEqual([...places].sort((a, b) => a - b));
  }
  const processes = new Set(records.exchanges.map(({ attributes }) => attributes?.process));
  expect(processes.size).toBe(2);
  const sequences = COLLECTIONS.flatMap((name) => records[name].map(({ sequence }) => sequence));
  expect(new Set(sequences).size).toBe(sequences.length);
});
