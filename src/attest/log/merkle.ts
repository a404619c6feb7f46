import type { Crypto } from '../../base/crypto.ts';
import { TILE_WIDTH } from './paths.ts';

export const HASH_BYTES = 32;
const TILE_HEIGHT = 8;
const NODE = 0x01;

/** Takes a level, the index of a tile and how many of its first hashes are needed; returns at least these, one after the other. */
export type ReadTile = (level: number, index: number, width: number) => Uint8Array;

/** SHA-256, as 32 bytes. A proof takes hundreds of them: `Buffer` reads hex digits several times as fast as the pure folders can. */
export const sha256 = (bytes: Uint8Array, crypto: Crypto): Uint8Array => Buffer.from(crypto.sha256Hex(bytes), 'hex');

const NODE_BYTES = 1 + 2 * HASH_BYTES;

/** Folds 2^n sibling hashes, one after the other, to the hash above them (RFC 9162 section 2.1.1). */
export const fold = (hashes: Uint8Array, crypto: Crypto): Uint8Array => {
  if (hashes.length === HASH_BYTES) return hashes;
  const node = Buffer.alloc(NODE_BYTES, NODE);
  const parents = Buffer.alloc(hashes.length / 2);
  for (let at = 0; at < parents.length; at += HASH_BYTES) {
    node.set(hashes.subarray(2 * at, 2 * at + 2 * HASH_BYTES), 1);
    parents.write(crypto.sha256Hex(node), at, 'hex');
  }
  return fold(parents, crypto);
};

/** The largest power of two below n > 1. */
const splitOf = (n: number): number => {
  let power = 1;
  while (power * 2 < n) power *= 2;
  return power;
};
const isPowerOfTwo = (n: number): boolean => n === 1 || splitOf(n) * 2 === n;

/** MTH(D[from:to]) for a range that a split of RFC 9162 makes: a complete subtree lies in one tile, any other is split again. */
const rangeHash = (from: number, to: number, read: ReadTile, crypto: Crypto): Uint8Array => {
  const length = to - from;
  if (!isPowerOfTwo(length)) {
    const middle = from + splitOf(length);
    const [left, right] = [rangeHash(from, middle, read, crypto), rangeHash(middle, to, read, crypto)];
    return fold(Buffer.concat([left, right]), crypto);
  }
  const level = Math.floor(Math.log2(length) / TILE_HEIGHT);
  const span = TILE_WIDTH ** level;
  const [first, count] = [from / span, length / span];
  const offset = first % TILE_WIDTH;
  const tile = read(level, Math.floor(first / TILE_WIDTH), offset + count);
  return fold(tile.subarray(offset * HASH_BYTES, (offset + count) * HASH_BYTES), crypto);
};

/** Takes a count of records; returns the root of the tree of the first so many (RFC 9162 section 2.1.1), 32 bytes. */
export const rootOf = (size: number, read: ReadTile, crypto: Crypto): Uint8Array =>
  size === 0 ? sha256(new Uint8Array(), crypto) : rangeHash(0, size, read, crypto);

/** PATH(index, D[size]) of RFC 9162 section 2.1.3.1: the sibling hashes from the leaf up. */
export const inclusionPath = (index: number, size: number, read: ReadTile, crypto: Crypto): readonly Uint8Array[] => {
  const path: Uint8Array[] = [];
  let [from, to] = [0, size];
  while (to - from > 1) {
    const middle = from + splitOf(to - from);
    const [near, far] =
      index < middle
        ? [
            [from, middle],
            [middle, to],
          ]
        : [
            [middle, to],
            [from, middle],
          ];
    path.push(rangeHash(far[0]!, far[1]!, read, crypto));
    [from, to] = near as [number, number];
  }
  return path.reverse();
};
