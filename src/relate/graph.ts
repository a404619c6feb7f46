import type { Edge, RecordOf, Records } from '../evidence/bundle.ts';
import { COLLECTION_INFO, COLLECTIONS, type Collection, type NodeType } from '../evidence/collections.ts';
import type { DestinationOf, Relation, SourceOf } from '../evidence/relations.ts';

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
  const keyed = items.map((item) => ({ item, sequence: nodeOf(item).record.sequence }));
  if (keyed.every(({ sequence }, at) => at === 0 || keyed[at - 1]!.sequence <= sequence)) return;
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

/** The numbers of the nodes that edges join, edge by edge: of nodes that are all there, in the order of a list of them. */
export type Ends = { readonly sources: Uint32Array; readonly destinations: Uint32Array };

/** An edge with its ends. */
type Joined = { readonly edge: Edge; readonly source: Node; readonly destination: Node };

/** The links at one end of the edges; those of a relation are sorted out when a rule first asks for it. */
class Links {
  private readonly joined: ReadonlyMap<Relation, readonly Joined[]>;
  private readonly end: 'source' | 'destination';
  private readonly relations = new Map<Relation, ReadonlyMap<Node, readonly Link[]>>();

  constructor(joined: ReadonlyMap<Relation, readonly Joined[]>, end: 'source' | 'destination') {
    this.joined = joined;
    this.end = end;
  }

  at(relation: Relation, node: Node): readonly Link[] {
    let links = this.relations.get(relation);
    if (links === undefined) {
      links = this.sorted(this.joined.get(relation) ?? []);
      this.relations.set(relation, links);
    }
    return links.get(node) ?? NO_LINKS;
  }

  private sorted(joined: readonly Joined[]): ReadonlyMap<Node, readonly Link[]> {
    const links = new Map<Node, Link[]>();
    for (const { edge, source, destination } of joined) {
      const [here, there] = this.end === 'source' ? [source, destination] : [destination, source];
      const link = { edge, node: there };
      const same = links.get(here);
      if (same === undefined) links.set(here, [link]);
      else same.push(link);
    }
    for (const same of links.values()) if (same.length > 1) sortBySequence(same, ({ node }) => node);
    return links;
  }
}

const findEnds = (nodes: readonly Node[]) => {
  const known = new ByNode<Node>();
  for (const node of nodes) known.set(node.type, node.id, node);
  return (edge: Edge): readonly [Node | undefined, Node | undefined] => [
    known.get(edge.source_type, edge.source_id),
    known.get(edge.destination_type, edge.destination_id),
  ];
};

/**
 * Builds the graph of a set of elements; `ends` where it is known which nodes each edge joins. An edge whose source or destination is not among them is left out, so a graph
 * of fewer elements is what a trace without the others would have shown.
 */
export const graphOf = (nodes: readonly Node[], edges: readonly Edge[], ends: Ends | null = null): Graph => {
  const byCollection = new Map<string, Node[]>();
  for (const node of nodes) {
    const same = byCollection.get(node.collection);
    if (same === undefined) byCollection.set(node.collection, [node]);
    else same.push(node);
  }
  for (const same of byCollection.values()) sortBySequence(same, (node) => node);
  const joined = new Map<Relation, Joined[]>();
  const endsOf =
    ends === null
      ? findEnds(nodes)
      : (_: Edge, at: number) => [nodes[ends.sources[at]!], nodes[ends.destinations[at]!]] as const;
  for (const [at, edge] of edges.entries()) {
    const [source, destination] = endsOf(edge, at);
    if (source === undefined || destination === undefined) continue;
    const same = joined.get(edge.relation);
    if (same === undefined) joined.set(edge.relation, [{ edge, source, destination }]);
    else same.push({ edge, source, destination });
  }
  const arriving = new Links(joined, 'destination');
  const leaving = new Links(joined, 'source');
  return {
    nodes: <C extends Collection>(collection: C) =>
      (byCollection.get(collection) ?? []) as unknown as readonly Node<C>[],
    sources: <R extends Relation>(node: Node<DestinationOf<R>>, relation: R) =>
      arriving.at(relation, node as Node) as unknown as readonly Link<SourceOf<R>>[],
    targets: <R extends Relation>(node: Node<SourceOf<R>>, relation: R) =>
      leaving.at(relation, node as Node) as unknown as readonly Link<DestinationOf<R>>[],
  };
};
