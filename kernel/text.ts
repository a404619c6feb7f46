// Bytes of canonical JSON text (RFC 8785, restricted model of FORMAT.md section 1). A zero byte stands after what may be read: it ends every token.

const QUOTE: u32 = 0x22;
const BACKSLASH: u32 = 0x5c;
const MAX_STRING_BYTES: u32 = 16_777_216;
/** So many digits are an integer of the model whatever they are. */
const SAFE_DIGITS: u32 = 15;

export function byteAt(at: u32): u32 {
  return load<u8>(at);
}

/** Four bytes anywhere. */
export function wordAt(at: u32): u32 {
  return load<u32>(at, 0, 1);
}

/** Whether as many bytes stand alike at two places. */
export function same(one: u32, other: u32, length: u32): bool {
  let at: u32 = 0;
  for (; at + 4 <= length; at += 4) if (wordAt(one + at) !== wordAt(other + at)) return false;
  for (; at < length; at++) if (byteAt(one + at) !== byteAt(other + at)) return false;
  return true;
}

/** Takes where a code point above U+007F starts; returns the position after it, or 0 where it is ill-formed (Unicode table 3-7). */
export function sequenceEnd(at: u32): u32 {
  const lead = byteAt(at);
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const end = at + (lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4);
  const second = byteAt(at + 1);
  const low: u32 = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const high: u32 = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  if (second < low || second > high) return 0;
  for (let rest = at + 2; rest < end; rest++) if ((byteAt(rest) & 0xc0) !== 0x80) return 0;
  return end;
}

function isPlain(byte: u32): bool {
  return byte >= 0x20 && byte < 0x80 && byte !== QUOTE && byte !== BACKSLASH;
}

/** Where the characters end that stand for themselves in one byte each: four of them are tried at once. */
export function plainEnd(from: u32): u32 {
  let at = from;
  while (true) {
    const word = wordAt(at);
    const quote = (word ^ 0x22222222) - 0x01010101;
    const backslash = (word ^ 0x5c5c5c5c) - 0x01010101;
    // A byte that is below 0x20, a quote, a backslash, or not ASCII sets its highest bit in one of the four.
    if (((word | (word - 0x20202020) | quote | backslash) & 0x80808080) !== 0) break;
    at += 4;
  }
  while (isPlain(byteAt(at))) at++;
  return at;
}

/** The letter of what RFC 8785 section 3.2.2.2 escapes by one letter. */
function isShortEscape(letter: u32): bool {
  return (
    letter === QUOTE ||
    letter === BACKSLASH ||
    letter === 0x62 ||
    letter === 0x66 ||
    letter === 0x6e ||
    letter === 0x72 ||
    letter === 0x74
  );
}

/** A lower-case hex digit; 16 for anything else. */
function digitOf(byte: u32): u32 {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  return byte >= 0x61 && byte <= 0x66 ? byte - 0x57 : 16;
}

/** Takes the position after a backslash; returns that after the escape of a control which no letter stands for, or 0. */
function controlEnd(at: u32): u32 {
  if (wordAt(at) !== 0x30303075 && wordAt(at) !== 0x31303075) return 0;
  const low = digitOf(byteAt(at + 4));
  if (low > 15) return 0;
  const control = 16 * (byteAt(at + 3) - 0x30) + low;
  const hasLetter = control >= 0x08 && control <= 0x0d && control !== 0x0b;
  return hasLetter ? 0 : at + 5;
}

/** Takes the position of an opening quote; returns the position after the closing one, or 0. */
export function stringEnd(start: u32): u32 {
  let at = start + 1;
  while (true) {
    at = plainEnd(at);
    const byte = byteAt(at);
    if (byte === QUOTE) return at - start > MAX_STRING_BYTES ? 0 : at + 1;
    if (byte < 0x20) return 0;
    if (byte !== BACKSLASH) at = sequenceEnd(at);
    else at = isShortEscape(byteAt(at + 1)) ? at + 2 : controlEnd(at + 1);
    if (at === 0) return 0;
  }
}

/** Takes the position of a digit or a minus; returns the position after an integer of the model, or 0. */
export function integerEnd(start: u32): u32 {
  const first = byteAt(start) === 0x2d ? start + 1 : start;
  let end = first;
  while (byteAt(end) >= 0x30 && byteAt(end) <= 0x39) end++;
  const digits = end - first;
  if (digits === 0 || digits > SAFE_DIGITS) return 0;
  return byteAt(first) === 0x30 && (digits > 1 || first > start) ? 0 : end;
}

/** The integer that stands between two positions. */
export function integerOf(start: u32, end: u32): f64 {
  const isNegative = byteAt(start) === 0x2d;
  let value: f64 = 0;
  for (let at = isNegative ? start + 1 : start; at < end; at++) value = 10 * value + <f64>(byteAt(at) - 0x30);
  return isNegative ? -value : value;
}

function isOfName(byte: u32): bool {
  return (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x30 && byte <= 0x39) || byte === 0x5f;
}

/** The position after a quoted name of the grammar [a-z][a-z0-9_]*, or 0. */
export function memberNameEnd(start: u32): u32 {
  const first = byteAt(start + 1);
  if (byteAt(start) !== QUOTE || first < 0x61 || first > 0x7a) return 0;
  let at = start + 2;
  while (isOfName(byteAt(at))) at++;
  return byteAt(at) === QUOTE ? at + 1 : 0;
}

/** The position after a quoted name of ASCII without escapes, or 0. */
export function freeNameEnd(start: u32): u32 {
  if (byteAt(start) !== QUOTE) return 0;
  let at = start + 1;
  while (isPlain(byteAt(at)) && byteAt(at) !== 0x7f) at++;
  return byteAt(at) === QUOTE ? at + 1 : 0;
}

/** Whether one quoted name stands before another in the order of RFC 8785; equal names do not. The bytes of ASCII are its UTF-16 units. */
export function isInOrder(before: u32, name: u32): bool {
  let at: u32 = 1;
  while (byteAt(before + at) === byteAt(name + at) && byteAt(name + at) !== QUOTE) at++;
  const one = byteAt(before + at);
  const other = byteAt(name + at);
  // A name that ends is the shorter one: only one of two that differ can end here.
  if (one === QUOTE) return other !== QUOTE;
  return other !== QUOTE && one < other;
}

export function spaceEnd(from: u32): u32 {
  let at = from;
  while (true) {
    const byte = byteAt(at);
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return at;
    at++;
  }
}
