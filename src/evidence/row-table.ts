import { asciiText, standsAscii } from '../base/ascii.ts';
import type { ByteSource } from '../base/byte-source.ts';
import { canonical } from '../base/canonical.ts';
import { growingFloat64, growingInt32, growingUint32 } from '../base/growing.ts';
import type { JsonValue } from '../base/json-value.ts';
import { sameBytes } from '../base/same-bytes.ts';
import { decodeUtf8 } from '../base/utf8.ts';
import { type Members, membersOf, type Programs, type Shape } from './scan-program.ts';

/** A text up to here is put together from its bytes. */
const SHORT = 64;

/** The values of a member, by row. */
export type Column = { readonly at: (row: number) => string | number | null | undefined };

/** Rows as a run of the kernel found them: a number of each, and of each row where the value of each member starts, below 0 where it is null. */
export type ScannedRows = {
  readonly starts: Uint32Array;
  readonly lengths: Uint32Array;
  readonly values: Int32Array;
  /** Of records: their ids one after the other, where each ends, their sequences, and ranks of their times. */
  readonly ids: Uint8Array;
  readonly idEnds: Uint32Array;
  readonly sequences: Float64Array;
  readonly times: Float64Array;
};

type Plan = { readonly members: Members; readonly numbers: ReadonlyMap<string, number> };
const PLANS = new WeakMap<Shape, Plan>();

const planOf = (shape: Shape): Plan => {
  const known = PLANS.get(shape);
  if (known !== undefined) return known;
  const members = membersOf(shape);
  const plan = { members, numbers: new Map(members.map(({ name }, number) => [name, number])) };
  PLANS.set(shape, plan);
  return plan;
};

/**
 * The rows of one list of a bundle, each known to be S(x) of a value x that fits its schema: where each stands, and where in it each member starts. A
 * row costs some numbers; its text stays where it is.
 */
export class RowTable {
  readonly members: Members;
  private readonly numbers: ReadonlyMap<string, number>;
  private readonly source: ByteSource;
  private readonly starts = growingFloat64();
  private readonly lengths = growingUint32();
  /** Of row r the value of member m starts so many bytes after the row, at r × members + m: below 0 where it is null, 0 where there is none. */
  private readonly values = growingInt32();
  /** Of each member the text that was made last, of ASCII without an escape. */
  private readonly texts: (string | undefined)[] = [];
  /** Of each member the values of all rows, where they were kept. */
  private readonly columns: (Column | undefined)[] = [];
  /** What `row` and `value` found. */
  bytes: Uint8Array = new Uint8Array();
  start = 0;
  end = 0;
  private rowStart = 0;
  private rowEnd = 0;
  /** Where in `values` those of the row start. */
  private first = 0;

  /** What its rows are, as a program of the kernel's. */
  readonly program: number;

  constructor(shape: Shape, source: ByteSource, programs: Programs) {
    const { members, numbers } = planOf(shape);
    this.program = programs.ofShape(shape, members);
    this.members = members;
    this.numbers = numbers;
    this.source = source;
  }

  get length(): number {
    return this.starts.length;
  }

  /** Takes in rows that were scanned; their starts are counted from `shift`. */
  take({ starts, lengths, values }: ScannedRows, shift: number): void {
    for (let row = 0; row < starts.length; row++) this.starts.push(shift + starts[row]!);
    this.lengths.pushAll(lengths);
    this.values.pushAll(values);
  }

  /** Keeps the values of a member, by row, that many steps ask for: they are not read again. */
  keep(member: number, values: Column): void {
    this.columns[member] = values;
  }

  kept(member: number): Column | undefined {
    return this.columns[member];
  }

  /** The number of the member of that name. */
  memberNamed(name: string): number {
    return this.numbers.get(name)!;
  }

  /** Sets `bytes`, `start` and `end` to where a row stands. */
  row(row: number): void {
    const start = this.starts.items[row]!;
    const length = this.lengths.items[row]!;
    const { bytes, base } = this.source.stretch(start, length);
    this.locate(bytes, start - base, start - base + length, row * this.members.length);
  }

  /** Sets `bytes`, `start` and `end` to a stretch of whole rows that begins with one, of at most so many bytes or of that one; returns the row after them. */
  rowsFrom(first: number, most: number): number {
    const begin = this.starts.items[first]!;
    let after = first + 1;
    while (after < this.length && this.endInFile(after) - begin <= most) after++;
    const length = this.endInFile(after - 1) - begin;
    const { bytes, base } = this.source.stretch(begin, length);
    this.locate(bytes, begin - base, begin - base + length, first * this.members.length);
    return after;
  }

  private endInFile(row: number): number {
    return this.starts.items[row]! + this.lengths.items[row]!;
  }

  /** How far a row stands behind another. */
  distance(first: number, row: number): number {
    return this.starts.items[row]! - this.starts.items[first]!;
  }

  lengthOf(row: number): number {
    return this.lengths.items[row]!;
  }

  /** How far the value of a member that is there, and not null, stands behind its row. */
  offsetOf(row: number, member: number): number {
    return this.values.items[row * this.members.length + member]!;
  }

  private locate(bytes: Uint8Array, start: number, end: number, first: number): void {
    this.bytes = bytes;
    this.start = start;
    this.end = end;
    this.rowStart = start;
    this.rowEnd = end;
    this.first = first;
  }

  /** Where the value of a member that is there starts in `bytes`, of the row that was located last. */
  startOf(member: number): number {
    return this.rowStart + Math.abs(this.values.items[this.first + member]!);
  }

  /** Whether a member of that row is there. */
  isThere(member: number): boolean {
    return this.values.items[this.first + member] !== 0;
  }

  /** Where it ends. */
  endOf(member: number): number {
    const { members, first } = this;
    const starts = this.values.items;
    let next = member + 1;
    while (next < members.length && starts[first + next] === 0) next++;
    // Between two values stand a comma and the quoted name with its colon.
    return next < members.length ? this.startOf(next) - members[next]!.label.length - 1 : this.rowEnd - 1;
  }

  /** Sets `bytes`, `start` and `end` to where a member's value stands; false where it is absent. */
  value(row: number, member: number): boolean {
    this.row(row);
    if (!this.isThere(member)) return false;
    this.start = this.startOf(member);
    this.end = this.endOf(member);
    return true;
  }

  /** A member that is an integer not below 0, of the row that was located last. */
  integerOf(member: number): number {
    const { bytes } = this;
    let value = 0;
    for (let at = this.startOf(member); bytes[at]! >= 0x30 && bytes[at]! <= 0x39; at++)
      value = 10 * value + bytes[at]! - 0x30;
    return value;
  }

  /** The text of a member of that row that is a string. Most often it is that of the row before, and made once. */
  textOf(member: number): string {
    const { bytes } = this;
    const start = this.startOf(member);
    const last = this.texts[member];
    if (last !== undefined && bytes[start + 1 + last.length] === QUOTE && standsAscii(bytes, start + 1, last))
      return last;
    const end = this.endOf(member);
    let at = start + 1;
    while (at < end - 1 && bytes[at]! < 0x80 && bytes[at] !== BACKSLASH) at++;
    if (at < end - 1 || end - start > SHORT) return JSON.parse(decodeUtf8(bytes.subarray(start, end))!) as string;
    const text = asciiText(bytes, start + 1, end - 1);
    this.texts[member] = text;
    return text;
  }

  /** Whether these bytes stand at a position of `bytes`. */
  stands(at: number, text: Uint8Array, from: number, length: number): boolean {
    return sameBytes(this.bytes, at, text, from, length);
  }

  /** Whether these characters stand there; only ASCII is known to. */
  standsAscii(at: number, text: string): boolean {
    return standsAscii(this.bytes, at, text);
  }

  /** Whether a member is null; nothing is read for it. */
  isNull(row: number, member: number): boolean {
    return this.values.items[row * this.members.length + member]! < 0;
  }

  /** The same, of the row that was located last. */
  isNullThere(member: number): boolean {
    return this.values.items[this.first + member]! < 0;
  }

  /** Whether a member that must be there is this value: whether it is written as S(x) would write it. */
  holds(row: number, member: number, expected: JsonValue): boolean {
    if (expected === null) return this.isNull(row, member);
    this.value(row, member);
    const { bytes, start, end } = this;
    if (typeof expected === 'string') return bytes[start] === QUOTE && isText(bytes, start, end, expected);
    const text = canonical(expected);
    return text.length === end - start && standsAscii(bytes, start, text);
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Whether a quoted token is that of a text. */
const isText = (bytes: Uint8Array, start: number, end: number, text: string): boolean => {
  const length = end - start - 2;
  // A character is one byte at least, and six when it is escaped.
  if (text.length > length || 6 * text.length < length) return false;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit >= 0x80 || unit === BACKSLASH || bytes[start + 1 + at] === BACKSLASH)
      return decodeUtf8(bytes.subarray(start, end)) === canonical(text);
    if (unit !== bytes[start + 1 + at]) return false;
  }
  return text.length === length;
};
