import type { Kernel } from './kernel/kernel.ts';

/** What a path leads to where that is no node: to nothing, or to what only the tree of `parseWire` can tell. */
export const ABSENT = -1;
export const UNCLEAR = -2;

/** A name in the memory of a kernel. */
type Name = { readonly at: number; readonly length: number };
/** A member name on a path, and its other spelling where there is one. */
export type TapeStep = { readonly name: Name; readonly other: Name | null };
export type TapePath = readonly TapeStep[];

/** A text has a node for so many bytes, mostly. */
const BYTES_OF_NODE = 8;
const FIRST_NODES = 64;
const NODE_WORDS = 3;
const LETTER_N = 0x6e;
/** What kernel/tape.ts answers. */
const READ = 1;
const MORE_NODES = 2;

/**
 * Where the values of somebody else's JSON text stand in its UTF-8: nodes in the order of the text, of an object each name before its value. It is read again
 * and again in the memory of a kernel; nothing is decoded. What it finds, `parseWire` would find; what it does not, `parseWire` may.
 */
export class WireTape {
  private readonly kernel: Kernel;
  /** Where nodes stand, in words. */
  private nodes = 0;
  /** What follows in the memory is free. */
  after = 0;

  constructor(kernel: Kernel) {
    this.kernel = kernel;
  }

  /** The memory that texts stand in. */
  get bytes(): Uint8Array {
    return this.kernel.bytes;
  }

  /** Takes where valid UTF-8 stands, a zero byte after it; true when it is one object (RFC 8259) without an escape in a name. Its node is 0. */
  read(start: number, end: number): boolean {
    const { kernel } = this;
    const nodes = (end + 4) & ~3;
    this.nodes = nodes / 4;
    for (let room = FIRST_NODES + Math.ceil((end - start) / BYTES_OF_NODE); ; room *= 2) {
      this.after = nodes + 4 * NODE_WORDS * room;
      kernel.reserve(this.after);
      const answer = kernel.run.tape(start, end, nodes, room);
      if (answer !== MORE_NODES) return answer === READ;
    }
  }

  start(node: number): number {
    return this.kernel.words[this.nodes + NODE_WORDS * node]!;
  }

  end(node: number): number {
    return this.kernel.words[this.nodes + NODE_WORDS * node + 1]!;
  }

  /** The first byte of a value tells its kind. */
  mark(node: number): number {
    return this.kernel.bytes[this.start(node)]!;
  }

  isNull(node: number): boolean {
    return node === ABSENT || this.mark(node) === LETTER_N;
  }

  /** The node of the first item or name in a container, and of the one after a value; `endOf` of the container when there is none. */
  next(node: number): number {
    return this.kernel.words[this.nodes + NODE_WORDS * node + 2]!;
  }

  /** As `find` of the tree: a step into null or a missing member is absent, into another kind, or to a repeated name, unclear. */
  find(node: number, path: TapePath): number {
    let there = node;
    for (let at = 0; at < path.length && there >= 0; at++) there = this.step(there, path[at]!);
    return there;
  }

  /** The first of the paths that leads to something other than null. */
  first(node: number, paths: readonly TapePath[]): number {
    let last = ABSENT;
    for (let at = 0; at < paths.length; at++) {
      const there = this.find(node, paths[at]!);
      if (there === UNCLEAR || !this.isNull(there)) return there;
      if (there !== ABSENT) last = there;
    }
    return last;
  }

  private step(node: number, { name, other }: TapeStep): number {
    const there = this.member(node, name);
    if (other === null || there === UNCLEAR || !this.isNull(there)) return there;
    const spelled = this.member(node, other);
    return spelled === ABSENT ? there : spelled;
  }

  private member(node: number, { at, length }: Name): number {
    return this.kernel.run.member(node, at, length);
  }
}
