import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { CheckerInput } from '../../src/fleet/checker.ts';
import { openPool } from '../../src/fleet/pool.ts';
import { MAIN } from '../cli/run.ts';
import { fleetOf, outFile, resultsIn, verifyFolder } from './lab.ts';

/** A pool of threads that run what was built: to compile the sources in each would take long. */
const openWith =
  (worker: string) =>
  (jobs: number, by: CheckerInput): ReturnType<typeof openPool> =>
    openPool(jobs, by, worker);
const BUILT = join(MAIN, '../../fleet/worker.js');
const BAD = fileURLToPath(new URL('bad-worker.mjs', import.meta.url));

it('results are the same bytes for any number of threads', async () => {
  const folder = fleetOf(...Array.from({ length: 24 }, (_, at) => `pair-${at}`));
  const changed = join(folder, 'pair-7.bundle.json');
  writeFileSync(changed, readFileSync(changed, 'utf8').replace('Summarise', 'summarise'));
  rmSync(join(folder, 'pair-3.receipt.json'));
  const inOneThread = outFile();
  const summary = await verifyFolder(folder, { out: inOneThread });
  expect(summary).toMatchObject({ pairs: 24, exit_code: 4 });
  const inThree = outFile();
  expect(await verifyFolder(folder, { out: inThree, jobs: 3, open: openWith(BUILT) })).toEqual(summary);
  expect(readFileSync(inThree, 'utf8')).toBe(readFileSync(inOneThread, 'utf8'));
});

it('a bundle on which its worker ends or throws is a result, alone, however often; the pool goes on', async () => {
  const bad = new Map([
    [10, 'ends-10'],
    [11, 'ends-11'],
    [15, 'throws-15'],
  ]);
  const folder = fleetOf(...Array.from({ length: 20 }, (_, at) => bad.get(at) ?? `pair-${at}`));
  const out = outFile();
  const summary = await verifyFolder(folder, { out, open: openWith(BAD) });
  const failed = resultsIn(out).filter(({ reasons }) => reasons.includes('VERIFIER_FAILED'));
  expect(failed.map(({ bundle, detail }) => [bundle?.match(/(ends|throws)-\d+/)?.[0], detail])).toEqual([
    ['ends-10', 'worker exited with code: 7'],
    ['ends-11', 'worker exited with code: 7'],
    ['throws-15', 'a bug of the verifier'],
  ]);
  expect(summary.verdicts).toMatchObject({ FORENSICALLY_CONSISTENT: 17, COULD_NOT_CHECK: 3 });
});

it('threads that cannot be started are no result: the run fails', async () => {
  const open = openWith('/nowhere/worker.mjs');
  await expect(verifyFolder(fleetOf('a', 'b'), { open })).rejects.toThrow('/nowhere/worker.mjs');
});
