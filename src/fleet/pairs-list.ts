import { statSync } from 'node:fs';
import { EnvironmentFault } from '../store/fault.ts';
import { type Line, linesOf } from './lines.ts';
import { type Pair, type Pairs, pairOf } from './pair.ts';

const malformed = (list: string, number: number, why: string): Pair => ({
  bundle: null,
  receipt: null,
  profile: null,
  fault: { reason: 'LIST_LINE_MALFORMED', detail: `${list} line ${number}: ${why}` },
});

const given = (column: string | undefined): string | null => (column === undefined || column === '' ? null : column);

const pairOfLine = ({ text }: Line, list: string, number: number, profile: string | null): Pair => {
  if (text === null) return malformed(list, number, 'it is too long');
  const columns = text.replace(/\r$/, '').split('\t');
  const [bundle, receipt, own] = columns.map(given);
  if (columns.length < 2 || columns.length > 3 || (bundle === null && receipt === null)) {
    return malformed(list, number, 'bundle, receipt and profile are expected, separated by tabs');
  }
  const under = own ?? profile;
  if (under === null) return malformed(list, number, 'it names no profile, and --profile gives none');
  return pairOf(bundle ?? null, receipt ?? null, under);
};

/**
 * The pairs of a list: one a line, bundle, receipt and, unless it is that of all, profile, separated by tabs; paths are relative to the current
 * folder. Empty lines are none. Reads the list twice and never holds it. Throws EnvironmentFault when it is no readable file.
 */
export const pairsOfList = (list: string, profile: string | null): Pairs => {
  function* all(): Generator<Pair> {
    let number = 0;
    for (const line of linesOf(list)) {
      number++;
      if (line.text?.trim() !== '') yield pairOfLine(line, list, number, profile);
    }
  }
  try {
    if (!statSync(list).isFile()) throw new EnvironmentFault(`the list ${list} is not a regular file`);
    let count = 0;
    for (const _ of all()) count++;
    return { count, all };
  } catch (error) {
    throw error instanceof EnvironmentFault ? error : EnvironmentFault.of(error, `cannot read the list ${list}`);
  }
};
