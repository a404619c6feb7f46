import { workerData } from 'node:worker_threads';
import { type CheckerInput, checkerOf, type Task } from '../../src/fleet/checker.ts';

const check = checkerOf(workerData as CheckerInput);

/** A worker that a bundle can end, or make throw, or exhaust, by its name. */
export default (batch: readonly Task[]): readonly (string | null)[] =>
  batch.map((task) => {
    const name = task.pair.bundle ?? '';
    if (name.includes('ends')) process.exit(7);
    if (name.includes('throws')) throw new Error('a bug of the verifier');
    return check(task);
  });
