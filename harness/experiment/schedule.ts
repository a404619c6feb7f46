import { FAMILIES } from '../../src/index.ts';
import { type Schedule, Side } from './model.ts';
import { SeededRandom } from './random.ts';

/** Repetitions of each family and side: 6 × 2 × 2 = 24 runs of a pilot, 6 × 2 × 20 = 240 of an experiment. */
const REPETITIONS = { pilot: 2, run: 20 } as const;

/**
 * The runs of an experiment in an order that follows from the seed. A run id follows from seed and place alone, so that it tells nothing of what
 * is run there.
 */
export const makeSchedule = (
  kind: Schedule['kind'],
  seed: string,
  repetitions: number = REPETITIONS[kind],
): Schedule => {
  const random = new SeededRandom(`order ${seed}`);
  const ids = new SeededRandom(`ids ${seed}`);
  const all = FAMILIES.flatMap((family) =>
    Side.options.flatMap((side) =>
      Array.from({ length: repetitions }, (_, repetition) => ({ family, side, repetition })),
    ),
  );
  const runs = random.shuffled(all).map((run, order) => ({ run_id: `run-${ids.hex()}`, order, ...run }));
  return { format: 'a2aft.experiment-schedule.v1', kind, seed, repetitions, runs };
};
