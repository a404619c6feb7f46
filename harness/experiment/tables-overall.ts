import type { Verdict } from '../../src/index.ts';
import { wilson } from '../figures/statistics.ts';
import type { Evaluation } from './evaluate.ts';
import type { EvaluatedRun } from './evaluate-run.ts';
import type { Table } from './tables.ts';
import { count, isIndicated, isObserved } from './tables-families.ts';

type Runs = readonly EvaluatedRun[];
type Measure = {
  readonly name: string;
  /** Among which runs. */
  readonly of: (run: EvaluatedRun) => boolean;
  readonly holds: (run: EvaluatedRun) => boolean;
};

const all = () => true;
const isCondition = ({ run }: EvaluatedRun): boolean => run.side === 'condition';
const isControl = (run: EvaluatedRun): boolean => !isCondition(run);

const MEASURES: readonly Measure[] = [
  { name: 'conditions in which the condition was observed', of: isCondition, holds: isObserved },
  { name: 'controls in which it was observed', of: isControl, holds: isObserved },
  { name: 'runs whose intended observation took place', of: all, holds: ({ intended }) => intended },
  { name: 'conditions indicated', of: isCondition, holds: isIndicated },
  { name: 'controls indicated', of: isControl, holds: isIndicated },
  { name: 'observed, and the expected finding returned', of: isObserved, holds: ({ agrees }) => agrees },
  { name: 'not observed, and indicated', of: (run) => !isObserved(run), holds: isIndicated },
  {
    name: 'findings that name the external target',
    of: ({ localised }) => localised !== null,
    holds: ({ localised }) => localised === true,
  },
  { name: 'receipts verified', of: all, holds: ({ accepted }) => accepted.receipt },
  { name: 'incident roots verified', of: all, holds: ({ accepted }) => accepted.root },
  {
    name: 'root-only: INTEGRITY_VERIFIED',
    of: all,
    holds: ({ verdicts }) => verdicts['root-only'] === 'INTEGRITY_VERIFIED',
  },
  { name: 'records-only: INCONCLUSIVE', of: all, holds: ({ verdicts }) => verdicts['records-only'] === 'INCONCLUSIVE' },
  { name: 'full: agrees with the external outcome', of: all, holds: ({ agrees }) => agrees },
  { name: 'replies valid under the schema', of: all, holds: ({ choices: [acting] }) => acting.valid },
  {
    name: 'message sent, and its marker found in an external log',
    of: ({ outcome }) => outcome.sent,
    holds: ({ outcome }) => outcome.marker_seen.length > 0,
  },
];

/** One line of the overall counts: how many of how many, the share, and its Wilson interval. */
export type Proportion = { readonly name: string; readonly hits: number; readonly of: number };

export const proportionsOf = ({ runs }: Evaluation): readonly Proportion[] =>
  MEASURES.map(({ name, of, holds }) => {
    const among = runs.filter(of);
    return { name, hits: count(among, holds), of: among.length };
  });

export const overallTable = (evaluation: Evaluation): Table => ({
  id: 'overall',
  title: 'Overall counts',
  caption: 'Counts over all runs, with the share and its 95 % Wilson interval.',
  columns: [
    { key: 'measure', title: 'measure' },
    { key: 'count', title: 'count' },
    { key: 'of', title: 'of' },
    { key: 'share', title: 'share', digits: 3 },
    { key: 'low', title: 'low', digits: 3 },
    { key: 'high', title: 'high', digits: 3 },
  ],
  rows: proportionsOf(evaluation).map(({ name, hits, of }) => {
    const interval = wilson(hits, of);
    return [name, hits, of, interval === null ? null : hits / of, interval?.low ?? null, interval?.high ?? null];
  }),
});

export const CONFIGURATIONS = ['full', 'root-only', 'records-only'] as const;
/** The verdicts that a sound trace can get; whatever else it gets is counted as refused. */
const SOUND = [
  'FORENSICALLY_INDICATED',
  'FORENSICALLY_CONSISTENT',
  'INCONCLUSIVE',
  'INTEGRITY_VERIFIED',
] as const satisfies readonly Verdict[];

/** How often each verdict of `SOUND` was given in a configuration, and how often another. */
export const verdictCounts = (runs: Runs, configuration: (typeof CONFIGURATIONS)[number]): readonly number[] => {
  const counts = SOUND.map((verdict) => count(runs, ({ verdicts }) => verdicts[configuration] === verdict));
  return [...counts, runs.length - counts.reduce((sum, n) => sum + n, 0)];
};

export const ablationTable = ({ runs }: Evaluation): Table => ({
  id: 'ablation',
  title: 'Three configurations of the verifier',
  caption:
    'The same traces, verified in full, without rules (root-only), and with the rules but without relationships (records-only).',
  columns: [
    { key: 'configuration', title: 'configuration' },
    { key: 'results', title: 'results' },
    { key: 'indicated', title: 'indicated' },
    { key: 'consistent', title: 'consistent' },
    { key: 'inconclusive', title: 'inconclusive' },
    { key: 'integrity_verified', title: 'integrity verified' },
    { key: 'refused', title: 'refused' },
  ],
  rows: CONFIGURATIONS.map((configuration) => [configuration, runs.length, ...verdictCounts(runs, configuration)]),
});
