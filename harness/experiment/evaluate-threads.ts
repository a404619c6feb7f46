import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { type JudgeInput, judgeOf } from './evaluate-judge.ts';
import type { EvaluatedEvidence } from './evaluate-run.ts';
import type { CompleteRun } from './evaluate-schedule.ts';

const FROM_SOURCE = import.meta.url.endsWith('.ts');
const WORKER = fileURLToPath(new URL(`evaluate-worker.${FROM_SOURCE ? 'ts' : 'js'}`, import.meta.url));
/** Fewer runs are judged before threads have started. */
const WORTH_THREADS = 100;

/** Judges runs on all processors; returns what came of each, in their order. `step` is called as each is done. */
export const judgeAll = async (
  runs: readonly CompleteRun[],
  input: JudgeInput,
  step: (runId: string) => void,
): Promise<readonly EvaluatedEvidence[]> => {
  if (runs.length < WORTH_THREADS) {
    const judge = judgeOf(input);
    return runs.map((complete) => {
      step(complete.run.run_id);
      return judge(complete);
    });
  }
  const pool = new Piscina<CompleteRun, EvaluatedEvidence>({
    filename: WORKER,
    workerData: input,
    recordTiming: false,
    ...(FROM_SOURCE ? { execArgv: ['--import', 'tsx'] } : {}),
  });
  try {
    return await Promise.all(
      runs.map(async (complete) => {
        const judged = await pool.run(complete);
        step(complete.run.run_id);
        return judged;
      }),
    );
  } finally {
    await pool.destroy();
  }
};
