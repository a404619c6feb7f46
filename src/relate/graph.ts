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

/** Sorts by sequence, in place. A capture numbers what it sees as it comes, so most lists stand in order already. */
const sortBySequence = (nodes: Node[]): void => {
  const sequences = nodes.map(({ record }) => record.sequence);
  if (sequences.every((sequence, at) => at === 0 || sequences[at - 1]! <= sequence)) return;
  const keyed = nodes.map((node, at) => ({ node, sequence: sequences[at]! }));
  keyed.sort((a, b) => a.sequence - b.sequence);
  for (const [at, { node }] of keyed.entries()) nodes[at] = node;
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
