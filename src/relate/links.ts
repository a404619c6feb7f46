import type { Edge } from '../evidence/bundle.ts';
import type { Relation } from '../evidence/relations.ts';
import { type Edges, type Ends, type Grouped, groupedBy } from './ends.ts';
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

/** The links at one end of the edges. */
export class Links {
  private readonly parts: Parts;
  private readonly there: Int32Array;
  /** Edges by their nodes here, those of one node relation by relation. */
  private readonly edges: Grouped;
  /** Of the place of a first link, whether those of its node and relation are in the order of the sequences there. */
  private readonly isInOrder: Uint8Array;

  /** `edges`: by relation. */
  constructor(parts: Parts, edges: Int32Array, here: Int32Array, there: Int32Array) {
    this.parts = parts;
    this.there = there;
    this.edges = groupedBy(edges, here, parts.nodes.length);
    this.isInOrder = new Uint8Array(edges.length);
  }

  at(relation: Relation, node: Node): LinkList {
    const number = this.parts.numberOf(node);
    if (number === undefined) return NO_LINKS;
    const { numbers, firsts } = this.edges;
    const [start, end] = [firsts[number]!, firsts[number + 1]!];
    const wanted = this.parts.ends.relationNumber(relation);
    const first = this.firstOf(wanted, start, end);
    const last = this.firstOf(wanted + 1, first, end);
    if (first === last) return NO_LINKS;
    this.putInOrder(first, last);
    return new LinksOfNode(this.parts, this.there, numbers, [first, last]);
  }

  /** Links that no rule asks for are never sorted. */
  private putInOrder(first: number, end: number): void {
    if (end - first < 2 || this.isInOrder[first] === 1) return;
    this.isInOrder[first] = 1;
    const { there } = this;
    const { sequences } = this.parts;
    this.edges.numbers.subarray(first, end).sort((a, b) => sequences[there[a]!]! - sequences[there[b]!]! || a - b);
  }

  /** The first place from `low` on whose edge is of that relation or a later one. */
  private firstOf(relation: number, low: number, high: number): number {
    const { numbers } = this.edges;
    const { relations } = this.parts.ends;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (relations[numbers[middle]!]! < relation) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
