import { asciiBytes } from '../base/ascii.ts';
import { decodeUtf8 } from '../base/utf8.ts';
import type { Edge, Records } from '../evidence/bundle.ts';
import { COLLECTION_INFO, COLLECTIONS, type Collection } from '../evidence/collections.ts';
import type { BundleIds, IdIndex } from '../evidence/id-index.ts';
import { type NamedRows, NO_ROW, namedRows } from '../evidence/named-rows.ts';
import { edgeViews } from '../evidence/record-view.ts';
import { RELATIONS, type Relation } from '../evidence/relations.ts';
import type { RowTable } from '../evidence/row-table.ts';
import type { ScannedBundle } from '../evidence/scan-bundle.ts';
import { DERIVATION, type Held } from './derivation.ts';
import { payloadsOf, payloadText } from './derive.ts';
import { type Edges, Ends } from './ends.ts';

/** The edges of a bundle, and the numbers of the nodes that each joins: as `nodesOf` lists them. */
export type LinkedEdges = { readonly edges: Edges; readonly ends: Ends };

const token = (text: string): Uint8Array => asciiBytes(`"${text}"`);
const EMPTY = asciiBytes('{}');
const LABEL_NAME = '"edge_id":';

/** Of a relation that one member decides: what its edges say, which list holds the member, and which one it names. */
type HeldRule = {
  readonly source: Uint8Array;
  readonly destination: Uint8Array;
  readonly by: Held['by'];
  readonly member: string;
  readonly holders: Collection;
  readonly named: Collection;
};

const heldRule = ({ source, destination, by, member }: Held): HeldRule => ({
  source: token(COLLECTION_INFO[source].node),
  destination: token(COLLECTION_INFO[destination].node),
  by,
  member,
  holders: by === 'source' ? source : destination,
  named: by === 'source' ? destination : source,
});

/** One relation while the stored edges are held against it. */
class Judged {
  readonly relation: Relation;
  readonly word: Uint8Array;
  readonly held: HeldRule | null;
  /** Of a relation that one member decides: the row that each row's member names; made when the first edge asks. */
  named: NamedRows | null = null;
  /** Of a relation that no one member decides: S(e) of what is derived, and its ends; made when the first edge asks. */
  derived: ReadonlyMap<string, readonly [number, number]> | null = null;
  stored = 0;

  constructor({ relation, word, held }: (typeof RELATIONS_JUDGED)[number]) {
    this.relation = relation;
    this.word = word;
    this.held = held;
  }
}

const RELATIONS_JUDGED = (Object.keys(DERIVATION) as Relation[]).map((relation) => {
  const { held } = DERIVATION[relation];
  return { relation, word: token(relation), held: held === undefined ? null : heldRule(held) };
});

/** The number of the first node of each collection, as `nodesOf` lists them. */
const firstsOf = (bundle: ScannedBundle): Readonly<Record<Collection, number>> => {
  const firsts: Partial<Record<Collection, number>> = {};
  let first = 0;
  for (const collection of COLLECTIONS) {
    firsts[collection] = first;
    first += bundle[collection].length;
  }
  return firsts as Readonly<Record<Collection, number>>;
};

const memberNumbers = (edges: RowTable): Readonly<Record<keyof Edge, number>> => ({
  destination_id: edges.memberNamed('destination_id'),
  destination_type: edges.memberNamed('destination_type'),
  edge_id: edges.memberNamed('edge_id'),
  metadata: edges.memberNamed('metadata'),
  relation: edges.memberNamed('relation'),
  source_id: edges.memberNamed('source_id'),
  source_type: edges.memberNamed('source_type'),
});

/** Holds the stored edges against the records, whose fields say which edges there are (FORMAT.md section 10). */
class TableEdges {
  private readonly edges: RowTable;
  private readonly bundle: ScannedBundle;
  private readonly ids: BundleIds;
  private readonly records: Records;
  private readonly relations = RELATIONS_JUDGED.map((one) => new Judged(one));
  private readonly firsts: Readonly<Record<Collection, number>>;
  private last = this.relations[0]!;
  /** The ends of the edge in question. */
  private source = 0;
  private destination = 0;
  private readonly at: Readonly<Record<keyof Edge, number>>;

  constructor(bundle: ScannedBundle, ids: BundleIds, records: Records) {
    this.edges = bundle.edges;
    this.bundle = bundle;
    this.ids = ids;
    this.records = records;
    this.firsts = firstsOf(bundle);
    this.at = memberNumbers(bundle.edges);
  }

  check(): LinkedEdges | null {
    const { edges } = this;
    const ends = new Ends(edges.length);
    for (let row = 0; row < edges.length; row++) {
      const relation = this.relationOf(row);
      if (relation === null || !this.isEdge(row, relation)) return null;
      ends.join(row, relation.relation, this.source, this.destination);
    }
    return this.relations.every((relation) => this.isWhole(relation)) ? { edges: edgeViews(edges), ends } : null;
  }

  /** Most edges are of the relation of the one before. */
  private relationOf(row: number): Judged | null {
    this.edges.row(row);
    if (!this.stands(this.at.relation, this.last.word))
      this.last = this.relations.find(({ word }) => this.stands(this.at.relation, word)) ?? this.last;
    return this.stands(this.at.relation, this.last.word) ? this.last : null;
  }

  /** Whether a member of the edge that was located last is this token. */
  private stands(member: number, token: Uint8Array): boolean {
    return this.edges.stands(this.edges.startOf(member), token, 0, token.length);
  }

  /** Whether the records have an edge, which was located last; sets its ends. */
  private isEdge(row: number, judging: Judged): boolean {
    judging.stored++;
    const { held } = judging;
    if (held === null) return this.isDerived(row, judging);
    if (judging.named === null) {
      judging.named = this.namedBy(held);
      this.edges.row(row);
    }
    const { at, ids, firsts } = this;
    if (!this.stands(at.source_type, held.source) || !this.stands(at.destination_type, held.destination)) return false;
    if (!this.stands(at.metadata, EMPTY)) return false;
    const isSource = held.by === 'source';
    const [holderId, namedId] = isSource ? [at.source_id, at.destination_id] : [at.destination_id, at.source_id];
    const holder = this.rowNamed(holderId, ids[held.holders]);
    const named = holder === NO_ROW ? NO_ROW : judging.named.rows[holder]!;
    if (named === NO_ROW || !this.isIdOf(named, namedId, ids[held.named])) return false;
    this.source = isSource ? firsts[held.holders] + holder : firsts[held.named] + named;
    this.destination = isSource ? firsts[held.named] + named : firsts[held.holders] + holder;
    return true;
  }

  /** The row of the id that a member of the edge that was located last holds. */
  private rowNamed(member: number, ids: IdIndex): number {
    return ids.rowAt(this.edges.bytes, this.edges.startOf(member) + 1, this.edges.endOf(member) - 1);
  }

  private isIdOf(row: number, member: number, { ids }: IdIndex): boolean {
    return ids.isAt(row, this.edges.bytes, this.edges.startOf(member) + 1, this.edges.endOf(member) - 1);
  }

  private isDerived(row: number, judging: Judged): boolean {
    judging.derived ??= this.derive(judging.relation);
    const { edges, at } = this;
    edges.row(row);
    const { bytes, start, end } = edges;
    // What stands there is S(e) but for the label within it.
    const label = edges.startOf(at.edge_id) - LABEL_NAME.length;
    const text =
      decodeUtf8(bytes.subarray(start, label))! + decodeUtf8(bytes.subarray(edges.endOf(at.edge_id) + 1, end))!;
    const ends = judging.derived.get(text);
    if (ends === undefined) return false;
    [this.source, this.destination] = ends;
    return true;
  }

  private derive(relation: Relation): NonNullable<Judged['derived']> {
    const nodeOf = (collection: Collection, id: string): number | null => {
      const row = this.ids[collection].rowOf(id);
      return row === NO_ROW ? null : this.firsts[collection] + row;
    };
    const derived = new Map<string, readonly [number, number]>();
    const most = this.edges.length;
    for (const { edge, source, destination } of payloadsOf(relation, this.records, nodeOf)) {
      derived.set(payloadText(edge), [source, destination]);
      if (derived.size > most) break;
    }
    return derived;
  }

  private namedBy({ holders, named, member }: HeldRule): NamedRows {
    return namedRows(this.bundle[holders], member, this.ids[named]);
  }

  private isEmpty(ends: readonly Collection[]): boolean {
    return ends.every((collection) => this.bundle[collection].length === 0);
  }

  /** Whether as many edges are stored as the records have. */
  private isWhole({ relation, held, named, derived, stored }: Judged): boolean {
    if (RELATIONS[relation].some((ends) => this.isEmpty(ends))) return stored === 0;
    if (held === null) return (derived ?? this.derive(relation)).size === stored;
    return (named ?? this.namedBy(held)).count === stored;
  }
}

/**
 * Takes a bundle whose labels are right, and in order; returns its edges when they are exactly those that derive from the records, else null: `deriveEdges`
 * tells what they should be.
 */
export const tableEdges = (bundle: ScannedBundle, ids: BundleIds, records: Records): LinkedEdges | null =>
  new TableEdges(bundle, ids, records).check();
