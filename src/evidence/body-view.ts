import { asciiText } from '../base/ascii.ts';
import { decodeUtf8 } from '../base/utf8.ts';
import { BodyPlace } from './body-place.ts';
import type { Body } from './fields.ts';
import type { RowTable } from './row-table.ts';

const SHA256_DIGITS = 64;
/** Set in the lower-case letters of ASCII. */
const LOWER_CASE = 0x20;
const place = new BodyPlace();

/** A body that is read from the bytes that were hashed, whenever a member of it is asked for. */
export class BodyView implements Body {
  readonly #table: RowTable;
  readonly #row: number;
  readonly #member: number;

  /** Takes a row and the number of a member of it that is no null. */
  constructor(table: RowTable, row: number, member: number) {
    this.#table = table;
    this.#row = row;
    this.#member = member;
  }

  #locate(): Uint8Array {
    this.#table.value(this.#row, this.#member);
    const { bytes, start, end } = this.#table;
    place.locate(bytes, start, end);
    return bytes;
  }

  get encoding(): Body['encoding'] {
    this.#locate();
    return place.isUtf8 ? 'utf8' : 'base64';
  }

  get sha256(): string {
    const bytes = this.#locate();
    return asciiText(bytes, place.sha256, place.sha256 + SHA256_DIGITS);
  }

  get size(): number {
    this.#locate();
    return place.size;
  }

  get truncated(): number | null {
    this.#locate();
    return place.truncated;
  }

  get text(): string {
    const bytes = this.#locate();
    return JSON.parse(decodeUtf8(bytes.subarray(place.textStart, place.textEnd))!) as string;
  }

  /**
   * Whether its text may hold one of some pairs of characters: `seconds` has for the first of each the second, in lower case, which stands for upper case too.
   * What is an escape here may be another character in the text, and what is base64 is not looked at, so that true says little, and false says no.
   */
  mayHold(seconds: Uint8Array): boolean {
    const bytes = this.#locate();
    if (!place.isUtf8) return true;
    const { textEnd } = place;
    for (let at = place.textStart; at < textEnd; at++) {
      const second = seconds[bytes[at]!]!;
      if (second !== 0 && (bytes[at + 1]! | LOWER_CASE) === second) return true;
    }
    return false;
  }

  toJSON(): Body {
    this.#table.value(this.#row, this.#member);
    const { bytes, start, end } = this.#table;
    return JSON.parse(decodeUtf8(bytes.subarray(start, end))!) as Body;
  }
}
