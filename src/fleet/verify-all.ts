import { availableParallelism } from 'node:os';
import { EnvironmentFault } from '../store/fault.ts';
import type { CheckerInput, Task } from './checker.ts';
import { batchesOf, inOrder } from './in-order.ts';
import type { Pairs } from './pair.ts';
import { pairsOfFiles } from './pairs-files.ts';
import { pairsOfList } from './pairs-list.ts';
import { openPool, type Pool } from './pool.ts';
import type { Result } from './result.ts';
import { ResultsFile } from './results-file.ts';
import { isSelected, type Selection } from './selection.ts';
import { type Summary, Tally } from './summary.ts';

/** Where evidence is: folders, patterns and files, and lists. */
export type Places = {
  readonly files: readonly string[];
  readonly lists: readonly string[];
  /** Folder of the receipts; absent: beside the bundles. */
  readonly receipts?: string;
};

export type FleetOptions = {
  readonly places: Places;
  readonly by: CheckerInput;
  /** How many threads verify; absent: as many as there are processors. */
  readonly jobs?: number;
  /** File for the results, `*.parquet` or NDJSON; absent: they are counted only. */
  readonly out?: string;
  readonly selection: Selection;
  readonly progress: (done: number, of: number) => void;
  /** What verifies, in place of our threads. */
  readonly open?: (jobs: number, by: CheckerInput) => Promise<Pool>;
};

const MAX_BATCH = 32;
/** Batches that are under way, or wait for an earlier one, for each thread. */
const AHEAD = 4;

const pairsOf = ({ files, lists, receipts }: Places, profile: string | null): Pairs => {
  const parts = [pairsOfFiles(files, profile, receipts), ...lists.map((list) => pairsOfList(list, profile))];
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  if (count === 0) {
    throw new EnvironmentFault('there is no evidence in what was named: zero evidence is never a pass', [
      'Expected are NAME.bundle.json and NAME.receipt.json; with --receipts DIR the latter are there',
    ]);
  }
  return {
    count,
    *all() {
      for (const part of parts) yield* part.all();
    },
  };
};

/**
 * Verifies every pair that the places hold, on several threads. Results are written, and counted, in the order of the pairs, whatever the threads do; one bad
 * pair is a result. Memory grows with the names of the files, not with results. Throws EnvironmentFault when a place, or the file for the results, cannot be used.
 */
export const verifyAll = async (options: FleetOptions): Promise<Summary> => {
  const { by, selection, progress, jobs = availableParallelism(), open = openPool } = options;
  const pairs = pairsOf(options.places, by.profile?.file ?? null);
  const results = options.out === undefined ? null : await ResultsFile.open(options.out);
  const size = Math.max(1, Math.min(MAX_BATCH, Math.floor(pairs.count / (AHEAD * jobs))));
  const pool = await open(Math.min(jobs, Math.ceil(pairs.count / size)), by);
  const tally = new Tally();
  let done = 0;

  function* tasks(): Generator<Task> {
    for (const pair of pairs.all()) yield { pair, known: results?.known?.keyOf(pair) ?? null };
  }
  /** Counts a result; gives its line where it is to be written. */
  const take = (task: Task, line: string | null): string => {
    const told = line ?? results!.known!.lineOf(task.pair);
    const result = JSON.parse(told) as Result;
    const wanted = isSelected(selection, result);
    tally.add(result, wanted, line === null);
    return wanted ? told : '';
  };

  try {
    for await (const [batch, lines] of inOrder(batchesOf(tasks(), size), AHEAD * jobs, pool.run)) {
      const told = batch.map((task, at) => take(task, lines[at]!));
      results?.write(told.join(''));
      done += batch.length;
      progress(done, pairs.count);
    }
  } catch (error) {
    results?.leave();
    throw error;
  } finally {
    await pool.close();
  }
  await results?.finish();
  return tally.summary();
};
