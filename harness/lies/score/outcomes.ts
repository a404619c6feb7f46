import { NAMES } from '../classes.ts';
import type { Row } from './run.ts';

/** Of each class: how many messages our verifier gave which verdict and reason class, and how many each receiver accepted. */
export type Outcomes = Readonly<
  Record<
    string,
    { readonly verdicts: Readonly<Record<string, number>>; readonly accepted: Readonly<Record<string, number>> }
  >
>;

const counted = (words: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const word of [...words].sort()) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
};

/** Takes the rows of a run; returns what came of each class. */
export const outcomesOf = (rows: readonly Row[]): Outcomes =>
  Object.fromEntries(
    NAMES.map((name) => {
      const of = rows.filter(({ id }) => id.startsWith(`${name}.`));
      const accepted = of.flatMap(({ decided }) =>
        Object.keys(decided).filter((receiver) => decided[receiver] === null),
      );
      return [
        name,
        {
          verdicts: counted(of.map(({ native }) => `${native.verdict}, ${native.class}`)),
          accepted: counted(accepted),
        },
      ];
    }),
  );

/** A count that is not the same of two datasets. */
export type Difference = {
  readonly class: string;
  /** A verdict with its reason class, or a receiver that accepted. */
  readonly of: string;
  readonly committed: number;
  readonly another: number;
};

/** What came of the classes of one dataset and not of another. */
export const differences = (committed: Outcomes, another: Outcomes): readonly Difference[] =>
  NAMES.flatMap((name) =>
    (['verdicts', 'accepted'] as const).flatMap((kind) => {
      const [one, other] = [committed[name]![kind], another[name]![kind]];
      return [...new Set([...Object.keys(one), ...Object.keys(other)])]
        .map((of) => ({ class: name, of, committed: one[of] ?? 0, another: other[of] ?? 0 }))
        .filter((counts) => counts.committed !== counts.another);
    }),
  );
