import type { Crypto } from '../base/crypto.ts';
import { kernel } from '../base/kernel/kernel.ts';
import { decodeUtf8, isWellFormed } from '../base/utf8.ts';
import { BodyPlace } from '../evidence/body-place.ts';
import type { RowTable } from '../evidence/row-table.ts';

/** The kernel reads words of so many bytes. */
const WORD_BYTES = 4;

/** One body after the other, what it says in the memory of the kernel. */
export class PlainBody {
  readonly place = new BodyPlace();
  /** Where its text starts and ends. */
  start = 0;
  end = 0;
  private readonly kernel = kernel();
  private readonly crypto: Crypto;

  constructor(crypto: Crypto) {
    this.crypto = crypto;
  }

  /** Takes the body of a row and where it may be put, its quoted text first as it is written; false unless it is whole and text. */
  put(table: RowTable, row: number, member: number, at: number): boolean {
    table.value(row, member);
    const { bytes, start, end } = table;
    const { isUtf8, truncated, textStart, textEnd } = this.place.locate(bytes, start, end);
    this.start = at;
    this.end = at + textEnd - textStart;
    if (!isUtf8 || truncated !== null) return false;
    this.kernel.reserve(this.end + WORD_BYTES);
    this.kernel.bytes.set(bytes.subarray(textStart, textEnd), at);
    return true;
  }

  /** Makes of what was put what it says, a zero byte after it; false unless it agrees with itself, as `checkBody` has it. A digest is computed once for each body. */
  read(table: RowTable): boolean {
    const { kernel, start, end } = this;
    const { size, sha256 } = this.place;
    const length = kernel.run.said(start + 1, end - 1, start);
    this.end = start + length;
    kernel.bytes[this.end] = 0;
    return length === size && table.standsAscii(sha256, this.crypto.sha256Hex(kernel.bytes.subarray(start, this.end)));
  }

  /** Whether what a string token says has the digest of the body that was put last from a table. */
  isSaidBy(table: RowTable, token: Uint8Array): boolean {
    const text = JSON.parse(decodeUtf8(token)!) as string;
    return isWellFormed(text) && table.standsAscii(this.place.sha256, this.crypto.sha256Hex(text));
  }
}
