/** The thread of a worker: reads trust store and profile once, and verifies batch after batch. */
import { workerData } from 'node:worker_threads';
import { type CheckerInput, checkerOf, type Task } from './checker.ts';

const check = checkerOf(workerData as CheckerInput);

export default (batch: readonly Task[]): readonly (string | null)[] => batch.map(check);
