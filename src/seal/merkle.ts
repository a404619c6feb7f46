import type { Crypto } from '../base/crypto.ts';
import { type Digest, digest } from '../base/digest.ts';
import { hexToBytes } from '../base/hex.ts';
import { TAGS } from '../base/tags.ts';

/**
 * Folds hashes (64 hex digits each, in Λ order) to R_T: pairs left to right, an odd last node with itself, one leaf is
 * its own root (FORMAT.md section 5). Returns null for no leaves. [a,b,c] and [a,b,c,c] have one root
 * (CVE-2012-2459): a root verifies nothing without the count and the capture digest.
 */
export const merkleRoot = (leaves: readonly string[], crypto: Crypto): Digest<'merkleNode'> | null => {
  let level: readonly string[] = leaves;
  while (level.length > 1) {
    const parents: string[] = [];
    for (let at = 0; at < level.length; at += 2) {
      const left = hexToBytes(level[at]!);
      const right = at + 1 < level.length ? hexToBytes(level[at + 1]!) : left;
      parents.push(digest(crypto, TAGS.merkleNode, left, right));
    }
    level = parents;
  }
  return level.length === 0 ? null : (level[0] as Digest<'merkleNode'>);
};
