// Where the values of somebody else's JSON text stand (RFC 8259): nodes in the order of the text, of an object each name before its value. A zero byte stands after the
// text. Of each node three words: where it starts, where it ends, and the number of the node after it and all that is in it.
import { byteAt, same, spaceEnd } from './text';

const MAX_DEPTH: u32 = 512;
const QUOTE: u32 = 0x22;
const NODE_BYTES: u32 = 12;
const ABSENT: i32 = -1;
const UNCLEAR: i32 = -2;

let nodes: u32 = 0;
let count: u32 = 0;
let room: u32 = 0;

/**
 * Takes a text, and room for so many nodes at `out`; returns 1 when the text is one object without an escape in a name, 0 when it is not, and 2 when it has more
 * nodes.
 */
export function tape(start: u32, end: u32, out: u32, most: u32): u32 {
  nodes = out;
  count = 0;
  room = most;
  const from = spaceEnd(start);
  const after = byteAt(from) === 0x7b ? value(from, 1) : 0;
  if (count > room) return 2;
  return after !== 0 && spaceEnd(after) === end ? 1 : 0;
}

/** Takes the node of an object; returns that of the value of a member, ABSENT where there is none or no object but null, UNCLEAR where there are two, or something else. */
export function member(node: u32, name: u32, length: u32): i32 {
  const mark = byteAt(startOf(node));
  if (mark !== 0x7b) return mark === 0x6e ? ABSENT : UNCLEAR;
  const after = load<u32>(nodes + NODE_BYTES * node + 8);
  let found = ABSENT;
  for (let at = node + 1; at < after; at = load<u32>(nodes + NODE_BYTES * (at + 1) + 8)) {
    const start = startOf(at) + 1;
    const end = load<u32>(nodes + NODE_BYTES * at + 4) - 1;
    if (end - start !== length || !same(start, name, length)) continue;
    if (found !== ABSENT) return UNCLEAR;
    found = at + 1;
  }
  return found;
}

function startOf(node: u32): u32 {
  return load<u32>(nodes + NODE_BYTES * node);
}

/** Begins a node; one that there is no room for ends the reading. */
function push(start: u32): u32 {
  const node = count++;
  if (node < room) store<u32>(nodes + NODE_BYTES * node, start);
  return node;
}

/** Returns `end`, or 0 where there is no room for the node. */
function close(node: u32, end: u32): u32 {
  if (node >= room) return 0;
  store<u32>(nodes + NODE_BYTES * node + 4, end);
  store<u32>(nodes + NODE_BYTES * node + 8, count);
  return end;
}

/** Takes where a value starts; returns the position after it, or 0. */
function value(start: u32, depth: u32): u32 {
  const node = push(start);
  const byte = byteAt(start);
  let end: u32;
  if (byte === QUOTE) end = string(start);
  else if (byte === 0x7b || byte === 0x5b) end = depth > MAX_DEPTH || node >= room ? 0 : container(start, depth);
  else end = byte === 0x2d || isDigit(byte) ? number(start) : literal(start);
  return close(node, end);
}

function container(start: u32, depth: u32): u32 {
  const isObject = byteAt(start) === 0x7b;
  const last: u32 = isObject ? 0x7d : 0x5d;
  let at = spaceEnd(start + 1);
  if (byteAt(at) === last) return at + 1;
  while (true) {
    if (isObject) {
      at = name(at);
      if (at === 0) return 0;
    }
    at = value(at, depth + 1);
    if (at === 0) return 0;
    at = spaceEnd(at);
    const mark = byteAt(at);
    if (mark === last) return at + 1;
    if (mark !== 0x2c) return 0;
    at = spaceEnd(at + 1);
  }
}

/** Takes where a name starts; returns where its value does, or 0. */
function name(start: u32): u32 {
  if (byteAt(start) !== QUOTE) return 0;
  let at = start + 1;
  while (byteAt(at) >= 0x20 && byteAt(at) !== QUOTE && byteAt(at) !== 0x5c) at++;
  if (byteAt(at) !== QUOTE) return 0;
  at = close(push(start), at + 1);
  if (at === 0) return 0;
  at = spaceEnd(at);
  return byteAt(at) === 0x3a ? spaceEnd(at + 1) : 0;
}

function isDigit(byte: u32): bool {
  return byte >= 0x30 && byte <= 0x39;
}

function isHexDigit(byte: u32): bool {
  return isDigit(byte) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);
}

function isLetterEscape(letter: u32): bool {
  switch (letter) {
    case 0x22:
    case 0x5c:
    case 0x2f:
    case 0x62:
    case 0x66:
    case 0x6e:
    case 0x72:
    case 0x74:
      return true;
    default:
      return false;
  }
}

/** The text is UTF-8 already. */
function string(start: u32): u32 {
  let at = start + 1;
  while (true) {
    const byte = byteAt(at);
    if (byte === QUOTE) return at + 1;
    if (byte < 0x20) return 0;
    if (byte !== 0x5c) at++;
    else if (isLetterEscape(byteAt(at + 1))) at += 2;
    else {
      if (byteAt(at + 1) !== 0x75) return 0;
      for (let digit = at + 2; digit < at + 6; digit++) if (!isHexDigit(byteAt(digit))) return 0;
      at += 6;
    }
  }
}

function digitsEnd(from: u32): u32 {
  let at = from;
  while (isDigit(byteAt(at))) at++;
  return at;
}

function number(start: u32): u32 {
  const integer = byteAt(start) === 0x2d ? start + 1 : start;
  let at = byteAt(integer) === 0x30 ? integer + 1 : digitsEnd(integer);
  if (at === integer) return 0;
  if (byteAt(at) === 0x2e) {
    const fraction = at + 1;
    at = digitsEnd(fraction);
    if (at === fraction) return 0;
  }
  if ((byteAt(at) | 0x20) !== 0x65) return at;
  const sign = byteAt(at + 1);
  const exponent = sign === 0x2b || sign === 0x2d ? at + 2 : at + 1;
  const end = digitsEnd(exponent);
  return end === exponent ? 0 : end;
}

/** `true`, `false` or `null`. */
function literal(start: u32): u32 {
  const word = load<u32>(start, 0, 1);
  if (word === 0x65757274 || word === 0x6c6c756e) return start + 4;
  return word === 0x736c6166 && byteAt(start + 4) === 0x65 ? start + 5 : 0;
}
