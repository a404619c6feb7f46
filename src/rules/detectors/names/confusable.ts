import {
  CASE_FOLDING,
  CONFUSABLES,
  DEFAULT_IGNORABLE,
  LETTERS_MARKS_DIGITS,
  UNICODE_VERSION,
} from './confusables.generated.ts';
import { mapper, membership } from './unicode-table.ts';

export { UNICODE_VERSION };

const toPrototypes = mapper(CONFUSABLES);
const isIgnorable = membership(DEFAULT_IGNORABLE);
const isLetterMarkOrDigit = membership(LETTERS_MARKS_DIGITS);

const keep = (value: string, kept: (point: number) => boolean): string => {
  let result = '';
  for (const character of value) if (kept(character.codePointAt(0)!)) result += character;
  return result;
};

/**
 * Full case folding (Unicode 3.13, statuses C and F: no Turkic exceptions), from the table rather than from the
 * engine, whose upper and lower case follow another Unicode version and, for Cherokee, another direction.
 * Takes and returns a string.
 */
export const foldCase = mapper(CASE_FOLDING);

/**
 * The skeleton of UTS #39 section 4: NFD, each character replaced by its prototype, NFD again.
 * Takes and returns a string.
 */
export const skeleton = (value: string): string => toPrototypes(value.normalize('NFD')).normalize('NFD');

/**
 * No step of a skeleton loses a code point, so a name of more than the other's skeleton has cannot have the same one. The
 * shorter name, which is the pinned one where the other is made to be costly, thus bounds the (quadratic) reordering of marks.
 */
const sameSkeleton = (a: string, b: string): boolean => {
  const [shorter, longer] = a.length <= b.length ? [a, b] : [b, a];
  const expected = skeleton(shorter);
  return longer.length <= 2 * expected.length && skeleton(longer) === expected;
};

/**
 * The letters, marks (general category L, M) and decimal digits (Nd) of a name; Default_Ignorable_Code_Point, which
 * holds every bidi control, and what UNICODE_VERSION does not assign are dropped.
 * Takes and returns a string.
 */
export const lettersMarksDigits = (name: string): string => keep(name, isLetterMarkOrDigit);

/**
 * Whether two names of agents pass for one another (RULES, AS): equal skeletons of their letters, marks and digits, or of
 * the case-folded forms of these. Names that hold none of them are confusable when all that can be seen of both is equal.
 * Takes two names; returns a boolean that depends on UNICODE_VERSION alone, not on the engine.
 */
export const confusableNames = (a: string, b: string): boolean => {
  const [left, right] = [lettersMarksDigits(a), lettersMarksDigits(b)];
  if (left === '' && right === '')
    return keep(a, (point) => !isIgnorable(point)) === keep(b, (point) => !isIgnorable(point));
  return sameSkeleton(left, right) || sameSkeleton(foldCase(left), foldCase(right));
};
