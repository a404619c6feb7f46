import type { Edge, RecordOf, Records } from '../evidence/bundle.ts';
import { COLLECTION_INFO, COLLECTIONS, type Collection, type NodeType } from '../evidence/collections.ts';

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
