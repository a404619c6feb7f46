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

const RELATION_NAMES = Object.keys(RELATIONS) as Relation[];
const NO_NODE = -1;

/** Of edges, by number: relation, and the numbers of the nodes that it joins in a list of nodes. */
export class Ends {
  readonly sources: Int32Array;
  readonly destinations: Int32Array;
  private readonly relations: Uint8Array;

  constructor(edges: number) {
    this.sources = new Int32Array(edges).fill(NO_NODE);
    this.destinations = new Int32Array(edges).fill(NO_NODE);
    this.relations = new Uint8Array(edges);
  }

  join(edge: number, relation: Relation, source: number, destination: number): void {
    this.relations[edge] = RELATION_NAMES.indexOf(relation);
    this.sources[edge] = source;
    this.destinations[edge] = destination;
  }

  /** The edges of a relation, both of whose nodes are there. */
  of(relation: Relation): Int32Array {
    const wanted = RELATION_NAMES.indexOf(relation);
    const edges: number[] = [];
    for (let edge = 0; edge < this.relations.length; edge++) {
      const isJoined = this.sources[edge] !== NO_NODE && this.destinations[edge] !== NO_NODE;
      if (isJoined && this.relations[edge] === wanted) edges.push(edge);
    }
    return Int32Array.from(edges);
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
