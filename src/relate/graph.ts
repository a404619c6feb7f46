import type { Collection } from '../evidence/collections.ts';
import type { DestinationOf, Relation, SourceOf } from '../evidence/relations.ts';
import { type Edges, type Ends, findEnds } from './ends.ts';
import { Links, type Parts } from './links.ts';
import type { LinkList, Node } from './nodes.ts';

/** Records joined by derived edges: all that a rule sees. Nodes come in sequence order, links in the order of their node. */
export type Graph = {
  readonly nodes: <C extends Collection>(collection: C) => readonly Node<C>[];
  /** Links of the edges that arrive at a node. */
  readonly sources: <R extends Relation>(node: Node<DestinationOf<R>>, relation: R) => LinkList<SourceOf<R>>;
  /** Links of the edges that leave a node. */
  readonly targets: <R extends Relation>(node: Node<SourceOf<R>>, relation: R) => LinkList<DestinationOf<R>>;
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
  const numbers = ends === undefined ? new Map(nodes.map((node, number) => [node, number])) : null;
  const numberOf: Parts['numberOf'] = numbers === null ? ({ place }) => place : (node) => numbers.get(node);
  const sequences = new Float64Array(nodes.length);
  for (let number = 0; number < nodes.length; number++) sequences[number] = nodes[number]!.record.sequence;
  const sequenceOf = (node: Node): number => sequences[numberOf(node)!]!;
  for (const same of byCollection.values()) same.sort((a, b) => sequenceOf(a) - sequenceOf(b));
  const parts: Parts = { nodes, numberOf, sequences, edges, ends: ends ?? findEnds(nodes, edges) };
  const { sources, destinations } = parts.ends;
  const byRelation = parts.ends.byRelation();
  const arriving = new Links(parts, byRelation, destinations, sources);
  const leaving = new Links(parts, byRelation, sources, destinations);
  return {
    nodes: <C extends Collection>(collection: C) =>
      (byCollection.get(collection) ?? []) as unknown as readonly Node<C>[],
    sources: <R extends Relation>(node: Node<DestinationOf<R>>, relation: R) =>
      arriving.at(relation, node as Node) as unknown as LinkList<SourceOf<R>>,
    targets: <R extends Relation>(node: Node<SourceOf<R>>, relation: R) =>
      leaving.at(relation, node as Node) as unknown as LinkList<DestinationOf<R>>,
  };
};
