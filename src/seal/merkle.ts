import type { Crypto } from '../base/crypto.ts';
import { type Digest, taggedBytes } from '../base/digest.ts';
import { bytesToHex, writeHex } from '../base/hex.ts';
import { TAGS } from '../base/tags.ts';

const HASH_BYTES = 32;
const PAIR_BYTES = 2 * HASH_BYTES;

/** Hashes in Λ order, to be folded to R_T: 32 bytes each, with the message of a node before them. */
export class Leaves {
  private readonly bytes: Uint8Array;
  private readonly start: number;
  private readonly count: number;

  constructor(count: number) {
    const message = taggedBytes(TAGS.merkleNode, new Uint8Array(PAIR_BYTES));
    this.start = message.length;
    this.count = count;
    this.bytes = new Uint8Array(message.length + HASH_BYTES * count);
    this.bytes.set(message);
  }

  /** Takes an index below the count and 64 hex digits; throws RangeError on anything else. */
  set(index: number, hash: string): void {
    writeHex(hash, this.bytes, this.start + HASH_BYTES * index);
  }

  /** The same of a message that is hashed. */
  hash(index: number, message: Uint8Array, crypto: Crypto): void {
    crypto.sha256Into(message, this.bytes, this.start + HASH_BYTES * index);
  }

  /** So many hashes from an index on; asked before they are folded. */
  of(index: number, count: number): Uint8Array {
    return this.bytes.subarray(this.start + HASH_BYTES * index, this.start + HASH_BYTES * (index + count));
  }

  /**
   * Folds the hashes, once: pairs left to right, an odd last node with itself, one leaf is its own root (FORMAT.md section 5). Returns null
   * for no leaves. [a,b,c] and [a,b,c,c] have one root (CVE-2012-2459): a root verifies nothing without the count and the capture digest.
   */
  root(crypto: Crypto): Digest<'merkleNode'> | null {
    const { bytes, start } = this;
    const message = bytes.subarray(0, start);
    let level = this.count;
    if (level === 0) return null;
    while (level > 1) {
      for (let at = 0; at < level; at += 2) {
        const left = start + HASH_BYTES * at;
        bytes.copyWithin(start - PAIR_BYTES, left, left + PAIR_BYTES);
        if (at + 1 === level) bytes.copyWithin(start - HASH_BYTES, left, left + HASH_BYTES);
        this.hash(at / 2, message, crypto);
      }
      level = Math.ceil(level / 2);
    }
    return bytesToHex(bytes.subarray(start, start + HASH_BYTES)) as Digest<'merkleNode'>;
  }
}

/** R_T of hashes of 64 hex digits each, in Λ order; null for none. */
export const merkleRoot = (hashes: readonly string[], crypto: Crypto): Digest<'merkleNode'> | null => {
  const leaves = new Leaves(hashes.length);
  for (const [at, hash] of hashes.entries()) leaves.set(at, hash);
  return leaves.root(crypto);
};
