import type { Crypto } from '../base/crypto.ts';
import { type Digest, taggedBytes } from '../base/digest.ts';
import { writeHex } from '../base/hex.ts';
import { TAGS } from '../base/tags.ts';

const HASH_BYTES = 32;

/**
 * Folds hashes (64 hex digits each, in Λ order) to R_T: pairs left to right, an odd last node with itself, one leaf is
 * its own root (FORMAT.md section 5). Returns null for no leaves. [a,b,c] and [a,b,c,c] have one root
 * (CVE-2012-2459): a root verifies nothing without the count and the capture digest.
 */
export const merkleRoot = (leaves: readonly string[], crypto: Crypto): Digest<'merkleNode'> | null => {
  const message = taggedBytes(TAGS.merkleNode, new Uint8Array(2 * HASH_BYTES));
  const start = message.length - 2 * HASH_BYTES;
  let level = leaves;
  while (level.length > 1) {
    const parents: string[] = [];
    for (let at = 0; at < level.length; at += 2) {
      writeHex(level[at]!, message, start);
      writeHex(level[at + 1] ?? level[at]!, message, start + HASH_BYTES);
      parents.push(crypto.sha256Hex(message));
    }
    level = parents;
  }
  return level.length === 0 ? null : (level[0] as Digest<'merkleNode'>);
};
