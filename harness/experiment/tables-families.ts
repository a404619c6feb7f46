import { FAMILIES } from '../../src/index.ts';
import { median, p95 } from '../figures/statistics.ts';
import type { Evaluation } from './evaluate.ts';
import type { EvaluatedRun } from './evaluate-run.ts';
import { Side } from './model.ts';
import type { Cell, Table } from './tables.ts';

type Runs = readonly EvaluatedRun[];

/** One row for each family, and one for all runs together. */
const perFamily = ({ runs }: Evaluation, cells: (runs: Runs) => readonly Cell[]): Table['rows'] => [
  ...FAMILIES.map((family) => [family, ...cells(runs.filter(({ run }) => run.family === family))]),
  ['all', ...cells(runs)],
];

export const count = <T>(items: readonly T[], holds: (item: T) => boolean): number => items.filter(holds).length;
export const isIndicated = ({ verdicts }: EvaluatedRun): boolean => verdicts.full === 'FORENSICALLY_INDICATED';
export const isObserved = ({ outcome }: EvaluatedRun): boolean => outcome.observed;

const whereAny = (values: readonly number[], of: (values: readonly number[]) => number): number | null =>
  values.length === 0 ? null : of(values);

export const correctnessTable = (evaluation: Evaluation): Table => ({
  id: 'correctness',
  title: 'Correctness per family',
  caption:
    'Of conditions and of matched controls: how many runs there were, in how many the condition was observed outside the trace, and for how many the full ' +
    'verifier returned FORENSICALLY_INDICATED. Agree: verdict and finding are what the external outcome calls for. Localised: the finding names the ' +
    'record that the independent key points to; scored in conditions that were observed.',
  columns: [
    { key: 'family', title: 'family' },
    { key: 'conditions', title: 'conditions' },
    { key: 'condition_observed', title: 'observed' },
    { key: 'condition_indicated', title: 'indicated' },
    { key: 'controls', title: 'controls' },
    { key: 'control_observed', title: 'observed' },
    { key: 'control_indicated', title: 'indicated' },
    { key: 'runs', title: 'runs' },
    { key: 'agree', title: 'agree' },
    { key: 'localisation_scored', title: 'scored' },
    { key: 'localised', title: 'localised' },
  ],
  rows: perFamily(evaluation, (runs) => {
    const ofSide = (side: Side) => runs.filter(({ run }) => run.side === side);
    const scored = runs.filter(({ localised }) => localised !== null);
    return [
      ...Side.options.map(ofSide).flatMap((side) => [side.length, count(side, isObserved), count(side, isIndicated)]),
      runs.length,
      count(runs, ({ agrees }) => agrees),
      scored.length,
      count(scored, ({ localised }) => localised === true),
    ];
  }),
});

export const sizeTable = (evaluation: Evaluation): Table => ({
  id: 'size',
  title: 'Trace size per family',
  caption: 'Records, edges and bytes of the bundle file of each intact trace: median, and largest.',
  columns: [
    { key: 'family', title: 'family' },
    { key: 'traces', title: 'traces' },
    { key: 'records_median', title: 'records', digits: 1 },
    { key: 'records_most', title: 'most' },
    { key: 'edges_median', title: 'edges', digits: 1 },
    { key: 'edges_most', title: 'most' },
    { key: 'bytes_median', title: 'bytes', digits: 0 },
    { key: 'bytes_most', title: 'most' },
  ],
  rows: perFamily(evaluation, (runs) => {
    const sizes = runs.flatMap(({ size }) => size ?? []);
    const summary = (['records', 'edges', 'bytes'] as const).flatMap((member) => {
      const values = sizes.map((size) => size[member]);
      return [whereAny(values, median), whereAny(values, (all) => Math.max(...all))];
    });
    return [sizes.length, ...summary];
  }),
});

export const latencyTable = (evaluation: Evaluation): Table => ({
  id: 'latency',
  title: 'Latency of the full verifier',
  caption:
    'One verification in memory of each preserved trace, after its files were loaded: median, and p95 by linear interpolation at rank 1 + 0.95(n-1).',
  columns: [
    { key: 'family', title: 'family' },
    { key: 'traces', title: 'traces' },
    { key: 'median_ms', title: 'median ms', digits: 2 },
    { key: 'p95_ms', title: 'p95 ms', digits: 2 },
  ],
  rows: perFamily(evaluation, (runs) => {
    const values = runs.map(({ latency }) => latency);
    return [values.length, whereAny(values, median), whereAny(values, p95)];
  }),
});
