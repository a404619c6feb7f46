import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { PeerName } from '../../bench/peer.ts';
import type { Mix } from '../../bench/workload/bundle.ts';
import { EnvironmentFault } from '../store/fault.ts';
import { EXIT, UsageFault } from './exit.ts';
import { emit, json } from './output.ts';
import { progressOn } from './progress.ts';

export type BenchOptions = {
  readonly sizes?: string;
  readonly mix: Mix;
  readonly peer?: PeerName;
  readonly json?: boolean;
  readonly out?: string;
};

/** The same bundles and the same order at every run. */
const SEED = 7;

/** `forensictrace bench scaling`: returns 0 once every timed verification was the whole of one. */
export const runBenchScaling = async (options: BenchOptions): Promise<number> => {
  const { BASE, LARGEST, PAPER_REPEATS, PAPER_SIZES, plotOf, runScaling, tableOf } = await import(
    '../../bench/index.ts'
  );
  const sizesOf = (list: string): readonly number[] => {
    const sizes = list.split(',').map((size) => (/^[0-9]{1,7}$/.test(size) ? Number(size) : 0));
    const isGood = sizes.every((size) => size >= BASE && size <= LARGEST) && new Set(sizes).size === sizes.length;
    if (!isGood) throw new UsageFault(`--sizes ${list} are not different numbers from ${BASE} to ${LARGEST}`);
    return sizes;
  };
  const sizes = options.sizes === undefined ? PAPER_SIZES : sizesOf(options.sizes);
  const progress = progressOn(process.stderr);
  const plan = { sizes, mix: options.mix, seed: SEED, peer: options.peer ?? null, repeats: PAPER_REPEATS };
  const scaling = await runScaling(plan, progress.step);
  progress.end();
  emit(options.json ? json(scaling) : tableOf(scaling));
  if (options.out === undefined) return EXIT.CONSISTENT;
  makeFolder(options.out);
  emit(json(scaling), join(options.out, 'scaling.json'));
  emit(tableOf(scaling), join(options.out, 'scaling.txt'));
  if (scaling.rows.length > 0) emit(plotOf(scaling), join(options.out, 'scaling.svg'));
  return EXIT.CONSISTENT;
};

const makeFolder = (folder: string): void => {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw EnvironmentFault.of(error, `cannot use the folder ${folder}`);
  }
};
