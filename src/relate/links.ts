import type { Edge } from '../evidence/bundle.ts';
import type { Relation } from '../evidence/relations.ts';
import type { Edges, Ends } from './ends.ts';
import type { Link, LinkList, Node } from './nodes.ts';

const NO_LINKS: LinkList = [];

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
export type Parts = {
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
export class Links {
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
