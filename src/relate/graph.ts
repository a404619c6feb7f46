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

const push = <V>(map: Map<string, V[]>, key: string, value: V): void => {
  const values = map.get(key);
  if (values === undefined) map.set(key, [value]);
  else values.push(value);
};

/**
 * Builds the graph of a set of elements. An edge whose source or destination is not among them is left out, so a graph
 * of fewer elements is what a trace without the others would have shown.
 */
export const graphOf = (nodes: readonly Node[], edges: readonly Edge[]): Graph => {
  const ordered = [...nodes].sort(bySequence);
  const byKey = new Map(ordered.map((node) => [elementKey(node), node]));
  const byCollection = new Map<string, Node[]>();
  for (const node of ordered) push(byCollection, node.collection, node);
  const arriving = new Map<string, Link[]>();
  const leaving = new Map<string, Link[]>();
  for (const edge of edges) {
    const source = byKey.get(`${edge.source_type} ${edge.source_id}`);
    const destination = byKey.get(`${edge.destination_type} ${edge.destination_id}`);
    if (source === undefined || destination === undefined) continue;
    push(arriving, `${edge.relation} ${elementKey(destination)}`, { edge, node: source });
    push(leaving, `${edge.relation} ${elementKey(source)}`, { edge, node: destination });
  }
  for (const links of [...arriving.values(), ...leaving.values()]) links.sort((a, b) => bySequence(a.node, b.node));
  return {
    nodes: <C extends Collection>(collection: C) =>
      (byCollection.get(collection) ?? []) as unknown as readonly Node<C>[],
    sources: <R extends Relation>(node: Node<DestinationOf<R>>, relation: R) =>
      (arriving.get(`${relation} ${elementKey(node as Node)}`) ?? []) as unknown as readonly Link<SourceOf<R>>[],
    targets: <R extends Relation>(node: Node<SourceOf<R>>, relation: R) =>
      (leaving.get(`${relation} ${elementKey(node as Node)}`) ?? []) as unknown as readonly Link<DestinationOf<R>>[],
  };
};
