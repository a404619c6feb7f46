import type { Crypto } from '../base/crypto.ts';
import { Message } from '../base/message.ts';
import { decodeUtf8, isWellFormed } from '../base/utf8.ts';
import { BodyPlace } from '../evidence/body-place.ts';
import type { RowTable } from '../evidence/row-table.ts';

const LETTER_N = 0x6e;
const SHA256_DIGITS = 64;

/** The bytes of one body after the other, in memory that is used again. */
export class PlainBody {
  readonly place = new BodyPlace();
  private readonly message = new Message();
  private readonly crypto: Crypto;

  constructor(crypto: Crypto) {
    this.crypto = crypto;
  }

  /** Its bytes, with a zero byte after the last. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.message.bytes;
  }

  get length(): number {
    return this.message.length;
  }

  /**
   * Takes in the body of a row, none for null; false unless it is whole, text, and agrees with itself, as `checkBody` has it. A digest is computed once
   * for each body.
   */
  read(table: RowTable, row: number, member: number): boolean {
    table.value(row, member);
    const { bytes, start, end } = table;
    this.message.again();
    if (bytes[start] === LETTER_N) return true;
    const { isUtf8, size, truncated, textStart, textEnd, sha256 } = this.place.locate(bytes, start, end);
    if (!isUtf8 || truncated !== null) return false;
    this.message.appendSaid(bytes, textStart + 1, textEnd - 1).close();
    if (this.message.length !== size) return false;
    const computed = this.crypto.sha256Hex(this.message.view());
    for (let at = 0; at < SHA256_DIGITS; at++) if (computed.charCodeAt(at) !== bytes[sha256 + at]) return false;
    return true;
  }

  /** Whether what a string token says has the digest of the body that was taken in last from a table. */
  isSaidBy(table: RowTable, token: Uint8Array): boolean {
    const text = JSON.parse(decodeUtf8(token)!) as string;
    if (!isWellFormed(text)) return false;
    const said = this.crypto.sha256Hex(text);
    for (let at = 0; at < SHA256_DIGITS; at++) {
      if (said.charCodeAt(at) !== table.bytes[this.place.sha256 + at]) return false;
    }
    return true;
  }
}
