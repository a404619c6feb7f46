import { MAX_DEPTH, MAX_ITEMS, MAX_STRING_BYTES, MAX_VALUES } from './bounds.ts';
import { isMemberName } from './grammar.ts';

/** What the strict reader is told of the texts it reads: what numbers and names may be, and its bounds. */
export type JsonModel<N> = {
  /** Takes a token of RFC 8259, and whether a digit follows it; returns what it stands for, or undefined when the model has no such number. */
  readonly number: (token: string, digitFollows: boolean) => N | undefined;
  /** What a refused number is not. */
  readonly numbers: string;
  readonly isName: (name: string) => boolean;
  /** Containers in containers, the outermost being 1: the reader recurses as deep. */
  readonly depth: number;
  /** Bytes of UTF-8 of one string. */
  readonly stringBytes: number;
  /** Records and edges over all lists of the root; values of the whole document. */
  readonly items: number;
  readonly values: number;
};

const INTEGER_LENGTH = 17;

/** The restricted model of committed documents (FORMAT.md section 1). */
export const RESTRICTED: JsonModel<number> = {
  number: (token, digitFollows) => {
    if (digitFollows || token.length > INTEGER_LENGTH) return undefined;
    const value = Number(token);
    return Number.isSafeInteger(value) && String(value) === token ? value : undefined;
  },
  numbers: 'an integer of the model in its one spelling',
  isName: isMemberName,
  depth: MAX_DEPTH,
  stringBytes: MAX_STRING_BYTES,
  items: MAX_ITEMS,
  values: MAX_VALUES,
};
