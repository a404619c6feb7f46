import { kernel } from '../base/kernel/kernel.ts';
import { ABSENT, UNCLEAR, type WireTape } from '../base/wire-tape.ts';
import type { RowTable } from '../evidence/row-table.ts';
import { TEXT_LIMIT } from '../evidence/wire/read-fields.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER_T = 0x74;
const LETTER_F = 0x66;

const NUMBERS = new WeakMap<readonly string[], Readonly<Record<string, number>>>();

/** The numbers of members of a table, by their names; `names` is one and the same list for all tables of a collection. */
export const membersNamed = <N extends string>(table: RowTable, names: readonly N[]): Readonly<Record<N, number>> => {
  const known = NUMBERS.get(names);
  if (known !== undefined) return known;
  const numbers = Object.fromEntries(names.map((name) => [name, table.memberNamed(name)]));
  NUMBERS.set(names, numbers);
  return numbers as Readonly<Record<N, number>>;
};

/**
 * Members of one row of a table, held against nodes of wire text in the memory of the kernel. A member is S(x) of its value, so equal tokens are equal values; what is
 * not written alike may be equal all the same, and is not found to be.
 */
export class PlainRow {
  readonly table: RowTable;
  private readonly tape: WireTape;
  private readonly kernel = kernel();
  /** What is added to a place in the bytes of the table for that in the memory. */
  private shift = 0;
  /** What follows the row in the memory is free. */
  after = 0;

  constructor(table: RowTable, tape: WireTape) {
    this.table = table;
    this.tape = tape;
  }

  /** Takes a row, and where it may be put. */
  take(row: number, at: number): void {
    const { table, kernel } = this;
    table.row(row);
    const { bytes, start, end } = table;
    this.shift = at - start;
    this.after = kernel.put(bytes.subarray(start, end), at);
  }

  /** Where in the memory stands what stands there in the bytes of the table. */
  place(at: number): number {
    return this.shift + at;
  }

  isNull(member: number): boolean {
    return this.table.isNullThere(member);
  }

  /** Whether a member is the string there, or null where there is none. */
  isString(member: number, node: number): boolean {
    const { tape } = this;
    if (node === UNCLEAR) return false;
    if (tape.isNull(node)) return this.isNull(member);
    return tape.mark(node) === QUOTE && this.isToken(member, node);
  }

  /** Whether a member is written as the value there. */
  isToken(member: number, node: number): boolean {
    const { table, tape } = this;
    const start = tape.start(node);
    const length = tape.end(node) - start;
    return length <= TEXT_LIMIT && this.kernel.run.same(this.place(table.startOf(member)), start, length) !== 0;
  }

  /** Whether a member is the integer there, or null where there is none. */
  isInteger(member: number, node: number): boolean {
    const { table, tape } = this;
    if (node === UNCLEAR) return false;
    if (tape.isNull(node)) return this.isNull(member);
    const after = table.startOf(member) + tape.end(node) - tape.start(node);
    return this.isToken(member, node) && (table.bytes[after] === 0x2c || table.bytes[after] === 0x7d);
  }

  /** Whether a member is the boolean there, or false where there is none. */
  isFlag(member: number, node: number): boolean {
    const { table, tape } = this;
    if (node === UNCLEAR) return false;
    const mark = tape.isNull(node) ? LETTER_F : tape.mark(node);
    return (mark === LETTER_T || mark === LETTER_F) && table.bytes[table.startOf(member)] === mark;
  }

  /** Whether a member is the text of the token there, JSON in JSON; null where there is none. */
  isQuoted(member: number, node: number): boolean {
    const { table, tape } = this;
    if (node === UNCLEAR) return false;
    if (node === ABSENT) return this.isNull(member);
    const end = tape.end(node);
    let at = table.startOf(member);
    if (end - tape.start(node) > TEXT_LIMIT || table.bytes[at++] !== QUOTE) return false;
    for (let from = tape.start(node); from < end; from++) {
      const byte = tape.bytes[from]!;
      if ((byte === QUOTE || byte === BACKSLASH) && table.bytes[at++] !== BACKSLASH) return false;
      if (table.bytes[at++] !== byte) return false;
    }
    return table.bytes[at] === QUOTE;
  }
}
