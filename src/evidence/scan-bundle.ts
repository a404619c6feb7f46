import { asciiBytes, asciiText } from '../base/ascii.ts';
import { MAX_ITEMS, MAX_VALUES } from '../base/bounds.ts';
import type { ByteSource } from '../base/byte-source.ts';
import { CanonicalScan } from '../base/canonical-scan.ts';
import { BUNDLE_FORMAT, Edge, PROFILE_VERSION } from './bundle.ts';
import { COLLECTIONS, type Collection } from './collections.ts';
import { RecordTable } from './record-table.ts';
import { RowTable } from './row-table.ts';

export type ScannedBundle = Readonly<Record<Collection, RecordTable> & { edges: RowTable }>;

const LISTS = [...COLLECTIONS, 'edges'] as const;
const SINGLE: Readonly<Record<string, Uint8Array>> = {
  format: asciiBytes(`"${BUNDLE_FORMAT}"`),
  profile_version: asciiBytes(`"${PROFILE_VERSION}"`),
};
const MEMBER_COUNT = LISTS.length + 2;
/** More than any member name of a bundle, or value that is no list. */
const TOKEN_BYTES = 64;
/** A row that does not end within what is here is asked for with so much, then with twice as much. */
const ROW_BYTES = 1 << 12;
const LONGEST_ROW = 1 << 28;

const tableOf = (name: Collection | 'edges', source: ByteSource): RowTable =>
  name === 'edges' ? new RowTable(Edge.shape, source) : new RecordTable(name, source);

class BundleScan {
  private readonly source: ByteSource;
  private readonly tables = new Map<string, RowTable>();
  private scan = new CanonicalScan(new Uint8Array());
  private values = 0;
  private items = 0;
  /** Where in the file the bytes of `scan` start, and the place in these bytes. */
  private base = 0;
  private at = 0;

  constructor(source: ByteSource) {
    this.source = source;
  }

  bundle(): ScannedBundle | null {
    const seen = new Set<string>();
    if (this.next() !== 0x7b) return null;
    do {
      this.at++;
      const name = this.name();
      if (name === null || seen.has(name) || !this.member(name)) return null;
      seen.add(name);
    } while (this.next() === 0x2c);
    if (this.next() !== 0x7d || seen.size !== MEMBER_COUNT) return null;
    this.at++;
    if (this.next() !== undefined || this.count() > MAX_VALUES) return null;
    return Object.fromEntries(this.tables) as unknown as ScannedBundle;
  }

  /** Values: the root, its members, the rows, and what is in them. */
  private count(): number {
    return 1 + MEMBER_COUNT + this.items + this.values + this.scan.values;
  }

  /** Has so many bytes from here on before it, as far as the file has them. */
  private need(least: number): void {
    if (this.at + least <= this.scan.bytes.length || this.base + this.scan.bytes.length === this.source.size) return;
    this.load(least);
  }

  private load(least: number): void {
    const from = this.base + this.at;
    const { bytes, base } = this.source.stretch(from, Math.min(least, this.source.size - from));
    this.values += this.scan.values;
    this.scan = new CanonicalScan(bytes);
    this.base = base;
    this.at = from - base;
  }

  /** The byte after white space. */
  private next(): number | undefined {
    for (;;) {
      const byte = this.scan.bytes[this.at];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) {
        if (byte !== undefined || this.base + this.at >= this.source.size) return byte;
        this.load(TOKEN_BYTES);
      } else this.at++;
    }
  }

  private name(): string | null {
    if (this.next() !== 0x22) return null;
    this.need(TOKEN_BYTES);
    const start = this.at;
    const end = this.scan.memberName(start);
    if (end < 0 || end - start > TOKEN_BYTES) return null;
    this.at = end;
    const name = asciiText(this.scan.bytes, start + 1, end - 1);
    if (this.next() !== 0x3a) return null;
    this.at++;
    return name;
  }

  private member(name: string): boolean {
    const mark = this.next();
    const single = Object.hasOwn(SINGLE, name) ? SINGLE[name] : undefined;
    if (single !== undefined) {
      this.need(TOKEN_BYTES);
      if (!this.scan.stands(single, this.at)) return false;
      this.at += single.length;
      return true;
    }
    if (mark !== 0x5b || !(LISTS as readonly string[]).includes(name)) return false;
    const table = tableOf(name as Collection | 'edges', this.source);
    this.tables.set(name, table);
    return this.rows(table);
  }

  private rows(table: RowTable): boolean {
    this.at++;
    if (this.next() === 0x5d) {
      this.at++;
      return true;
    }
    for (;;) {
      this.next();
      if (++this.items > MAX_ITEMS || !this.row(table)) return false;
      const mark = this.next();
      this.at++;
      if (mark === 0x5d) return true;
      if (mark !== 0x2c) return false;
    }
  }

  /** What does not scan may go on beyond the bytes that are here. */
  private row(table: RowTable): boolean {
    for (let least = ROW_BYTES; ; least *= 2) {
      const { values } = this.scan;
      const end = table.scan(this.scan, this.at, this.base);
      if (end >= 0) {
        this.at = end;
        return true;
      }
      this.scan.values = values;
      const isAll = this.base + this.scan.bytes.length === this.source.size;
      if (isAll || least > LONGEST_ROW) return false;
      this.load(least);
    }
  }
}

/**
 * Takes the bytes of a bundle; returns its lists when all that stands in it is as a capture writes it: the members of the format, each once, and in them
 * rows that are S(x) of records and edges which fit their schemas, white space between them as one likes. Null where it is anything else, or no bundle:
 * the reader and the steps after it say what.
 */
export const scanBundle = (source: ByteSource): ScannedBundle | null => new BundleScan(source).bundle();
