/** What the command line uses of the benchmark. */
export { plotOf } from './plot.ts';
export { LARGEST, PAPER_REPEATS, PAPER_SIZES, runScaling } from './scaling.ts';
export { tableOf } from './table.ts';
export { BASE } from './workload/bundle.ts';
