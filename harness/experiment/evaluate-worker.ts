/** The thread of a worker: judges one run of an experiment after the other. */
import { workerData } from 'node:worker_threads';
import { type JudgeInput, judgeOf } from './evaluate-judge.ts';

export default judgeOf(workerData as JudgeInput);
