import fc from 'fast-check';
import { expect, test } from 'vitest';
import { incidentOf, markerOf, Schedule, Side } from '../../../harness/experiment/model.ts';
import { SeededRandom } from '../../../harness/experiment/random.ts';
import { makeSchedule } from '../../../harness/experiment/schedule.ts';
import { FAMILIES } from '../../../src/index.ts';

const cell = ({ family, side, repetition }: Schedule['runs'][number]): string => `${family} ${side} ${repetition}`;

test.each([
  ['pilot', 2, 24],
  ['run', 20, 240],
] as const)('a %s has each family and side %i times: %i runs', (kind, repetitions, count) => {
  const { runs } = Schedule.parse(makeSchedule(kind, 'any'));
  expect(runs).toHaveLength(count);
  const expected = FAMILIES.flatMap((family) =>
    Side.options.flatMap((side) => Array.from({ length: repetitions }, (_, n) => `${family} ${side} ${n}`)),
  );
  expect(runs.map(cell).sort()).toEqual(expected.sort());
  expect(runs.map(({ order }) => order)).toEqual(runs.map((_, at) => at));
});

test('the order follows from the seed, and another seed gives another order and other ids', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      const [one, same, other] = [makeSchedule('pilot', a), makeSchedule('pilot', a), makeSchedule('pilot', b)];
      expect(same).toEqual(one);
      if (a === b) return;
      expect(other.runs.map(cell)).not.toEqual(one.runs.map(cell));
      const ids = [...one.runs, ...other.runs].map(({ run_id }) => run_id);
      expect(new Set(ids).size).toBe(48);
    }),
  );
});

test('an id tells nothing of its run: at the same place of the same seed it is the same, whatever is run there', () => {
  const ids = (repetitions: number) => makeSchedule('run', 'seed', repetitions).runs.map(({ run_id }) => run_id);
  expect(ids(3).slice(0, 12)).toEqual(ids(1));
  const [run] = makeSchedule('pilot', 'seed').runs;
  expect(incidentOf(run!.run_id)).toMatch(/^inc-[0-9a-f]{16}$/);
  expect(markerOf(run!.run_id)).toMatch(/^mark-[0-9a-f]{16}$/);
  expect(incidentOf(run!.run_id).slice(4)).not.toBe(markerOf(run!.run_id).slice(5));
});

test('the runs of the first place are of every family, over many seeds', () => {
  const first = Array.from({ length: 120 }, (_, n) => makeSchedule('pilot', `seed ${n}`, 1).runs[0]!);
  expect(new Set(first.map(({ family, side }) => `${family} ${side}`)).size).toBe(12);
});

test('shuffling keeps what is shuffled, and numbers stay below their bound', () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.integer(), { maxLength: 40 }), (seed, items) => {
      const sorted = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b);
      expect(sorted(new SeededRandom(seed).shuffled(items))).toEqual(sorted(items));
      const random = new SeededRandom(seed);
      const bound = items.length + 1;
      for (let n = 0; n < 20; n++) expect(random.below(bound)).toBeLessThan(bound);
    }),
  );
});
