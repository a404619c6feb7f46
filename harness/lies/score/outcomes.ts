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

/** The classes whose outcomes are not the same. */
export const differing = (one: Outcomes, other: Outcomes): readonly string[] =>
  NAMES.filter((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]));
