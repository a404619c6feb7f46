import { decodeUtf8 } from '../base/utf8.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
const opens = (byte: number): boolean => byte === 0x7b || byte === 0x5b;
const closes = (byte: number): boolean => byte === 0x7d || byte === 0x5d;

/** The offset after the string that starts at `from`. */
const stringEnd = (bytes: Uint8Array, from: number): number => {
  let at = from + 1;
  while (bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at + 1;
};

/**
 * Where the elements of the lists that stand in the root of a JSON document are: by the name of the list, start and end (exclusive) byte offset
 * of each in turn. The document must have been read before, for its syntax is not checked; how it is spaced does not matter.
 */
export const rowBounds = (bytes: Uint8Array): ReadonlyMap<string, readonly number[]> => {
  const lists = new Map<string, number[]>();
  let name = '';
  let list: number[] | null = null;
  let depth = 0;
  let start = -1;
  let end = -1;
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at]!;
    const next = byte === QUOTE ? stringEnd(bytes, at) : at + 1;
    if (depth === 1 && byte === QUOTE) name = JSON.parse(decodeUtf8(bytes.subarray(at, next))!) as string;
    if (closes(byte)) depth--;
    const ends = list !== null && ((depth === 2 && byte === COMMA) || (depth === 1 && closes(byte)));
    if (ends && start >= 0) list!.push(start, end);
    if (ends) start = -1;
    else if (list !== null && !isSpace(byte)) {
      if (start < 0) start = at;
      end = next;
    }
    if (depth === 1 && closes(byte)) list = null;
    if (depth === 1 && byte === 0x5b) {
      list = [];
      lists.set(name, list);
    }
    if (opens(byte)) depth++;
    at = next;
  }
  return lists;
};

/** Line and column, both from 1; a column counts UTF-16 code units, a line ends with a line feed. */
export type Position = { readonly line: number; readonly column: number };

/** The positions of byte offsets of a text, in one pass: a file may be one line, or nothing but lines. */
export const positionsOf = (bytes: Uint8Array, offsets: Iterable<number>): ReadonlyMap<number, Position> => {
  const positions = new Map<number, Position>();
  let [at, line, column] = [0, 1, 1];
  for (const offset of [...new Set(offsets)].sort((a, b) => a - b)) {
    for (; at < offset && at < bytes.length; at++) {
      const byte = bytes[at]!;
      if (byte === 0x0a) [line, column] = [line + 1, 1];
      // The bytes after the first of a sequence count nothing; a sequence of four is a surrogate pair.
      else if ((byte & 0xc0) !== 0x80) column += byte >= 0xf0 ? 2 : 1;
    }
    positions.set(offset, { line, column });
  }
  return positions;
};
