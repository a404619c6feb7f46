import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import type { CheckerInput, Task } from './checker.ts';
import { lineOf, uncheckedResult } from './unchecked.ts';

const FROM_SOURCE = import.meta.url.endsWith('.ts');
const WORKER = fileURLToPath(new URL(`worker.${FROM_SOURCE ? 'ts' : 'js'}`, import.meta.url));

export type Pool = {
  /** The lines of a batch, in its order; null where what is known still holds. A task on which its worker ends or throws has a line too. */
  readonly run: (batch: readonly Task[]) => Promise<readonly (string | null)[]>;
  readonly close: () => Promise<void>;
};

/** So many threads that verify; `worker` is the file that they run. Throws when they cannot. */
export const openPool = async (jobs: number, input: CheckerInput, worker = WORKER): Promise<Pool> => {
  const pool = new Piscina<readonly Task[], readonly (string | null)[]>({
    filename: worker,
    minThreads: jobs,
    maxThreads: jobs,
    workerData: input,
    recordTiming: false,
    ...(FROM_SOURCE ? { execArgv: ['--import', 'tsx'] } : {}),
  });
  let broken: Error | null = null;
  const breaking = new Promise<never>((_, fail) => {
    pool.on('error', (error: Error) => {
      broken = error;
      fail(error);
    });
  });
  breaking.catch(() => {});
  // What fails before there is any evidence is not the fault of evidence.
  await pool.run([]).catch(async (error: unknown) => {
    await pool.destroy();
    throw error;
  });

  /** A batch of which one task ends the worker is gone through one by one, so that this task alone is told. */
  const run = async (batch: readonly Task[]): Promise<readonly (string | null)[]> => {
    try {
      return await Promise.race([pool.run(batch), breaking]);
    } catch (error) {
      if (broken !== null) throw broken;
      if (batch.length === 1) return [failed(batch[0]!, error)];
      const lines: (string | null)[] = [];
      for (const task of batch) for (const line of await run([task])) lines.push(line);
      return lines;
    }
  };
  return { run, close: () => pool.destroy() };
};

const failed = ({ pair }: Task, error: unknown): string =>
  lineOf(uncheckedResult(pair, 'VERIFIER_FAILED', error instanceof Error ? error.message : String(error)));
