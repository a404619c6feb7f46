import { FAMILIES } from '../../src/index.ts';
import { intervals, shares, strips } from '../figures/charts.ts';
import type { Markup } from '../figures/markup.ts';
import { wilson } from '../figures/statistics.ts';
import type { Evaluation } from './evaluate.ts';
import { Side } from './model.ts';
import { distributionOf, repliesPossible } from './tables-actions.ts';
import { CONFIGURATIONS, proportionsOf, verdictCounts } from './tables-overall.ts';

const VERDICTS = ['indicated', 'consistent', 'inconclusive', 'integrity verified', 'refused'] as const;

const latencyPlot = ({ runs }: Evaluation): Markup | null =>
  strips(
    {
      title: 'Latency of the full verifier',
      describe: 'One dot a trace, in milliseconds on a logarithmic axis; solid line: median, broken line: p95.',
    },
    'ms',
    [...FAMILIES, 'all'].map((name) => ({
      name,
      values: runs.filter(({ run }) => name === 'all' || run.family === name).map(({ latency }) => latency),
    })),
  );

const overallPlot = (evaluation: Evaluation): Markup | null =>
  intervals(
    {
      title: 'Overall shares',
      describe: 'Each share of the overall counts as a dot, its 95 % Wilson interval as a bar.',
    },
    proportionsOf(evaluation).flatMap(({ name, hits, of }) => {
      const interval = wilson(hits, of);
      return interval === null ? [] : [{ name: `${name}: ${hits}/${of}`, share: hits / of, ...interval }];
    }),
  );

const ablationPlot = ({ runs }: Evaluation): Markup | null =>
  shares(
    { title: 'Three configurations of the verifier', describe: 'How the results of each configuration divide.' },
    CONFIGURATIONS.map((configuration) => {
      const counts = verdictCounts(runs, configuration);
      return { name: configuration, parts: VERDICTS.map((name, colour) => ({ name, count: counts[colour]!, colour })) };
    }),
  );

const actionsPlot = (evaluation: Evaluation): Markup | null =>
  shares(
    {
      title: 'Actions of the acting chooser',
      describe: 'How its replies divide among the permitted actions, for conditions and controls of each family.',
    },
    FAMILIES.flatMap((family) =>
      Side.options.map((side) => {
        const counts = distributionOf(evaluation, 'acting', family, side);
        const parts = repliesPossible(evaluation, family).map((action, colour) => ({
          name: action ?? '(not valid)',
          count: counts[colour]!,
          colour,
        }));
        return { name: `${family} ${side}`, parts };
      }),
    ),
  );

/** The plot that goes with a table, by the table's id; a table without an entry has none. */
export const PLOTS: Readonly<Record<string, (evaluation: Evaluation) => Markup | null>> = {
  latency: latencyPlot,
  overall: overallPlot,
  ablation: ablationPlot,
  actions: actionsPlot,
};
