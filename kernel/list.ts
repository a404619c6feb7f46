// The list of commitments of a receipt (FORMAT.md section 7): entries of S(list), and whether a stored list has them.
import { byteAt, same, spaceEnd } from './text';

const BRACE: u32 = 0x7d;
const HASH_BYTES: u32 = 32;

function digit(value: u32): u32 {
  return value < 10 ? 0x30 + value : 0x57 + value;
}

/** Writes two lower-case hex digits for each byte; returns the position after them. */
export function hex(from: u32, length: u32, out: u32): u32 {
  for (let at: u32 = 0; at < length; at++) {
    const byte = byteAt(from + at);
    store<u8>(out + 2 * at, digit(byte >> 4));
    store<u8>(out + 2 * at + 1, digit(byte & 15));
  }
  return out + 2 * length;
}

function put(from: u32, length: u32, out: u32): u32 {
  memory.copy(out, from, length);
  return out + length;
}

/**
 * Writes so many entries to `out`, and returns the position after them. Each is the beginning `start`, its digits, `between`, its id and `last`. Hashes stand one after
 * the other, ids too, where each ends in words at `ends`, counted from `ids`.
 */
export function entries(
  count: u32,
  start: u32,
  startLength: u32,
  hashes: u32,
  between: u32,
  betweenLength: u32,
  ids: u32,
  ends: u32,
  last: u32,
  lastLength: u32,
  out: u32,
): u32 {
  let to = out;
  let id = ids;
  for (let at: u32 = 0; at < count; at++) {
    const end = ids + load<u32>(ends + 4 * at);
    to = put(start, startLength, to);
    to = hex(hashes + HASH_BYTES * at, HASH_BYTES, to);
    to = put(between, betweenLength, to);
    to = put(id, end - id, to);
    to = put(last, lastLength, to);
    id = end;
  }
  return to;
}

/**
 * Takes entries as they were made, each after one mark, and where stored ones stand, white space free between them and a zero byte after them; returns the position
 * after the stored ones, or 0 where they are others.
 */
export function stands(made: u32, madeEnd: u32, stored: u32): u32 {
  let from = made;
  let at = stored;
  while (from < madeEnd) {
    at = spaceEnd(at);
    if (byteAt(at) !== byteAt(from)) return 0;
    at = spaceEnd(at + 1);
    from++;
    // Neither id nor digest holds a brace: each ends an entry.
    let end = from;
    while (byteAt(end++) !== BRACE) {}
    if (!same(at, from, end - from)) return 0;
    at += end - from;
    from = end;
  }
  return at;
}
