import type { JsonObject } from '../base/json-value.ts';
import type { Collection } from '../evidence/collections.ts';
import { lineOf } from './line.ts';
import { type Kin, type Lineage, lineageOf } from './lineage.ts';

/** A line of the tree: a record, how it is reached, and how deep it stands below its root (0). */
export type TreeRow = {
  readonly depth: number;
  /** The relation of the edge that leads here; null of a root. */
  readonly relation: string | null;
  readonly collection: Collection | null;
  readonly id: string;
  readonly line: string;
  /** Where its own children stand, when that is elsewhere: the id of the record it was reached from first; null when they stand here. */
  readonly under: string | null;
  /** Records below it that are not shown, because they stand too deep. */
  readonly below: number;
};
export type Tree = {
  readonly rows: readonly TreeRow[];
  /** Lines past the bound. */
  readonly left: number;
  /** Records that no root leads to; what the trace says of itself is not counted. */
  readonly apart: number;
};

const ROWS = 5000;
const DEPTH = 16;

/** Walks without recursion: a chain is as long as a stranger makes it. */
const rowsOf = (lineage: Lineage): { readonly rows: TreeRow[]; readonly left: number } => {
  const rows: TreeRow[] = [];
  let left = 0;
  // An edge may be stored twice, which nobody has checked here.
  const expanded = new Set<string>();
  const add = (row: TreeRow): void => {
    if (rows.length < ROWS) rows.push(row);
    else left++;
  };
  const stack: {
    readonly kin: Kin;
    readonly relation: string | null;
    readonly depth: number;
    readonly from: Kin | null;
  }[] = [...lineage.roots].reverse().map((kin) => ({ kin, relation: null, depth: 0, from: null }));
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { kin, relation, depth, from } = next;
    const home = lineage.homeOf(kin.key);
    const elsewhere = from !== null && (home !== from.key || expanded.has(kin.key));
    if (!elsewhere) expanded.add(kin.key);
    const children = elsewhere ? [] : lineage.childrenOf(kin);
    const line = lineOf(kin.collection, kin.row);
    const under = elsewhere ? (lineage.kins.get(home ?? '')?.id ?? kin.id) : null;
    const deep = depth >= DEPTH;
    add({ depth, relation, collection: kin.collection, id: kin.id, line, under, below: deep ? children.length : 0 });
    if (deep) continue;
    for (const child of [...children].reverse()) {
      if (child.kin !== null) stack.push({ kin: child.kin, relation: child.relation, depth: depth + 1, from: kin });
      else
        add({
          depth: depth + 1,
          relation: child.relation,
          collection: null,
          id: child.key,
          line: 'no such record',
          under: null,
          below: 0,
        });
    }
  }
  return { rows, left };
};

/**
 * What derives from the exchanges of a bundle of any shape, or from the records of one id, as lines of a tree. A record that is reached twice has its
 * children where fewest steps lead to it, and is named elsewhere.
 */
export const treeOf = (bundle: JsonObject, id: string | null): Tree => {
  const lineage = lineageOf(bundle, (kin) => (id === null ? kin.collection === 'exchanges' : kin.id === id));
  const apart = [...lineage.kins.values()].filter(
    ({ key, collection }) => collection !== 'trace_metadata' && lineage.homeOf(key) === undefined,
  ).length;
  return { ...rowsOf(lineage), apart };
};
