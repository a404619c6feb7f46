import { COLLECTIONS, type Collection } from './collections.ts';
import type { RecordTable } from './record-table.ts';
import type { ScannedBundle } from './scan-bundle.ts';

/** The rows in the order of their ids; null where they stand so. Ids are ASCII: their order in UTF-16 is that of their bytes. */
const rowsInOrder = (ids: readonly string[]): readonly number[] | null => {
  for (let row = 1; row < ids.length; row++) {
    if (ids[row - 1]! > ids[row]!) return ids.map((_, at) => at).sort((a, b) => (ids[a]! < ids[b]! ? -1 : 1));
  }
  return null;
};

/** The ids of the rows of one list, which are unique: by row, and the row of each. */
export class IdIndex {
  readonly ids: readonly string[];
  readonly inOrder: readonly number[] | null;
  private readonly rows: ReadonlyMap<string, number>;

  private constructor(ids: readonly string[], rows: ReadonlyMap<string, number>) {
    this.ids = ids;
    this.rows = rows;
    this.inOrder = rowsInOrder(ids);
  }

  /** Null when an id is used twice. */
  static of({ ids }: RecordTable): IdIndex | null {
    const rows = new Map<string, number>();
    for (let row = 0; row < ids.length; row++) rows.set(ids[row]!, row);
    return rows.size === ids.length ? new IdIndex(ids, rows) : null;
  }

  /** The row of an id, or −1. */
  rowOf(id: string): number {
    return this.rows.get(id) ?? -1;
  }
}

export type BundleIds = Readonly<Record<Collection, IdIndex>>;

/** The ids of a bundle; null when one is used twice in its collection. */
export const idsOf = (bundle: ScannedBundle): BundleIds | null => {
  const all: Partial<Record<Collection, IdIndex>> = {};
  for (const collection of COLLECTIONS) {
    const index = IdIndex.of(bundle[collection]);
    if (index === null) return null;
    all[collection] = index;
  }
  return all as BundleIds;
};
