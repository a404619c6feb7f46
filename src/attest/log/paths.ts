/** Hashes of a full tile, and entries of a full bundle (C2SP tlog-tiles, "Merkle Tree"). */
export const TILE_WIDTH = 256;

/** A level of hashes (0 holds the leaves), or the bundles of entries beside level 0. */
export type TileKind = number | 'entries';

/** Takes a level, the index of a tile within it and its width; returns its path below the log's folder (C2SP tlog-tiles): 1234067 is `x001/x234/067`. */
export const tilePath = (kind: TileKind, index: number, width: number): string => {
  const digits = String(index);
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/\d{3}/g)!;
  const name = groups.map((group, i) => (i < groups.length - 1 ? `x${group}` : group)).join('/');
  return `tile/${kind}/${name}${width === TILE_WIDTH ? '' : `.p/${width}`}`;
};

/** How wide a tile is in the tree of that many records; 0 when it is not there. */
export const tileWidth = (level: number, index: number, size: number): number =>
  Math.max(0, Math.min(TILE_WIDTH, Math.floor(size / TILE_WIDTH ** level) - index * TILE_WIDTH));
