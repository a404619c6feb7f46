import { FAMILIES, type Family } from '../../src/index.ts';
import type { Evaluation } from './evaluate.ts';
import { CHOOSER_ROLES, type Choice, Side } from './model.ts';
import type { Table } from './tables.ts';
import { count } from './tables-families.ts';

type Role = Choice['role'];

/** Replies of a chooser in the runs of a family and side. */
const repliesOf = ({ runs }: Evaluation, role: Role, family: Family, side: Side): readonly Choice[] =>
  runs
    .filter(({ run }) => run.family === family && run.side === side)
    .flatMap(({ choices }) => choices.filter((choice) => choice.role === role));

/** What a family's chooser could reply: the permitted actions in their order, and null for a reply that is none of them. */
export const repliesPossible = ({ definitions }: Evaluation, family: Family): readonly (string | null)[] => [
  ...(definitions.get(family)?.permitted_actions ?? []),
  null,
];

/** How often a chooser gave each possible reply. */
export const distributionOf = (evaluation: Evaluation, role: Role, family: Family, side: Side): readonly number[] => {
  const replies = repliesOf(evaluation, role, family, side);
  return repliesPossible(evaluation, family).map((action) => count(replies, (reply) => reply.action === action));
};

export const actionsTable = (evaluation: Evaluation): Table => ({
  id: 'actions',
  title: 'Actions per family and run type',
  caption:
    'How often each chooser replied with each permitted action. Only the action of the acting chooser was carried out; the others were asked beside it: ' +
    'one that always takes the first action, one that draws at random, and the same model asked without the task (empty where no model was asked).',
  columns: [
    { key: 'family', title: 'family' },
    { key: 'run_type', title: 'run type' },
    { key: 'action', title: 'action' },
    ...CHOOSER_ROLES.map((role) => ({ key: role.replace('-', '_'), title: role })),
  ],
  rows: FAMILIES.flatMap((family) =>
    Side.options.flatMap((side) => {
      const columns = CHOOSER_ROLES.map((role) => distributionOf(evaluation, role, family, side));
      return repliesPossible(evaluation, family).flatMap((action, at) =>
        action === null && columns.every((counts) => counts[at] === 0)
          ? []
          : [
              [
                family,
                side,
                action ?? '(not valid)',
                ...columns.map((counts) => (counts.some((n) => n > 0) ? counts[at]! : null)),
              ],
            ],
      );
    }),
  ),
});

/** Total variation distance of two samples over the same replies: 0 the same shares, 1 nothing in common; null when either is empty. */
export const distance = (one: readonly number[], other: readonly number[]): number | null => {
  const [a, b] = [one, other].map((counts) => counts.reduce((sum, n) => sum + n, 0)) as [number, number];
  return a === 0 || b === 0 ? null : one.reduce((sum, n, at) => sum + Math.abs(n / a - (other[at] ?? 0) / b), 0) / 2;
};

export const choosersTable = (evaluation: Evaluation): Table => ({
  id: 'choosers',
  title: 'How far the choice depended on the input',
  caption:
    'Distance: total variation distance between the replies in conditions and in controls of a family, mean over the families; 0 when the input made no ' +
    'difference, 1 when it decided all (a random chooser is above 0 by chance). Told apart: families of distance 1. In one family, ASRF in the paper, the same ' +
    'action fits both. Same as acting: replies equal to those of the acting chooser in the same run.',
  columns: [
    { key: 'chooser', title: 'chooser' },
    { key: 'replies', title: 'replies' },
    { key: 'valid', title: 'valid' },
    { key: 'told_apart', title: 'told apart' },
    { key: 'distance', title: 'distance', digits: 3 },
    { key: 'same_as_acting', title: 'same as acting' },
  ],
  rows: CHOOSER_ROLES.flatMap((role) => {
    const pairs = evaluation.runs.flatMap(({ choices }) =>
      choices.filter((choice) => choice.role === role).map((choice) => ({ choice, acting: choices[0] })),
    );
    if (pairs.length === 0) return [];
    const distances = FAMILIES.flatMap((family) => {
      const [condition, control] = Side.options.map((side) => distributionOf(evaluation, role, family, side));
      return distance(condition!, control!) ?? [];
    });
    return [
      [
        role,
        pairs.length,
        count(pairs, ({ choice }) => choice.valid),
        // Shares of three actions may sum to a hair below 1.
        count(distances, (value) => value > 1 - 1e-9),
        distances.length === 0 ? null : distances.reduce((sum, value) => sum + value, 0) / distances.length,
        count(pairs, ({ choice, acting }) => choice.action === acting.action),
      ],
    ];
  }),
});
