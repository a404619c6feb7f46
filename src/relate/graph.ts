import type { Edge, RecordOf, Records } from '../evidence/bundle.ts';
import { COLLECTION_INFO, COLLECTIONS, type Collection, type NodeType } from '../evidence/collections.ts';
import { type DestinationOf, RELATIONS, type Relation, type SourceOf } from '../evidence/relations.ts';

/** A record in the graph, under the name that edges and findings use for it. */
export type Node<C extends Collection = Collection> = {
  readonly collection: C;
  readonly type: NodeType;
  readonly id: string;
  readonly record: RecordOf<C>;
};
/** An edge together with the node at its other end. */
export type Link<C extends Collection = Collection> = { readonly edge: Edge; readonly node: Node<C> };
/** What a path or a set of evidence is made of. */
export type Element = Node | Edge;

export const isEdge = (element: Element): element is Edge => 'edge_id' in element;
export const elementKey = (element: Element): string =>
  isEdge(element) ? `edge ${element.edge_id}` : `${element.type} ${element.id}`;

/** Records joined by derived edges: all that a rule sees. Nodes come in sequence order, links in the order of their node. */
export type Graph = {
  readonly nodes: <C extends Collection>(collection: C) => readonly Node<C>[];
  /** Links of the edges that arrive at a node. */
  readonly sources: <R extends Relation>(node: Node<DestinationOf<R>>, relation: R) => readonly Link<SourceOf<R>>[];
  /** Links of the edges that leave a node. */
  readonly targets: <R extends Relation>(node: Node<SourceOf<R>>, relation: R) => readonly Link<DestinationOf<R>>[];
};

export const nodesOf = (records: Records): readonly Node[] =>
  COLLECTIONS.flatMap((collection) =>
    records[collection].map((record) => {
      const { id, node } = COLLECTION_INFO[collection];
      return { collection, type: node, id: (record as Readonly<Record<string, unknown>>)[id] as string, record };
    }),
  );

/** Sorts by sequence, in place; each sequence is read once. A capture numbers what it sees as it comes, so most lists stand in order already. */
const sortBySequence = <T>(items: T[], nodeOf: (item: T) => Node): void => {
  if (items.length < 2) return;
  const sequences = items.map((item) => nodeOf(item).record.sequence);
  if (sequences.every((sequence, at) => at === 0 || sequences[at - 1]! <= sequence)) return;
  const keyed = items.map((item, at) => ({ item, sequence: sequences[at]! }));
  keyed.sort((a, b) => a.sequence - b.sequence);
  for (const [at, { item }] of keyed.entries()) items[at] = item;
};

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

const NO_LINKS: readonly Link[] = [];

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

  /** The edges of each relation, both of whose nodes are there. */
  byRelation(): ReadonlyMap<Relation, readonly number[]> {
    const numbers = RELATION_NAMES.map((): number[] => []);
    for (let edge = 0; edge < this.relations.length; edge++) {
      const isJoined = this.sources[edge] !== NO_NODE && this.destinations[edge] !== NO_NODE;
      if (isJoined) numbers[this.relations[edge]!]!.push(edge);
    }
    return new Map(RELATION_NAMES.map((relation, at) => [relation, numbers[at]!]));
  }
}

/** The links at one end of the edges; those of a relation are sorted out when a rule first asks for it. */
class Links {
  private readonly edges: Edges;
  private readonly byRelation: ReadonlyMap<Relation, readonly number[]>;
  private readonly nodes: readonly Node[];
  private readonly here: Int32Array;
  private readonly there: Int32Array;
  private readonly relations = new Map<Relation, ReadonlyMap<Node, readonly Link[]>>();

  constructor(
    edges: Edges,
    byRelation: ReadonlyMap<Relation, readonly number[]>,
    nodes: readonly Node[],
    [here, there]: readonly [Int32Array, Int32Array],
  ) {
    this.edges = edges;
    this.byRelation = byRelation;
    this.nodes = nodes;
    this.here = here;
    this.there = there;
  }

  at(relation: Relation, node: Node): readonly Link[] {
    let links = this.relations.get(relation);
    if (links === undefined) {
      links = this.sorted(this.byRelation.get(relation) ?? []);
      this.relations.set(relation, links);
    }
    return links.get(node) ?? NO_LINKS;
  }

  private sorted(numbers: readonly number[]): ReadonlyMap<Node, readonly Link[]> {
    const links = new Map<Node, Link[]>();
    for (const at of numbers) {
      const node = this.nodes[this.here[at]!]!;
      const link = { edge: this.edges.at(at)!, node: this.nodes[this.there[at]!]! };
      const same = links.get(node);
      if (same === undefined) links.set(node, [link]);
      else same.push(link);
    }
    for (const same of links.values()) sortBySequence(same, ({ node }) => node);
    return links;
  }
}

const findEnds = (nodes: readonly Node[], edges: Edges): Ends => {
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

/**
 * Builds the graph of a set of elements; `ends` where it is known which nodes each edge joins. An edge whose source or destination is not among them is left out, so a graph
 * of fewer elements is what a trace without the others would have shown.
 */
export const graphOf = (nodes: readonly Node[], edges: Edges, ends: Ends = findEnds(nodes, edges)): Graph => {
  const byCollection = new Map<string, Node[]>();
  for (const node of nodes) {
    const same = byCollection.get(node.collection);
    if (same === undefined) byCollection.set(node.collection, [node]);
    else same.push(node);
  }
  for (const same of byCollection.values()) sortBySequence(same, (node) => node);
  const byRelation = ends.byRelation();
  const { sources, destinations } = ends;
  const arriving = new Links(edges, byRelation, nodes, [destinations, sources]);
  const leaving = new Links(edges, byRelation, nodes, [sources, destinations]);
  return {
    nodes: <C extends Collection>(collection: C) =>
      (byCollection.get(collection) ?? []) as unknown as readonly Node<C>[],
    sources: <R extends Relation>(node: Node<DestinationOf<R>>, relation: R) =>
      arriving.at(relation, node as Node) as unknown as readonly Link<SourceOf<R>>[],
    targets: <R extends Relation>(node: Node<SourceOf<R>>, relation: R) =>
      leaving.at(relation, node as Node) as unknown as readonly Link<DestinationOf<R>>[],
  };
};
