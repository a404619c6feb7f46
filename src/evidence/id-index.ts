import { encodeUtf8 } from '../base/utf8.ts';
import { COLLECTIONS, type Collection } from './collections.ts';
import type { IdList } from './id-list.ts';
import type { ScannedBundle } from './scan-bundle.ts';

const NO_ROW = -1;
/** FNV-1a of 32 bits. */
const FNV_BASIS = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
/** Whoever writes the ids can choose them so that they fall into one place: such a list has no index, and is put to the steps that need none. */
const MOST_STEPS = 512;

const hashOf = (bytes: Uint8Array, start: number, end: number): number => {
  let hash = FNV_BASIS;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, FNV_PRIME);
  // The lowest bits choose the place, and are the least mixed.
  return (hash ^ (hash >>> 15)) >>> 0;
};

/** The rows in the order of their ids; null where they stand so. */
const rowsInOrder = (ids: IdList): Uint32Array | null => {
  for (let row = 1; row < ids.length; row++) {
    if (ids.compare(row - 1, row) > 0)
      return Uint32Array.from({ length: ids.length }, (_, at) => at).sort((one, other) => ids.compare(one, other));
  }
  return null;
};

/** The ids of the rows of one list, which are unique: by row, and the row of each. */
export class IdIndex {
  readonly ids: IdList;
  /** The rows in the order of their ids; null where they stand so. */
  readonly inOrder: Uint32Array | null;
  /** Rows, each plus one, at the place of their hash or soon after it. */
  private readonly places: Int32Array;

  private constructor(ids: IdList, places: Int32Array) {
    this.ids = ids;
    this.places = places;
    this.inOrder = rowsInOrder(ids);
  }

  /** Null when an id is used twice, or the ids were chosen against the index. */
  static of(ids: IdList): IdIndex | null {
    // A quarter is used at the most.
    const places = new Int32Array(4 << (32 - Math.clz32(ids.length)));
    for (let row = 0; row < ids.length; row++) {
      const place = placeOf(ids, places, ids.bytes, ids.startOf(row), ids.endOf(row));
      if (place < 0 || places[place] !== 0) return null;
      places[place] = row + 1;
    }
    return new IdIndex(ids, places);
  }

  /** The row of an id that stands in some bytes, or −1. */
  rowAt(bytes: Uint8Array, start: number, end: number): number {
    const place = placeOf(this.ids, this.places, bytes, start, end);
    return place < 0 ? NO_ROW : this.places[place]! - 1;
  }

  /** The row of an id, or −1. */
  rowOf(id: string): number {
    const bytes = encodeUtf8(id);
    return this.rowAt(bytes, 0, bytes.length);
  }
}

/** Where an id stands in the places, or would; −1 where that is too far from the place of its hash. */
const placeOf = (ids: IdList, places: Int32Array, bytes: Uint8Array, start: number, end: number): number => {
  const last = places.length - 1;
  let place = hashOf(bytes, start, end) & last;
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    const row = places[place]! - 1;
    if (row < 0 || ids.isAt(row, bytes, start, end)) return place;
    place = (place + 1) & last;
  }
  return -1;
};

export type BundleIds = Readonly<Record<Collection, IdIndex>>;

/** The ids of a bundle; null when one is used twice in its collection. */
export const idsOf = (bundle: ScannedBundle): BundleIds | null => {
  const all: Partial<Record<Collection, IdIndex>> = {};
  for (const collection of COLLECTIONS) {
    const index = IdIndex.of(bundle[collection].ids);
    if (index === null) return null;
    all[collection] = index;
  }
  return all as BundleIds;
};
