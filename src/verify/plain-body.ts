import type { Crypto } from '../base/crypto.ts';
import { kernel } from '../base/kernel/kernel.ts';
import { decodeUtf8, isWellFormed } from '../base/utf8.ts';
import { BodyPlace } from '../evidence/body-place.ts';
import type { PlainRow } from './plain-row.ts';

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

  /** Locates the body of the row that was taken last; false unless it is whole and text. */
  locate({ table }: PlainRow, member: number): boolean {
    const { isUtf8, truncated } = this.place.locate(table.bytes, table.startOf(member), table.endOf(member));
    return isUtf8 && truncated === null;
  }

  /** Puts to a place what it says, a zero byte after it; false unless it agrees with itself, as `checkBody` has it. A digest is computed once for each body. */
  read(held: PlainRow, at: number): boolean {
    const { kernel, crypto } = this;
    const { size, sha256, textStart, textEnd } = this.place;
    kernel.reserve(at + textEnd - textStart);
    const length = kernel.run.said(held.place(textStart + 1), held.place(textEnd - 1), at);
    this.start = at;
    this.end = at + length;
    kernel.bytes[this.end] = 0;
    return length === size && held.table.standsAscii(sha256, crypto.sha256Hex(kernel.bytes.subarray(at, this.end)));
  }

  /** Whether what a string token says has the digest of the body that was located last. */
  isSaidBy({ table }: PlainRow, token: Uint8Array): boolean {
    const text = JSON.parse(decodeUtf8(token)!) as string;
    return isWellFormed(text) && table.standsAscii(this.place.sha256, this.crypto.sha256Hex(text));
  }
}
