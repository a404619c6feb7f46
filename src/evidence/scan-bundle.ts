import { asciiBytes, asciiText } from '../base/ascii.ts';
import { MAX_ITEMS, MAX_VALUES } from '../base/bounds.ts';
import type { ByteSource } from '../base/byte-source.ts';
import { type Kernel, kernel, WORK } from '../base/kernel/kernel.ts';
import { sameBytes } from '../base/same-bytes.ts';
import { BUNDLE_FORMAT, Edge, PROFILE_VERSION } from './bundle.ts';
import { COLLECTIONS, type Collection } from './collections.ts';
import { RecordTable } from './record-table.ts';
import { RowTable, type ScannedRows } from './row-table.ts';
import { programsOf } from './scan-program.ts';
import { ScanWindow } from './scan-window.ts';

export type ScannedBundle = Readonly<Record<Collection, RecordTable> & { edges: RowTable }>;

const LISTS = [...COLLECTIONS, 'edges'] as const;
const SINGLE: Readonly<Record<string, Uint8Array>> = {
  format: asciiBytes(`"${BUNDLE_FORMAT}"`),
  profile_version: asciiBytes(`"${PROFILE_VERSION}"`),
};
const QUOTE = 0x22;
const MEMBER_COUNT = LISTS.length + 2;
/** More than any member name of a bundle, or value that is no list. */
const TOKEN_BYTES = 64;
/** A row that does not end within what is here is asked for with so much, then with twice as much. */
const ROW_BYTES = 1 << 12;
/** Of a longer row the reader is asked: messages about it would take several times its memory. */
const LONGEST_ROW = 1 << 26;

/** Rows of one run. */
const ROOM = 128;
/** What a run says of itself, and then what it found. */
const STATE = WORK;
const OUT = WORK + 64;
/** A list of no records notes nothing. */
const NO_NOTED = { id: -1, sequence: -1, time: -1 };
/** How a run ends: kernel/rows.ts. */
const ENDING = { list: 0, full: 1, noRow: 2 } as const;

class BundleScan {
  private readonly kernel = kernel();
  private readonly programs = programsOf(this.kernel);
  private readonly source: ByteSource;
  private readonly window: ScanWindow;
  private readonly tables = new Map<string, RowTable>();
  private items = 0;

  constructor(source: ByteSource) {
    this.source = source;
    this.window = new ScanWindow(this.kernel, source);
    this.kernel.run.setValuesMet(0);
  }

  bundle(): ScannedBundle | null {
    const { window } = this;
    const seen = new Set<string>();
    if (this.next() !== 0x7b) return null;
    do {
      window.at++;
      const name = this.name();
      if (name === null || seen.has(name) || !this.member(name)) return null;
      seen.add(name);
    } while (this.next() === 0x2c);
    if (this.next() !== 0x7d || seen.size !== MEMBER_COUNT) return null;
    window.at++;
    if (this.next() !== undefined || this.count() > MAX_VALUES) return null;
    return Object.fromEntries(this.tables) as unknown as ScannedBundle;
  }

  /** Values: the root, its members, the rows, and what is in them. */
  private count(): number {
    return 1 + MEMBER_COUNT + this.items + this.kernel.run.valuesMet();
  }

  /** The byte after white space; undefined at the end of the file. */
  private next(): number | undefined {
    const { window } = this;
    for (;;) {
      const { byte } = window;
      if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) window.at++;
      else if (byte !== 0 || !window.isEnd) return byte;
      else if (window.isLast) return undefined;
      else window.load(TOKEN_BYTES);
    }
  }

  private name(): string | null {
    const { window } = this;
    if (this.next() !== QUOTE) return null;
    window.need(TOKEN_BYTES);
    const start = window.at;
    const { bytes } = this.kernel;
    const end = bytes.indexOf(QUOTE, start + 1);
    if (end < 0 || end - start > TOKEN_BYTES) return null;
    window.at = end + 1;
    const name = asciiText(bytes, start + 1, end);
    if (this.next() !== 0x3a) return null;
    window.at++;
    return name;
  }

  private member(name: string): boolean {
    const { window } = this;
    const mark = this.next();
    const single = Object.hasOwn(SINGLE, name) ? SINGLE[name] : undefined;
    if (single !== undefined) {
      window.need(TOKEN_BYTES);
      if (!sameBytes(this.kernel.bytes, window.at, single, 0, single.length)) return false;
      window.at += single.length;
      return true;
    }
    if (mark !== 0x5b || !(LISTS as readonly string[]).includes(name)) return false;
    window.at++;
    if (name === 'edges') return this.rows(name, new RowTable(Edge.shape, this.source, this.programs), NO_NOTED);
    const table = new RecordTable(name as Collection, this.source, this.programs);
    return this.rows(name, table, table.noted);
  }

  private rows(name: string, table: RowTable, { id, sequence, time }: RecordTable['noted']): boolean {
    const { window, kernel } = this;
    this.tables.set(name, table);
    if (this.next() === 0x5d) {
      window.at++;
      return true;
    }
    for (let least = ROW_BYTES; ; ) {
      kernel.run.rows(STATE, table.program, window.at, OUT, ROOM, id, sequence, time);
      const [at, found, ending] = kernel.words.subarray(STATE / 4, STATE / 4 + 3) as unknown as [
        number,
        number,
        number,
      ];
      if (found > 0) {
        table.take(scannedRows(kernel, table.members.length, found), window.shift);
        least = ROW_BYTES;
      }
      window.at = at;
      this.items += found;
      if (this.items > MAX_ITEMS) return false;
      if (ending === ENDING.list) return true;
      if (ending === ENDING.full) continue;
      // What does not scan may go on beyond the bytes that are here.
      if (window.isLast || least > LONGEST_ROW) return false;
      window.load(least);
      least *= 2;
    }
  }
}

/** What a run left: kernel/rows.ts. */
const scannedRows = ({ bytes, words, integers, floats }: Kernel, members: number, found: number): ScannedRows => {
  const list = (start: number, length: number): Uint32Array => words.subarray(start / 4, start / 4 + length);
  const values = OUT + 28 * ROOM;
  const ids = values + 4 * members * ROOM;
  const idEnds = list(OUT + 8 * ROOM, found);
  const numbers = (start: number): Float64Array => floats.subarray(start / 8, start / 8 + found);
  return {
    starts: list(OUT, found),
    lengths: list(OUT + 4 * ROOM, found),
    idEnds,
    sequences: numbers(OUT + 12 * ROOM),
    times: numbers(OUT + 20 * ROOM),
    values: integers.subarray(values / 4, values / 4 + members * found),
    ids: bytes.subarray(ids, ids + idEnds[found - 1]!),
  };
};

/**
 * Takes the bytes of a bundle; returns its lists when all that stands in it is as a capture writes it: the members of the format, each once, and in them
 * rows that are S(x) of records and edges which fit their schemas, white space between them as one likes. Null where it is anything else, or no bundle:
 * the reader and the steps after it say what.
 */
export const scanBundle = (source: ByteSource): ScannedBundle | null => new BundleScan(source).bundle();
