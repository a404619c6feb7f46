import { asciiBytes } from '../base/ascii.ts';
import { decodeUtf8 } from '../base/utf8.ts';
import type { Edge, Records } from '../evidence/bundle.ts';
import { COLLECTION_INFO, COLLECTIONS, type Collection } from '../evidence/collections.ts';
import type { BundleIds, IdIndex } from '../evidence/id-index.ts';
import { type NamedRows, NO_ROW, namedRows } from '../evidence/named-rows.ts';
import { edgeViews } from '../evidence/record-view.ts';
import type { Relation } from '../evidence/relations.ts';
import type { RowTable } from '../evidence/row-table.ts';
import type { ScannedBundle } from '../evidence/scan-bundle.ts';
import { DERIVATION, type Held } from './derivation.ts';
import { payloadsOf, payloadText } from './derive.ts';
import { type Edges, Ends } from './ends.ts';

/** The edges of a bundle, and the numbers of the nodes that each joins: as `nodesOf` lists them. */
export type LinkedEdges = { readonly edges: Edges; readonly ends: Ends };

const token = (text: string): Uint8Array => asciiBytes(`"${text}"`);
const EMPTY = asciiBytes('{}');

type Tokens = { readonly rule: Held; readonly source: Uint8Array; readonly destination: Uint8Array };

/** One relation while the stored edges are held against it. */
class Judged {
  readonly relation: Relation;
  readonly word: Uint8Array;
  readonly held: Tokens | null;
  /** Of a relation that one member decides: the row that each row's member names; made when the first edge asks. */
  named: Int32Array | null = null;
  /** Of a relation that no one member decides: what is derived, made when the first edge asks. */
  derived: ReadonlySet<string> | null = null;
  stored = 0;

  constructor({ relation, word, held }: (typeof RELATIONS_JUDGED)[number]) {
    this.relation = relation;
    this.word = word;
    this.held = held;
  }
}

const RELATIONS_JUDGED = (Object.keys(DERIVATION) as Relation[]).map((relation) => {
  const rule = DERIVATION[relation].held ?? null;
  const held: Tokens | null = rule && {
    rule,
    source: token(COLLECTION_INFO[rule.source].node),
    destination: token(COLLECTION_INFO[rule.destination].node),
  };
  return { relation, word: token(relation), held };
});

/** Holds the stored edges against the records, whose fields say which edges there are (FORMAT.md section 10). */
class TableEdges {
  private readonly edges: RowTable;
  private readonly bundle: ScannedBundle;
  private readonly ids: BundleIds;
  private readonly records: Records;
  private readonly relations = RELATIONS_JUDGED.map((one) => new Judged(one));
  /** The number of the first node of each collection, and of the ends of the edge in question. */
  private readonly firsts: Readonly<Record<Collection, number>>;
  private last = this.relations[0]!;
  private source = 0;
  private destination = 0;
  private readonly at: Readonly<Record<keyof Edge, number>>;

  constructor(bundle: ScannedBundle, ids: BundleIds, records: Records) {
    this.edges = bundle.edges;
    this.bundle = bundle;
    this.ids = ids;
    this.records = records;
    const firsts: Partial<Record<Collection, number>> = {};
    let first = 0;
    for (const collection of COLLECTIONS) {
      firsts[collection] = first;
      first += bundle[collection].length;
    }
    this.firsts = firsts as Readonly<Record<Collection, number>>;
    const members = bundle.edges.members.map(({ name }, index) => [name, index]);
    this.at = Object.fromEntries(members) as Readonly<Record<keyof Edge, number>>;
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

  /** Whether the records have an edge; sets its ends. */
  private isEdge(row: number, judging: Judged): boolean {
    judging.stored++;
    const { edges, at, ids } = this;
    const { held } = judging;
    if (held === null) return this.isDerived(row, judging);
    edges.row(row);
    if (!this.stands(at.source_type, held.source) || !this.stands(at.destination_type, held.destination)) return false;
    if (!this.stands(at.metadata, EMPTY)) return false;
    const { source, destination, by } = held.rule;
    const sourceRow = this.rowNamed(at.source_id, ids[source]);
    const destinationRow = this.rowNamed(at.destination_id, ids[destination]);
    if (sourceRow < 0 || destinationRow < 0) return false;
    judging.named ??= this.named(held.rule).rows;
    const [holder, other] = by === 'source' ? [sourceRow, destinationRow] : [destinationRow, sourceRow];
    if (judging.named[holder] !== other) return false;
    this.source = this.firsts[source] + sourceRow;
    this.destination = this.firsts[destination] + destinationRow;
    return true;
  }

  /** The row of the id that a member of the edge that was located last holds. */
  private rowNamed(member: number, ids: IdIndex): number {
    return ids.rowAt(this.edges.bytes, this.edges.startOf(member) + 1, this.edges.endOf(member) - 1);
  }

  private isDerived(row: number, judging: Judged): boolean {
    this.edges.row(row);
    const { bytes, start, end } = this.edges;
    const stored = JSON.parse(decodeUtf8(bytes.subarray(start, end))!) as Edge;
    judging.derived ??= this.derive(judging.relation);
    if (!judging.derived.has(payloadText(stored))) return false;
    this.source = this.nodeOf(stored.source_type, stored.source_id);
    this.destination = this.nodeOf(stored.destination_type, stored.destination_id);
    return true;
  }

  /** Of an edge that was derived, so that its ends are there. */
  private nodeOf(type: string, id: string): number {
    const collection = COLLECTIONS.find((name) => COLLECTION_INFO[name].node === type)!;
    return this.firsts[collection] + this.ids[collection].rowOf(id);
  }

  private derive(relation: Relation): ReadonlySet<string> {
    const has = (collection: Collection, id: string): boolean => this.ids[collection].rowOf(id) >= 0;
    const texts = new Set<string>();
    const most = this.edges.length;
    for (const payload of payloadsOf(relation, this.records, has)) {
      texts.add(payloadText(payload));
      if (texts.size > most) break;
    }
    return texts;
  }

  private named({ source, destination, by, member }: Held): NamedRows {
    const [holders, target] = by === 'source' ? [source, destination] : [destination, source];
    return namedRows(this.bundle[holders], member, this.ids[target]);
  }

  /** Whether as many edges are stored as the records have. */
  private isWhole({ relation, held, named, derived, stored }: Judged): boolean {
    if (held === null) return (derived ?? this.derive(relation)).size === stored;
    let left = -stored;
    for (const row of named ?? this.named(held.rule).rows) if (row !== NO_ROW) left++;
    return left === 0;
  }
}

/**
 * Takes a bundle whose labels are right, and in order; returns its edges when they are exactly those that derive from the records, else null: `deriveEdges`
 * tells what they should be.
 */
export const tableEdges = (bundle: ScannedBundle, ids: BundleIds, records: Records): LinkedEdges | null =>
  new TableEdges(bundle, ids, records).check();
