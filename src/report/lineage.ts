import type { JsonObject } from '../base/json-value.ts';
import { COLLECTION_INFO, COLLECTIONS, type Collection } from '../evidence/collections.ts';
import { rowsOf, words } from './summary.ts';

/** A record of a bundle that nobody has checked, under the name that edges use for it. */
export type Kin = {
  readonly key: string;
  readonly collection: Collection;
  readonly id: string;
  readonly row: JsonObject;
};
/** An edge to a record, as seen from where it starts; null where the bundle has no such record. */
export type Child = { readonly relation: string; readonly key: string; readonly kin: Kin | null };

export const kinKey = (type: string, id: string): string => `${type} ${id}`;

const orderOf = ({ row }: Kin): number => Number(row.sequence ?? 0);

/**
 * What derives from what, by the edges that a bundle stores. Every record that is reached from a root has one home: the record through which it is
 * reached in the fewest steps, so that what is shared, or lies on a cycle, has its place once.
 */
export type Lineage = {
  /** Every record, by its key. */
  readonly kins: ReadonlyMap<string, Kin>;
  readonly roots: readonly Kin[];
  readonly childrenOf: (kin: Kin) => readonly Child[];
  /** The key of the home of a record; null of a root, undefined where no root leads to it. */
  readonly homeOf: (key: string) => string | null | undefined;
};

const kinsOf = (bundle: JsonObject): readonly Kin[] =>
  COLLECTIONS.flatMap((collection) =>
    rowsOf(bundle, collection).map((row) => {
      const { node, id: member } = COLLECTION_INFO[collection];
      const id = words(row[member]);
      return { key: kinKey(node, id), collection, id, row };
    }),
  );

const childrenByKey = (bundle: JsonObject, known: ReadonlyMap<string, Kin>): ReadonlyMap<string, readonly Child[]> => {
  const children = new Map<string, Child[]>();
  for (const edge of rowsOf(bundle, 'edges')) {
    const source = kinKey(words(edge.source_type), words(edge.source_id));
    const key = kinKey(words(edge.destination_type), words(edge.destination_id));
    const child = { relation: words(edge.relation), key, kin: known.get(key) ?? null };
    const same = children.get(source);
    if (same === undefined) children.set(source, [child]);
    else same.push(child);
  }
  const order = ({ kin }: Child): number => (kin === null ? 0 : orderOf(kin));
  for (const list of children.values()) list.sort((a, b) => order(a) - order(b));
  return children;
};

/** Takes a bundle of any shape, and which of its records are roots; returns what derives from them. */
export const lineageOf = (bundle: JsonObject, isRoot: (kin: Kin) => boolean): Lineage => {
  const kins = kinsOf(bundle);
  const known = new Map(kins.map((kin) => [kin.key, kin]));
  const children = childrenByKey(bundle, known);
  const roots = kins.filter(isRoot).sort((a, b) => orderOf(a) - orderOf(b));
  const homes = new Map<string, string | null>(roots.map(({ key }) => [key, null]));
  // In the order of a queue, each record is reached in the fewest steps first.
  const queue = roots.map(({ key }) => key);
  for (const key of queue) {
    for (const child of children.get(key) ?? []) {
      if (homes.has(child.key)) continue;
      homes.set(child.key, key);
      queue.push(child.key);
    }
  }
  return {
    kins: known,
    roots,
    childrenOf: ({ key }) => children.get(key) ?? [],
    homeOf: (key) => homes.get(key),
  };
};
