import { asciiBytes } from '../base/ascii.ts';

const BEGIN = asciiBytes('{"encoding":"').length;
const BEFORE_SHA256 = asciiBytes('","sha256":"').length;
const SHA256_DIGITS = 64;
const BEFORE_SIZE = asciiBytes('","size":').length;
const BEFORE_TEXT = asciiBytes(',"text":').length;
const BEFORE_TRUNCATED = asciiBytes(',"truncated":').length;
const COMMA = 0x2c;
const COLON = 0x3a;
const LETTER_N = 0x6e;
const LETTER_U = 0x75;

/** Takes where digits start; returns the number. */
const numberAt = (bytes: Uint8Array, start: number): number => {
  let value = 0;
  for (let at = start; bytes[at]! >= 0x30 && bytes[at]! <= 0x39; at++) value = 10 * value + bytes[at]! - 0x30;
  return value;
};

/** Where the members of a body stand, of bytes that are S(x) of one: in the order of their names. One place is located again and again. */
export class BodyPlace {
  isUtf8 = false;
  /** Where the 64 digits start. */
  sha256 = 0;
  size = 0;
  /** The text with its quotes. */
  textStart = 0;
  textEnd = 0;
  truncated: number | null = null;

  locate(bytes: Uint8Array, start: number, end: number): this {
    this.isUtf8 = bytes[start + BEGIN] === LETTER_U;
    this.sha256 = start + BEGIN + (this.isUtf8 ? 'utf8' : 'base64').length + BEFORE_SHA256;
    const sizeAt = this.sha256 + SHA256_DIGITS + BEFORE_SIZE;
    this.size = numberAt(bytes, sizeAt);
    let sizeEnd = sizeAt;
    while (bytes[sizeEnd] !== COMMA) sizeEnd++;
    this.textStart = sizeEnd + BEFORE_TEXT;
    let truncatedAt = end - 1;
    while (bytes[truncatedAt - 1] !== COLON) truncatedAt--;
    this.textEnd = truncatedAt - BEFORE_TRUNCATED;
    this.truncated = bytes[truncatedAt] === LETTER_N ? null : numberAt(bytes, truncatedAt);
    return this;
  }
}
