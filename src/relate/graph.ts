import type { Edge, RecordOf, Records } from '../evidence/bundle.ts';
import { COLLECTION_INFO, COLLECTIONS, type Collection, type NodeType } from '../evidence/collections.ts';
import { type DestinationOf, RELATIONS, type Relation, type SourceOf } from '../evidence/relations.ts';

/** A record in the graph, under the name that edges and findings use for it. */
export type Node<C extends Collection = Collection> = {
  /** Its number among all nodes of the trace. */
  readonly place: number;
  readonly collection: C;
  readonly type: NodeType;
  readonly id: string;
  readonly record: RecordOf<C>;
};
/** An edge together with the node at its other end. */
export type Link<C extends Collection = Collection> = { readonly edge: Edge; readonly node: Node<C> };
/** Links in the order of the sequences of their nodes; one is made when it is asked for. */
export type LinkList<C extends Collection = Collection> = Iterable<Link<C>> & {
  readonly length: number;
  readonly at: (index: number) => Link<C> | undefined;
};
/** What a path or a set of evidence is made of. */
export type Element = Node | Edge;

export const isEdge = (element: Element): element is Edge => 'edge_id' in element;
export const elementKey = (element: Element): string =>
  isEdge(element) ? `edge ${element.edge_id}` : `${element.type} ${element.id}`;

/** Records joined by derived edges: all that a rule sees. Nodes come in sequence order, links in the order of their node. */
export type Graph = {
  readonly nodes: <C extends Collection>(collection: C) => readonly Node<C>[];
  /** Links of the edges that arrive at a node. */
  readonly sources: <R extends Relation>(node: Node<DestinationOf<R>>, relation: R) => LinkList<SourceOf<R>>;
  /** Links of the edges that leave a node. */
  readonly targets: <R extends Relation>(node: Node<SourceOf<R>>, relation: R) => LinkList<DestinationOf<R>>;
};

class RecordNode implements Node {
  readonly place: number;
  readonly collection: Collection;
  readonly record: Node['record'];

  constructor(place: number, collection: Collection, record: Node['record']) {
    this.place = place;
    this.collection = collection;
    this.record = record;
  }

  get type(): NodeType {
    return COLLECTION_INFO[this.collection].node;
  }

  get id(): string {
    return (this.record as Readonly<Record<string, unknown>>)[COLLECTION_INFO[this.collection].id] as string;
  }
}

export const nodesOf = (records: Records): readonly Node[] => {
  const nodes: Node[] = [];
  for (const collection of COLLECTIONS) {
    for (const record of records[collection]) nodes.push(new RecordNode(nodes.length, collection, record));
  }
  return nodes;
};

/** Sorts by sequence, in place. A capture numbers what it sees as it comes, so most lists stand in order already. */
const sortBySequence = (nodes: Node[]): void => {
  const sequences = nodes.map(({ record }) => record.sequence);
  if (sequences.every((sequence, at) => at === 0 || sequences[at - 1]! <= sequence)) return;
  const keyed = nodes.map((node, at) => ({ node, sequence: sequences[at]! }));
  keyed.sort((a, b) => a.sequence - b.sequence);
  for (const [at, { node }] of keyed.entries()) nodes[at] = node;
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

const NO_LINKS: LinkList = [];

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

/** A link whose edge is made when it is asked for. */
class EdgeLink implements Link {
  readonly node: Node;
  private readonly edges: Edges;
  private readonly number: number;

  constructor(node: Node, edges: Edges, number: number) {
    this.node = node;
    this.edges = edges;
    this.number = number;
  }

  get edge(): Edge {
    return this.edges.at(this.number)!;
  }
}

/** What the links of a graph are made of: nodes and edges by number, and of each node its number and its sequence. */
type Parts = {
  readonly nodes: readonly Node[];
  readonly numberOf: (node: Node) => number | undefined;
  readonly sequences: Float64Array;
  readonly edges: Edges;
  readonly ends: Ends;
};

class LinksOfNode implements LinkList {
  readonly length: number;
  private readonly parts: Parts;
  private readonly there: Int32Array;
  private readonly numbers: Int32Array;
  private readonly first: number;

  /** Takes the numbers of the edges from `first` up to `end`. */
  constructor(parts: Parts, there: Int32Array, numbers: Int32Array, [first, end]: readonly [number, number]) {
    this.parts = parts;
    this.there = there;
    this.numbers = numbers;
    this.first = first;
    this.length = end - first;
  }

  at(index: number): Link | undefined {
    if (index >= this.length) return undefined;
    const number = this.numbers[this.first + index]!;
    const { nodes, edges } = this.parts;
    return new EdgeLink(nodes[this.there[number]!]!, edges, number);
  }

  *[Symbol.iterator](): Iterator<Link> {
    for (let index = 0; index < this.length; index++) yield this.at(index)!;
  }
}

/** The links at one end of the edges; those of a relation are put into order when a rule first asks for it. */
class Links {
  private readonly parts: Parts;
  private readonly here: Int32Array;
  private readonly there: Int32Array;
  /** Edges in the order of their nodes here, then of the sequences of those there. */
  private readonly ofRelations = new Map<Relation, Int32Array>();

  constructor(parts: Parts, here: Int32Array, there: Int32Array) {
    this.parts = parts;
    this.here = here;
    this.there = there;
  }

  at(relation: Relation, node: Node): LinkList {
    const number = this.parts.numberOf(node);
    const ordered = this.inOrder(relation);
    if (number === undefined || ordered.length === 0) return NO_LINKS;
    const first = this.firstOf(ordered, number);
    if (first === ordered.length || this.here[ordered[first]!] !== number) return NO_LINKS;
    return new LinksOfNode(this.parts, this.there, ordered, [first, this.firstOf(ordered, number + 1)]);
  }

  private inOrder(relation: Relation): Int32Array {
    let ordered = this.ofRelations.get(relation);
    if (ordered === undefined) {
      const { here, there } = this;
      const { sequences, ends } = this.parts;
      ordered = ends
        .of(relation)
        .sort((a, b) => here[a]! - here[b]! || sequences[there[a]!]! - sequences[there[b]!]! || a - b);
      this.ofRelations.set(relation, ordered);
    }
    return ordered;
  }

  private firstOf(ordered: Int32Array, number: number): number {
    let [low, high] = [0, ordered.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.here[ordered[middle]!]! < number) low = middle + 1;
      else high = middle;
    }
    return low;
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
 * Builds the graph of all nodes of a trace, or of some of them; `ends` where it is known which of all nodes each edge joins. An edge whose source or
 * destination is not among them is left out, so a graph of fewer elements is what a trace without the others would have shown.
 */
export const graphOf = (nodes: readonly Node[], edges: Edges, ends?: Ends): Graph => {
  const byCollection = new Map<string, Node[]>();
  for (const node of nodes) {
    const same = byCollection.get(node.collection);
    if (same === undefined) byCollection.set(node.collection, [node]);
    else same.push(node);
  }
  for (const same of byCollection.values()) sortBySequence(same);
  const numbers = ends === undefined ? new Map(nodes.map((node, number) => [node, number])) : null;
  const parts: Parts = {
    nodes,
    numberOf: numbers === null ? ({ place }) => place : (node) => numbers.get(node),
    sequences: Float64Array.from(nodes, ({ record }) => record.sequence),
    edges,
    ends: ends ?? findEnds(nodes, edges),
  };
  const { sources, destinations } = parts.ends;
  const arriving = new Links(parts, destinations, sources);
  const leaving = new Links(parts, sources, destinations);
  return {
    nodes: <C extends Collection>(collection: C) =>
      (byCollection.get(collection) ?? []) as unknown as readonly Node<C>[],
    sources: <R extends Relation>(node: Node<DestinationOf<R>>, relation: R) =>
      arriving.at(relation, node as Node) as unknown as LinkList<SourceOf<R>>,
    targets: <R extends Relation>(node: Node<SourceOf<R>>, relation: R) =>
      leaving.at(relation, node as Node) as unknown as LinkList<DestinationOf<R>>,
  };
};
