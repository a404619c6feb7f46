import { expect, test, vi } from 'vitest';
import { CARD, cardOf, rpc, task, world } from './world.ts';

const ORIGIN = 'http://reviewer.example';

/** Tasks that an agent holds, each answered after so many milliseconds. */
const holds = (tasks: readonly (readonly [id: string, state: string, ms: number])[]) => {
  vi.useFakeTimers({ now: Date.UTC(2026, 0, 1), toFake: ['Date'] });
  try {
    const here = world();
    here.call({ url: `${ORIGIN}${CARD}` }, { body: cardOf('Reviewer', `${ORIGIN}/`) });
    for (const [id, state, ms] of tasks) {
      const begun = here.begin({ url: `${ORIGIN}/`, body: rpc('review') });
      vi.advanceTimersByTime(ms);
      begun.answer({ body: task(id, state) });
    }
    return here.judged();
  } finally {
    vi.useRealTimers();
  }
};
const held = (count: number, ms: (at: number) => number) =>
  holds(Array.from({ length: count }, (_, at) => [`t-${at}`, 'INPUT_REQUIRED', ms(at)] as const));

test('tasks that are held, while answers come later and later: a flood is indicated', () => {
  const judged = held(14, (at) => (at < 10 ? 20 : 6_000));
  expect(judged.status('HOTF')).toBe('INDICATED');
  const [first] = judged.records.task_load_snapshots;
  expect(first).toMatchObject({ agent: 'Reviewer', awaiting_input_count: 1, latency_us: 20_000, timeouts: 0 });
});

test('as many tasks without degradation are none', () => {
  const judged = held(14, () => 20);
  expect(judged.status('HOTF')).toBe('CONSISTENT');
  expect(judged.records.task_load_snapshots.at(-1)?.awaiting_input_count).toBe(14);
});

test('a task that is answered is held no more', () => {
  const { records } = holds([
    ['a', 'INPUT_REQUIRED', 5],
    ['b', 'AUTH_REQUIRED', 5],
    ['a', 'COMPLETED', 5],
    ['b', 'COMPLETED', 5],
  ]);
  expect(records.task_load_snapshots.map(({ awaiting_input_count }) => awaiting_input_count)).toEqual([1, 2, 1, 0]);
});

test('an agent that holds nothing has no snapshot', () => {
  expect(holds([['a', 'COMPLETED', 5]]).records.task_load_snapshots).toEqual([]);
});

test('hundreds of held tasks are sampled: edges from tasks to snapshots stay bounded', () => {
  const { records, status } = held(400, () => 1);
  expect(records.task_load_snapshots.length).toBeLessThan(210);
  expect(status('HOTF')).not.toBe('INDICATED');
});
