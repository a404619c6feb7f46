import { sameBytes } from './same-bytes.ts';
import { MAX_WIRE_DEPTH } from './wire-json.ts';

/** What a path leads to where that is no node: to nothing, or to what only the tree of `parseWire` can tell. */
export const ABSENT = -1;
export const UNCLEAR = -2;

/** A member name on a path, and its other spelling where there is one. */
export type TapeStep = { readonly name: Uint8Array; readonly other: Uint8Array | null };
export type TapePath = readonly TapeStep[];

const FIRST_CAPACITY = 256;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER_N = 0x6e;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const LITERALS = ['true', 'false', 'null'].map((word) => Uint8Array.from(word, (unit) => unit.charCodeAt(0)));
const IS_ESCAPED = Uint8Array.from({ length: 256 }, (_, byte) =>
  '"\\/bfnrt'.includes(String.fromCharCode(byte)) ? 1 : 0,
);

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;
const isHexDigit = (byte: number): boolean => isDigit(byte) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);

/**
 * Where the values of somebody else's JSON text stand in its UTF-8: nodes in the order of the text, of an object each name before its value. It is read again
 * and again into the same memory; nothing is decoded. What it finds, `parseWire` would find; what it does not, `parseWire` may.
 */
export class WireTape {
  bytes = new Uint8Array();
  private starts = new Int32Array(FIRST_CAPACITY);
  private ends = new Int32Array(FIRST_CAPACITY);
  /** The node after a value and all that is in it. */
  private nexts = new Int32Array(FIRST_CAPACITY);
  private count = 0;

  /** Takes valid UTF-8 of which a zero byte stands at `end`; true when the bytes before it are one object (RFC 8259) without an escape in a name. Its node is 0. */
  read(bytes: Uint8Array<ArrayBuffer>, end: number): boolean {
    this.bytes = bytes;
    this.count = 0;
    const start = this.space(0);
    const after = bytes[start] === OPEN_OBJECT ? this.value(start, 1) : -1;
    return after >= 0 && this.space(after) === end;
  }

  start(node: number): number {
    return this.starts[node]!;
  }

  end(node: number): number {
    return this.ends[node]!;
  }

  /** The first byte of a value tells its kind. */
  mark(node: number): number {
    return this.bytes[this.starts[node]!]!;
  }

  isNull(node: number): boolean {
    return node === ABSENT || this.mark(node) === LETTER_N;
  }

  /** The node of the first item or name in a container, and of the one after a value; `endOf` of the container when there is none. */
  next(node: number): number {
    return this.nexts[node]!;
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

  private member(node: number, name: Uint8Array): number {
    const mark = this.mark(node);
    if (mark !== OPEN_OBJECT) return mark === LETTER_N ? ABSENT : UNCLEAR;
    const { bytes, starts, ends, nexts } = this;
    const after = nexts[node]!;
    let found = ABSENT;
    for (let at = node + 1; at < after; at = nexts[at + 1]!) {
      const start = starts[at]! + 1;
      if (ends[at]! - start - 1 !== name.length || !sameBytes(bytes, start, name, 0, name.length)) continue;
      if (found !== ABSENT) return UNCLEAR;
      found = at + 1;
    }
    return found;
  }

  private push(start: number): number {
    const node = this.count++;
    if (node === this.starts.length) this.grow();
    this.starts[node] = start;
    return node;
  }

  private grow(): void {
    const larger = (held: Int32Array): Int32Array<ArrayBuffer> => {
      const twice = new Int32Array(2 * held.length);
      twice.set(held);
      return twice;
    };
    this.starts = larger(this.starts);
    this.ends = larger(this.ends);
    this.nexts = larger(this.nexts);
  }

  private space(from: number): number {
    const { bytes } = this;
    let at = from;
    for (;;) {
      const byte = bytes[at]!;
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return at;
      at++;
    }
  }

  /** Takes where a value starts; returns the position after it, or −1. Recursion is bounded by MAX_WIRE_DEPTH. */
  private value(start: number, depth: number): number {
    const node = this.push(start);
    const byte = this.bytes[start]!;
    let end: number;
    if (byte === QUOTE) end = this.string(start);
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY)
      end = depth > MAX_WIRE_DEPTH ? -1 : this.container(start, depth);
    else end = byte === 0x2d || isDigit(byte) ? this.number(start) : this.literal(start);
    this.ends[node] = end;
    this.nexts[node] = this.count;
    return end;
  }

  private container(start: number, depth: number): number {
    const { bytes } = this;
    const isObject = bytes[start] === OPEN_OBJECT;
    const close = isObject ? CLOSE_OBJECT : 0x5d;
    let at = this.space(start + 1);
    if (bytes[at] === close) return at + 1;
    for (;;) {
      if (isObject) {
        at = this.name(at);
        if (at < 0) return -1;
      }
      at = this.value(at, depth + 1);
      if (at < 0) return -1;
      at = this.space(at);
      const mark = bytes[at]!;
      if (mark === close) return at + 1;
      if (mark !== 0x2c) return -1;
      at = this.space(at + 1);
    }
  }

  /** Takes where a name starts; returns where its value does, or −1. */
  private name(start: number): number {
    const { bytes } = this;
    if (bytes[start] !== QUOTE) return -1;
    let at = start + 1;
    while (bytes[at]! >= 0x20 && bytes[at] !== QUOTE && bytes[at] !== BACKSLASH) at++;
    if (bytes[at++] !== QUOTE) return -1;
    const node = this.push(start);
    this.ends[node] = at;
    at = this.space(at);
    return bytes[at] === 0x3a ? this.space(at + 1) : -1;
  }

  private string(start: number): number {
    const { bytes } = this;
    let at = start + 1;
    for (;;) {
      const byte = bytes[at]!;
      if (byte === QUOTE) return at + 1;
      if (byte < 0x20) return -1;
      if (byte !== BACKSLASH) {
        at++;
        continue;
      }
      const letter = bytes[at + 1]!;
      if (IS_ESCAPED[letter] === 1) {
        at += 2;
        continue;
      }
      if (letter !== 0x75) return -1;
      for (let digit = at + 2; digit < at + 6; digit++) if (!isHexDigit(bytes[digit]!)) return -1;
      at += 6;
    }
  }

  private digits(from: number): number {
    let at = from;
    while (isDigit(this.bytes[at]!)) at++;
    return at;
  }

  private number(start: number): number {
    const { bytes } = this;
    const integer = bytes[start] === 0x2d ? start + 1 : start;
    let at = bytes[integer] === 0x30 ? integer + 1 : this.digits(integer);
    if (at === integer) return -1;
    if (bytes[at] === 0x2e) {
      const fraction = at + 1;
      at = this.digits(fraction);
      if (at === fraction) return -1;
    }
    if ((bytes[at]! | 0x20) !== 0x65) return at;
    const sign = bytes[at + 1];
    const exponent = sign === 0x2b || sign === 0x2d ? at + 2 : at + 1;
    const end = this.digits(exponent);
    return end === exponent ? -1 : end;
  }

  private literal(start: number): number {
    for (const word of LITERALS) if (sameBytes(this.bytes, start, word, 0, word.length)) return start + word.length;
    return -1;
  }
}
