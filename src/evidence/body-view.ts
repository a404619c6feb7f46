import { asciiBytes, asciiText } from '../base/ascii.ts';
import { decodeUtf8 } from '../base/utf8.ts';
import type { Body } from './fields.ts';
import type { RowTable } from './row-table.ts';

const BEGIN = asciiBytes('{"encoding":"').length;
const BEFORE_SHA256 = asciiBytes('","sha256":"').length;
const SHA256_DIGITS = 64;
const BEFORE_SIZE = asciiBytes('","size":').length;
const BEFORE_TEXT = asciiBytes(',"text":').length;
const BEFORE_TRUNCATED = asciiBytes(',"truncated":').length;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const LETTER_N = 0x6e;
const LETTER_U = 0x75;

const numberAt = (bytes: Uint8Array, start: number): number => {
  let value = 0;
  for (let at = start; bytes[at]! >= 0x30 && bytes[at]! <= 0x39; at++) value = 10 * value + bytes[at]! - 0x30;
  return value;
};

/** A body that is read from the bytes that were hashed, which are S(x) of one: its members stand in the order of their names. */
export class BodyView implements Body {
  readonly member: number;
  readonly #table: RowTable;
  readonly #row: number;

  /** Takes a row and the number of a member of it that is no null. */
  constructor(table: RowTable, row: number, member: number) {
    this.#table = table;
    this.#row = row;
    this.member = member;
  }

  #locate(): RowTable {
    this.#table.value(this.#row, this.member);
    return this.#table;
  }

  get encoding(): Body['encoding'] {
    const { bytes, start } = this.#locate();
    return bytes[start + BEGIN] === LETTER_U ? 'utf8' : 'base64';
  }

  get #sha256At(): number {
    const { length } = this.encoding;
    return this.#table.start + BEGIN + length + BEFORE_SHA256;
  }

  get sha256(): string {
    const start = this.#sha256At;
    return asciiText(this.#table.bytes, start, start + SHA256_DIGITS);
  }

  get #sizeAt(): number {
    return this.#sha256At + SHA256_DIGITS + BEFORE_SIZE;
  }

  get size(): number {
    return numberAt(this.#table.bytes, this.#sizeAt);
  }

  get #truncatedAt(): number {
    const { bytes, end } = this.#locate();
    let start = end - 1;
    while (bytes[start - 1] !== COLON) start--;
    return start;
  }

  get truncated(): number | null {
    const start = this.#truncatedAt;
    return this.#table.bytes[start] === LETTER_N ? null : numberAt(this.#table.bytes, start);
  }

  /** Its text in quotes. */
  get #token(): Uint8Array {
    let start = this.#sizeAt;
    const { bytes } = this.#table;
    while (bytes[start] !== COMMA) start++;
    return bytes.subarray(start + BEFORE_TEXT, this.#truncatedAt - BEFORE_TRUNCATED);
  }

  get text(): string {
    return JSON.parse(decodeUtf8(this.#token)!) as string;
  }

  /** The UTF-8 of the text where it stands as it is; null where something in it is escaped. */
  get plainText(): Uint8Array | null {
    const token = this.#token;
    return token.includes(BACKSLASH) ? null : token.subarray(1, -1);
  }

  /** Whether its text is this; false may also mean that this was not found out. */
  isText(expected: string | Uint8Array): boolean {
    const plain = this.encoding === 'utf8' ? this.plainText : null;
    if (typeof expected !== 'string' || plain === null) return false;
    for (let at = 0; at < expected.length; at++) {
      const unit = expected.charCodeAt(at);
      if (unit >= 0x80) return decodeUtf8(plain) === expected;
      if (unit !== plain[at]) return false;
    }
    return plain.length === expected.length;
  }

  toJSON(): Body {
    const { bytes, start, end } = this.#locate();
    return JSON.parse(decodeUtf8(bytes.subarray(start, end))!) as Body;
  }
}
