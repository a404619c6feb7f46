import type { Crypto } from '../base/crypto.ts';
import { equalBytes, sha256 } from './bytes.ts';

const LEAF = new Uint8Array([0x00]);
const NODE = new Uint8Array([0x01]);

/** Takes the 32 bytes of a record hash; returns the leaf hash of its entry (RFC 9162 section 2.1.1). */
export const leafHash = (recordHash: Uint8Array, crypto: Crypto): Uint8Array => sha256(crypto, LEAF, recordHash);

/** Takes the index and the hash of a leaf, the size and the root of a tree, and a proof; true when the proof leads there (RFC 9162 section 2.1.3.2). */
export const isIncluded = (
  leaf: { readonly index: bigint; readonly hash: Uint8Array },
  tree: { readonly size: bigint; readonly root: Uint8Array },
  proof: readonly Uint8Array[],
  crypto: Crypto,
): boolean => {
  if (leaf.index >= tree.size) return false;
  let node = leaf.index;
  let last = tree.size - 1n;
  let hash = leaf.hash;
  for (const sibling of proof) {
    if (last === 0n) return false;
    if (node % 2n === 1n || node === last) {
      hash = sha256(crypto, NODE, sibling, hash);
      while (node % 2n === 0n && node !== 0n) {
        node /= 2n;
        last /= 2n;
      }
    } else {
      hash = sha256(crypto, NODE, hash, sibling);
    }
    node /= 2n;
    last /= 2n;
  }
  return last === 0n && equalBytes(hash, tree.root);
};
