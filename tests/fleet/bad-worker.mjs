import { workerData } from 'node:worker_threads';
import { checkerOf } from '../../dist/src/fleet/checker.js';

const check = checkerOf(workerData);

/** A worker that a bundle can end, make throw, or exhaust, by its name. */
export default (batch) =>
  batch.map((task) => {
    if (task.pair.bundle.includes('ends')) process.exit(7);
    if (task.pair.bundle.includes('throws')) throw new Error('a bug of the verifier');
    return check(task);
  });
