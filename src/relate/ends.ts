import type { Edge } from '../evidence/bundle.ts';
import { RELATIONS, type Relation } from '../evidence/relations.ts';
import type { Node } from './nodes.ts';

/** Values by type and id, which are two keys: one made of both would be a new string for each question. */
export class ByNode<V> {
  private readonly types = new Map<string, Map<string, V>>();

  get(type: string, id: string): V | undefined {
    return this.types.get(type)?.get(id);
  }

  set(type: string, id: string, value: V): void {
    const ids = this.types.get(type);
    if (ids === undefined) this.types.set(type, new Map([[id, value]]));
    else ids.set(id, value);
  }
}

/** Edges by number. */
export type Edges = { readonly length: number; readonly at: (index: number) => Edge | undefined };

const NUMBERS = Object.fromEntries(Object.keys(RELATIONS).map((relation, number) => [relation, number])) as Readonly<
  Record<Relation, number>
>;
const RELATION_COUNT = Object.keys(RELATIONS).length;
const NO_NODE = -1;

/** Numbers in the order of their keys, and of each key where its numbers start. */
export type Grouped = { readonly numbers: Int32Array; readonly firsts: Int32Array };

/** Takes numbers and the key below `count` of each; those of one key stay in their order. */
export const groupedBy = (numbers: Int32Array, keys: ArrayLike<number>, count: number): Grouped => {
  const firsts = new Int32Array(count + 1);
  for (let at = 0; at < numbers.length; at++) firsts[keys[numbers[at]!]! + 1]!++;
  for (let key = 0; key < count; key++) firsts[key + 1]! += firsts[key]!;
  const nexts = firsts.slice();
  const grouped = new Int32Array(numbers.length);
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at]!;
    grouped[nexts[keys[number]!]!++] = number;
  }
  return { numbers: grouped, firsts };
};

/** Of edges, by number: relation, and the numbers of the nodes that it joins in a list of nodes. */
export class Ends {
  readonly sources: Int32Array;
  readonly destinations: Int32Array;
  /** As `relationNumber` numbers them. */
  readonly relations: Uint8Array;

  constructor(edges: number) {
    this.sources = new Int32Array(edges).fill(NO_NODE);
    this.destinations = new Int32Array(edges).fill(NO_NODE);
    this.relations = new Uint8Array(edges);
  }

  join(edge: number, relation: Relation, source: number, destination: number): void {
    this.relations[edge] = NUMBERS[relation];
    this.sources[edge] = source;
    this.destinations[edge] = destination;
  }

  relationNumber(relation: Relation): number {
    return NUMBERS[relation];
  }

  /** The edges both of whose nodes are there, relation by relation. */
  byRelation(): Int32Array {
    const joined = new Int32Array(this.relations.length);
    let count = 0;
    for (let edge = 0; edge < joined.length; edge++) {
      if (this.sources[edge] !== NO_NODE && this.destinations[edge] !== NO_NODE) joined[count++] = edge;
    }
    return groupedBy(joined.subarray(0, count), this.relations, RELATION_COUNT).numbers;
  }
}

/** Takes nodes and edges; returns which of these nodes each edge joins. */
export const findEnds = (nodes: readonly Node[], edges: Edges): Ends => {
  const known = new ByNode<number>();
  for (const [at, node] of nodes.entries()) known.set(node.type, node.id, at);
  const ends = new Ends(edges.length);
  for (let at = 0; at < edges.length; at++) {
    const { relation, source_type, source_id, destination_type, destination_id } = edges.at(at)!;
    const source = known.get(source_type, source_id) ?? NO_NODE;
    ends.join(at, relation, source, known.get(destination_type, destination_id) ?? NO_NODE);
  }
  return ends;
};
