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

const bySequence = (a: Node, b: Node): number => a.record.sequence - b.record.sequence;

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

/** The links at one end of the edges. */
class Links {
  private readonly relations = new Map<Relation, ByNode<Link[]>>();
  private readonly lists: Link[][] = [];

  add({ type, id }: Node, link: Link): void {
    const { relation } = link.edge;
    const nodes = this.relations.get(relation) ?? new ByNode<Link[]>();
    this.relations.set(relation, nodes);
    const links = nodes.get(type, id);
    if (links !== undefined) {
      links.push(link);
      return;
    }
    const first = [link];
    nodes.set(type, id, first);
    this.lists.push(first);
  }

  sort(): void {
    for (const links of this.lists) if (links.length > 1) links.sort((a, b) => bySequence(a.node, b.node));
  }

  at(relation: Relation, { type, id }: Node): readonly Link[] {
    return this.relations.get(relation)?.get(type, id) ?? [];
  }
}

/**
 * Builds the graph of a set of elements. An edge whose source or destination is not among them is left out, so a graph
 * of fewer elements is what a trace without the others would have shown.
 */
export const graphOf = (nodes: readonly Node[], edges: readonly Edge[]): Graph => {
  const ordered = [...nodes].sort(bySequence);
  const known = new ByNode<Node>();
  const byCollection = new Map<string, Node[]>();
  for (const node of ordered) {
    known.set(node.type, node.id, node);
    const same = byCollection.get(node.collection);
    if (same === undefined) byCollection.set(node.collection, [node]);
    else same.push(node);
  }
  const arriving = new Links();
  const leaving = new Links();
  for (const edge of edges) {
    const source = known.get(edge.source_type, edge.source_id);
    const destination = known.get(edge.destination_type, edge.destination_id);
    if (source === undefined || destination === undefined) continue;
    arriving.add(destination, { edge, node: source });
    leaving.add(source, { edge, node: destination });
  }
  arriving.sort();
  leaving.sort();
  return {
    nodes: <C extends Collection>(collection: C) =>
      (byCollection.get(collection) ?? []) as unknown as readonly Node<C>[],
    sources: <R extends Relation>(node: Node<DestinationOf<R>>, relation: R) =>
      arriving.at(relation, node as Node) as unknown as readonly Link<SourceOf<R>>[],
    targets: <R extends Relation>(node: Node<SourceOf<R>>, relation: R) =>
      leaving.at(relation, node as Node) as unknown as readonly Link<DestinationOf<R>>[],
  };
};
