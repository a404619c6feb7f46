import type { Crypto } from '../../base/crypto.ts';
import { fold, HASH_BYTES, rootOf, sha256 } from './merkle.ts';
import { TILE_WIDTH, type TileKind, tilePath } from './paths.ts';

/** A file of the log: its path below the folder, and what it holds. */
export type TileFile = { readonly path: string; readonly bytes: Uint8Array; readonly isFull: boolean };

/**
 * The right edge of the log's tree. It stays in memory, so that a tile that is damaged on the disk can never come into a root that is signed.
 */
export type Tree = {
  readonly size: number;
  /** Takes the 32 bytes of a record hash; returns the tiles and the bundle that it fills. */
  append(recordHash: Uint8Array): readonly TileFile[];
  /** The tiles and the bundle that are not full, and that are others than those of the tree of `before` records. */
  partials(before: number): readonly TileFile[];
  root(): Uint8Array;
};

const LEAF = Buffer.of(0);
const ENTRY_LENGTH = Buffer.of(0, HASH_BYTES);

/** Takes nothing but the hash function; returns the empty tree. */
export const createTree = (crypto: Crypto): Tree => {
  /** Of each level the hashes of its last tile, which is not full. */
  const edge: Uint8Array[][] = [];
  let entries: Uint8Array[] = [];
  let size = 0;

  const countOf = (level: number, of: number): number => Math.floor(of / TILE_WIDTH ** level);
  const fileOf = (kind: TileKind, pieces: readonly Uint8Array[], width: number, count: number): TileFile => ({
    path: tilePath(kind, Math.floor((count - 1) / TILE_WIDTH), width),
    bytes: Buffer.concat(pieces),
    isFull: width === TILE_WIDTH,
  });
  /** Hangs a hash on a level; a tile that it fills becomes a hash of the level above. */
  const grow = (level: number, hash: Uint8Array): readonly TileFile[] => {
    edge[level] ??= [];
    const hashes = edge[level];
    hashes.push(hash);
    if (hashes.length < TILE_WIDTH) return [];
    edge[level] = [];
    const tile = fileOf(level, hashes, TILE_WIDTH, countOf(level, size));
    return [tile, ...grow(level + 1, fold(tile.bytes, crypto))];
  };

  return {
    get size() {
      return size;
    },
    append: (recordHash) => {
      size++;
      entries.push(ENTRY_LENGTH, recordHash);
      const tiles = grow(0, sha256(Buffer.concat([LEAF, recordHash]), crypto));
      if (tiles.length === 0) return [];
      const bundle = fileOf('entries', entries, TILE_WIDTH, size);
      entries = [];
      return [bundle, ...tiles];
    },
    partials: (before) => {
      const tiles = edge.flatMap((hashes, level) => {
        const count = countOf(level, size);
        return hashes.length === 0 || count === countOf(level, before)
          ? []
          : [fileOf(level, hashes, hashes.length, count)];
      });
      return entries.length === 0 || size === before
        ? tiles
        : [fileOf('entries', entries, entries.length / 2, size), ...tiles];
    },
    // A complete subtree of the right edge lies in the last tile of its level.
    root: () => rootOf(size, (level) => Buffer.concat(edge[level]!), crypto),
  };
};
