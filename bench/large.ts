import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from '../harness/figures/statistics.ts';
import { type Lab, writeFixture } from './fixture.ts';
import type { Mix } from './workload/bundle.ts';

/** A bundle that is verified where it stands, by a process that does nothing else. */
export type LargeRow = {
  readonly commitments: number;
  readonly bytes: number;
  /** Milliseconds from the opening of the file to the outcome, of each process. */
  readonly times: readonly number[];
  readonly median: number;
  /** The most memory that one of the processes had, Node's own included. */
  readonly peakMiB: number;
};
/** What `large-run` tells of its one verification. */
export type LargeRun = { readonly ms: number; readonly peakMiB: number };

const FROM_SOURCE = import.meta.url.endsWith('.ts');
const PROGRAM = fileURLToPath(new URL(`large-run.${FROM_SOURCE ? 'ts' : 'js'}`, import.meta.url));
const RUNS = 3;

const runOnce = async (folder: string, commitments: number): Promise<LargeRun> => {
  const child = fork(PROGRAM, [folder, String(commitments)], { execArgv: FROM_SOURCE ? ['--import', 'tsx'] : [] });
  let run: LargeRun | null = null;
  child.on('message', (message) => {
    run = message as LargeRun;
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (run === null) throw new Error(`the verification of ${commitments} commitments ended with ${code}`);
  return run;
};

/** Makes a bundle of so many commitments as a file, and has it verified by one process after another. Throws Error when one does not verify it. */
export const timeLarge = async (
  lab: Lab,
  commitments: number,
  { mix, seed }: { readonly mix: Mix; readonly seed: number },
): Promise<LargeRow> => {
  const folder = mkdtempSync(join(tmpdir(), 'forensictrace-bench-'));
  try {
    writeFixture(lab, commitments, mix, seed, folder);
    const runs: LargeRun[] = [];
    while (runs.length < RUNS) runs.push(await runOnce(folder, commitments));
    const times = runs.map(({ ms }) => ms);
    return {
      commitments,
      bytes: statSync(join(folder, 'bundle')).size,
      times,
      median: median(times),
      peakMiB: Math.max(...runs.map(({ peakMiB }) => peakMiB)),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
