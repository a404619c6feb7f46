import { MAX_ITEMS, MAX_VALUES } from './bounds.ts';
import { CanonicalScan } from './canonical-scan.ts';
import { isObject, type JsonObject, type JsonValue } from './json-value.ts';
import { type ReadOptions, readJson } from './read-json.ts';
import { ok, type Result } from './result.ts';
import { decodeUtf8 } from './utf8.ts';

/** S(x) of each element x of one list, in stored order: where it stands in the file, so that a million of them cost two numbers each. */
export class Slices {
  private readonly bytes: Uint8Array;
  private readonly bounds: number[] = [];

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  add(start: number, end: number): void {
    this.bounds.push(start, end);
  }

  get length(): number {
    return this.bounds.length / 2;
  }

  /** A view of the text of the element at an index below the length. */
  at(index: number): Uint8Array {
    return this.bytes.subarray(this.bounds[2 * index], this.bounds[2 * index + 1]);
  }
}

/** The texts of the lists that stand in the root, by name. */
export type RowTexts = ReadonlyMap<string, Slices>;

/** A document as read; `rows` holds nothing where its texts are not canonical as they stand. */
export type ReadDocument = { readonly value: JsonValue; readonly rows: RowTexts };

/**
 * The names of attributes are a stranger's: they inherit nothing. (Other objects keep their prototype. Without it each one that is frozen
 * gets a hidden class of its own, and every access to it costs ten times as much.)
 */
const bareAttributes = (row: JsonValue): void => {
  if (!isObject(row) || !Object.hasOwn(row, 'attributes')) return;
  if (isObject(row.attributes)) Object.setPrototypeOf(row.attributes, null);
};

/** Rows are parsed together, so many bytes at a time: a string for the whole of a large file would be too long. */
const PARSED_AT_ONCE = 1 << 16;

/** White space stands free between the values of root and lists; each of these values is canonical, or the reading ends with null. */
class CanonicalReader {
  private at = 0;
  private items = 0;
  private readonly scan: CanonicalScan;
  private readonly bytes: Uint8Array;
  private readonly recordAttributes: boolean;
  private readonly rows = new Map<string, Slices>();

  constructor(bytes: Uint8Array, recordAttributes: boolean) {
    this.bytes = bytes;
    this.scan = new CanonicalScan(bytes);
    this.recordAttributes = recordAttributes;
  }

  document(): ReadDocument | null {
    const root = Object.setPrototypeOf({}, null) as JsonObject;
    if (this.next() !== 0x7b) return null;
    do {
      this.at++;
      const name = this.name();
      if (name === null || name in root) return null;
      const value = this.next() === 0x5b ? this.list(name) : this.single();
      if (value === undefined) return null;
      root[name] = value;
    } while (this.next() === 0x2c);
    if (this.bytes[this.at] !== 0x7d) return null;
    this.at++;
    return this.next() === undefined ? { value: root, rows: this.rows } : null;
  }

  /** The byte after white space, where the reading goes on. */
  private next(): number | undefined {
    for (;;) {
      const byte = this.bytes[this.at];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return byte;
      this.at++;
    }
  }

  private name(): string | null {
    this.next();
    const start = this.at;
    const end = this.scan.memberName(start);
    if (end < 0) return null;
    this.at = end;
    if (this.next() !== 0x3a) return null;
    this.at++;
    return decodeUtf8(this.bytes.subarray(start + 1, end - 1));
  }

  private single(): JsonValue | undefined {
    const start = this.at;
    this.at = this.scan.value(start, 2);
    return this.at < 0 ? undefined : this.parsed(start, this.at);
  }

  private parsed(start: number, end: number, before = '', after = ''): JsonValue | undefined {
    // Nothing is made of what was scanned before it is known that it is not too much.
    const text = this.scan.values > MAX_VALUES ? null : decodeUtf8(this.bytes.subarray(start, end));
    return text === null ? undefined : (JSON.parse(before + text + after) as JsonValue);
  }

  private list(name: string): JsonValue[] | undefined {
    const values: JsonValue[] = [];
    const texts = new Slices(this.bytes);
    const place = this.recordAttributes && name !== 'edges' ? 'record' : 'other';
    this.scan.values++;
    this.at++;
    this.rows.set(name, texts);
    if (this.next() === 0x5d) {
      this.at++;
      return values;
    }
    let first = this.at;
    for (;;) {
      this.next();
      const start = this.at;
      const end = ++this.items > MAX_ITEMS ? -1 : this.scan.value(start, 3, place);
      if (end < 0) return undefined;
      texts.add(start, end);
      this.at = end;
      const mark = this.next();
      if (mark !== 0x5d && mark !== 0x2c) return undefined;
      if (mark === 0x5d || end - first >= PARSED_AT_ONCE) {
        const rows = this.parsed(first, end, '[', ']') as JsonValue[] | undefined;
        if (rows === undefined) return undefined;
        for (const row of rows) {
          if (this.recordAttributes) bareAttributes(row);
          values.push(row);
        }
        first = this.at + 1;
      }
      this.at++;
      if (mark === 0x5d) return values;
    }
  }
}

/**
 * Takes the bytes of a committed document; returns its value, or the refusal of `readJson`, which decides whatever is not written as we write it. Of a
 * document whose root members and rows stand canonical, each row's own bytes come along, so that nobody has to serialise it again.
 */
export const readDocument = (bytes: Uint8Array, options: ReadOptions): Result<ReadDocument> => {
  const canonical = new CanonicalReader(bytes, options.recordAttributes).document();
  if (canonical !== null) return ok(canonical);
  const read = readJson(bytes, options);
  return read.ok ? ok({ value: read.value, rows: new Map() }) : read;
};
