// The programs that schemas are compiled to (src/evidence/scan-program.ts): words of 32 bits, a node of them for each schema, its kind first.
import { byteAt, freeNameEnd, integerEnd, integerOf, isInOrder, memberNameEnd, same, stringEnd } from './text';
import { isTime } from './time';

export enum Kind {
  Never,
  String,
  Integer,
  Boolean,
  Enum,
  Nullable,
  Union,
  List,
  Tuple,
  Names,
  Object,
  Attributes,
}
export enum Check {
  Class,
  NotEmpty,
  Time,
  /** A function of the host holds the text. */
  Host,
}

/** Asks a check of the host's of the quoted token between two positions. */
declare function holds(check: u32, start: u32, end: u32): bool;

/** Values met: what is in objects and lists, beyond the value that was asked for. */
let values: u32 = 0;
export function valuesMet(): u32 {
  return values;
}
export function setValuesMet(met: u32): void {
  values = met;
}

function word(node: u32, index: u32): u32 {
  return load<u32>(node + 4 * index);
}

function isLiteral(at: u32, text: u32): bool {
  return load<u32>(at, 0, 1) === text;
}

/** Takes a program and where a value starts; returns the position after it, or 0. */
export function scan(node: u32, at: u32): u32 {
  switch (word(node, 0)) {
    case Kind.String:
      return string(node, at);
    case Kind.Integer:
      return integer(node, at);
    case Kind.Boolean:
      return boolean(at);
    case Kind.Enum:
      return oneOf(node, at);
    case Kind.Nullable:
      if (byteAt(at) !== 0x6e) return scan(word(node, 1), at);
      return isLiteral(at, 0x6c6c756e) ? at + 4 : 0;
    case Kind.Union: {
      const end = scan(word(node, 1), at);
      return end !== 0 ? end : scan(word(node, 2), at);
    }
    case Kind.List:
      return list(at, word(node, 1), node + 8, 0, 0);
    case Kind.Tuple:
      return list(at, word(node, 1), node + 8, 4, word(node, 1));
    case Kind.Names:
      return names(at, word(node, 1), false);
    case Kind.Object:
      return members(node, at, 0);
    case Kind.Attributes:
      return names(at, word(node, 1), true);
    default:
      return 0;
  }
}

function string(node: u32, start: u32): u32 {
  if (byteAt(start) !== 0x22) return 0;
  const end = stringEnd(start);
  if (end === 0) return 0;
  const checks = word(node, 1);
  let check = node + 8;
  for (let done: u32 = 0; done < checks; done++) {
    if (!passes(check, start, end)) return 0;
    check += 16;
  }
  return end;
}

/** A check is four words: its kind, and what it is of. */
function passes(check: u32, start: u32, end: u32): bool {
  switch (word(check, 0)) {
    case Check.Class: {
      const length = end - start - 2;
      if (length < word(check, 2) || length > word(check, 3)) return false;
      const isOne = word(check, 1);
      for (let at = start + 1; at < end - 1; at++) if (byteAt(isOne + byteAt(at)) === 0) return false;
      return true;
    }
    case Check.NotEmpty:
      return end - start > 2;
    case Check.Time:
      return isTime(start, end);
    default:
      return holds(word(check, 1), start, end);
  }
}

function integer(node: u32, start: u32): u32 {
  const end = integerEnd(start);
  if (end === 0) return 0;
  const value = integerOf(start, end);
  if (word(node, 1) !== 0 && value < <f64>load<i32>(node + 8)) return 0;
  return word(node, 3) !== 0 && value > <f64>load<i32>(node + 16) ? 0 : end;
}

function boolean(at: u32): u32 {
  if (isLiteral(at, 0x65757274)) return at + 4;
  return isLiteral(at, 0x736c6166) && byteAt(at + 4) === 0x65 ? at + 5 : 0;
}

/** One of these tokens, none of which begins another. */
function oneOf(node: u32, at: u32): u32 {
  const tokens = word(node, 1);
  for (let token: u32 = 0; token < tokens; token++) {
    const length = word(node, 3 + 2 * token);
    if (same(at, word(node, 2 + 2 * token), length)) return at + length;
  }
  return 0;
}

/** A list of at least and at most so many; `step`: how far apart the elements stand that its places have, 0 where all have one. */
function list(start: u32, most: u32, element: u32, step: u32, least: u32): u32 {
  if (byteAt(start) !== 0x5b) return 0;
  let at = start + 1;
  if (byteAt(at) === 0x5d) return least === 0 ? at + 1 : 0;
  let count: u32 = 0;
  while (true) {
    if (count === most) return 0;
    at = scan(load<u32>(element + step * count), at);
    if (at === 0) return 0;
    count++;
    const mark = byteAt(at++);
    if (mark === 0x2c) continue;
    values += count;
    return mark === 0x5d && count >= least ? at : 0;
  }
}

/** An object of any names, all of one kind. */
function names(start: u32, held: u32, isFree: bool): u32 {
  if (byteAt(start) !== 0x7b) return 0;
  let at = start + 1;
  if (byteAt(at) === 0x7d) return at + 1;
  let before: u32 = 0;
  while (true) {
    const name = at;
    at = isFree ? freeNameEnd(name) : memberNameEnd(name);
    if (at === 0 || byteAt(at) !== 0x3a || (before !== 0 && !isInOrder(before, name))) return 0;
    before = name;
    values++;
    at = scan(held, at + 1);
    if (at === 0) return 0;
    const mark = byteAt(at++);
    if (mark === 0x7d) return at;
    if (mark !== 0x2c) return 0;
  }
}

/**
 * The members of a strict object in the order of S(x): each quoted name with its colon, what it leads to, whether it may be absent. Where `starts` is not 0, it
 * is told there where each value starts, counted from the object: below 0 where it is null, 0 where there is none.
 */
export function members(node: u32, start: u32, starts: u32): u32 {
  const count = word(node, 1);
  let member = node + 8;
  let at = start;
  let mark: u32 = 0x7b;
  for (let index: u32 = 0; index < count; index++) {
    const length = word(member, 1);
    if (byteAt(at) === mark && same(at + 1, word(member, 0), length)) {
      at += 1 + length;
      const offset = <i32>(at - start);
      if (starts !== 0) store<i32>(starts + 4 * index, byteAt(at) === 0x6e ? -offset : offset);
      at = scan(word(member, 2), at);
      if (at === 0) return 0;
      mark = 0x2c;
      values++;
    } else {
      if (word(member, 3) === 0) return 0;
      if (starts !== 0) store<u32>(starts + 4 * index, 0);
    }
    member += 16;
  }
  return byteAt(at) === 0x7d && mark === 0x2c ? at + 1 : 0;
}
