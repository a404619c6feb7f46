import { asciiText } from '../base/ascii.ts';
import { COLLECTION_INFO, COLLECTIONS, type Collection } from './collections.ts';
import type { RowTable } from './row-table.ts';
import type { ScannedBundle } from './scan-bundle.ts';

/** The ids of the rows of one list, which are unique: by row, and the row of each. */
export class IdIndex {
  readonly ids: string[] = [];
  private readonly rows = new Map<string, number>();

  /** Takes the rows and the member that holds their id; null when an id is used twice. */
  static of(table: RowTable, member: string): IdIndex | null {
    const index = new IdIndex();
    const at = table.memberNamed(member);
    for (let row = 0; row < table.length; row++) {
      table.value(row, at);
      const id = asciiText(table.bytes, table.start + 1, table.end - 1);
      index.ids.push(id);
      index.rows.set(id, row);
    }
    return index.rows.size === table.length ? index : null;
  }

  /** The row of an id, or −1. */
  rowOf(id: string): number {
    return this.rows.get(id) ?? -1;
  }

  /** The rows in the order of their ids; null where they stand so. Ids are ASCII: their order in UTF-16 is that of their bytes. */
  get inOrder(): readonly number[] | null {
    const { ids } = this;
    for (let row = 1; row < ids.length; row++) {
      if (ids[row - 1]! > ids[row]!) return ids.map((_, at) => at).sort((a, b) => (ids[a]! < ids[b]! ? -1 : 1));
    }
    return null;
  }
}

export type BundleIds = Readonly<Record<Collection, IdIndex>>;

/** The ids of a bundle; null when one is used twice in its collection. */
export const idsOf = (bundle: ScannedBundle): BundleIds | null => {
  const all: Partial<Record<Collection, IdIndex>> = {};
  for (const collection of COLLECTIONS) {
    const index = IdIndex.of(bundle[collection], COLLECTION_INFO[collection].id);
    if (index === null) return null;
    all[collection] = index;
  }
  return all as BundleIds;
};
