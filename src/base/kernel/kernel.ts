import { asciiBytes, asciiText } from '../ascii.ts';
import { asmFunc } from './portable.generated.ts';
import { KERNEL_WASM } from './wasm.generated.ts';

/** What stays in the memory: where it stands, and how long it is. */
export type Kept = readonly [at: number, length: number];

/** What kernel/index.ts exports. Positions are of its memory. */
type Exports = {
  readonly memory: { readonly buffer: ArrayBuffer; readonly grow: (pages: number) => number };
  readonly scan: (node: number, at: number) => number;
  readonly rows: (
    state: number,
    program: number,
    from: number,
    out: number,
    room: number,
    idMember: number,
    sequenceMember: number,
    timeMember: number,
  ) => void;
  readonly same: (one: number, other: number, length: number) => number;
  readonly said: (from: number, to: number, out: number) => number;
  readonly tape: (start: number, end: number, out: number, room: number) => number;
  readonly member: (node: number, name: number, length: number) => number;
  readonly joined: (row: number, length: number, out: number) => number;
  readonly envelope: (
    begin: number,
    beginLength: number,
    one: number,
    oneLength: number,
    between: number,
    betweenLength: number,
    other: number,
    otherLength: number,
    last: number,
    lastLength: number,
    out: number,
  ) => number;
  readonly hex: (from: number, length: number, out: number) => number;
  readonly entries: (
    count: number,
    start: number,
    startLength: number,
    hashes: number,
    between: number,
    betweenLength: number,
    ids: number,
    ends: number,
    last: number,
    lastLength: number,
    out: number,
  ) => number;
  readonly stands: (made: number, madeEnd: number, stored: number) => number;
  readonly valuesMet: () => number;
  readonly setValuesMet: (values: number) => void;
};
type Host = { readonly schema: { readonly holds: (check: number, start: number, end: number) => number } };
type Wasm = {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: Host) => { readonly exports: Exports };
};
/** Holds of a text what a schema asks of it, beyond what the kernel knows. */
export type TextCheck = (text: string) => boolean;

const { WebAssembly, atob } = globalThis as unknown as {
  readonly WebAssembly: Wasm | undefined;
  readonly atob: (text: string) => string;
};
const PAGE_BYTES = 1 << 16;
/** Zero bytes after what may be read: one ends every token, and words of four are read beyond it. */
const END_BYTES = 8;
/** What stays: words of programs, and bytes that they name. */
const KEPT = 1 << 16;
/** What one run reads and writes. */
export const WORK = 1 << 19;
/** Evidence, as much as fits or is asked for. */
export const WINDOW = 1 << 20;

/**
 * The loops over bytes that a verification spends its time in, with the memory they work on (kernel/). It is WebAssembly, or where a runtime has or allows none the same
 * code as JavaScript. A thread has one, and one verification at a time works on it.
 */
export class Kernel {
  readonly run: Exports;
  private readonly checks: TextCheck[] = [];
  private kept = KEPT;
  bytes = new Uint8Array();
  words = new Uint32Array();
  integers = new Int32Array();
  floats = new Float64Array();

  constructor(instantiate: (imports: Host) => Exports) {
    this.run = instantiate({ schema: { holds: (check, start, end) => this.holds(check, start, end) } });
    this.reserve(WINDOW);
  }

  /** Keeps words, or bytes, for good; returns where they stand. Throws RangeError when there is no room for more: what is kept is ours, never evidence. */
  keep(kept: readonly number[] | Uint8Array): number {
    const at = this.kept;
    const isBytes = kept instanceof Uint8Array;
    this.kept += isBytes ? (kept.length + 3) & ~3 : 4 * kept.length;
    if (this.kept > WORK) throw new RangeError('no room for more that is kept');
    if (isBytes) this.bytes.set(kept, at);
    else this.words.set(kept, at / 4);
    return at;
  }

  /** Makes memory up to this position be there, and what is read beyond a token; the views are others then. Throws RangeError when there is no such memory. */
  reserve(end: number): void {
    const more = end + END_BYTES - this.bytes.length;
    if (more <= 0) return;
    if (this.run.memory.grow(Math.ceil(more / PAGE_BYTES)) < 0) throw new RangeError(`no memory for ${end} bytes`);
    const { buffer } = this.run.memory;
    this.bytes = new Uint8Array(buffer);
    this.words = new Uint32Array(buffer);
    this.integers = new Int32Array(buffer);
    this.floats = new Float64Array(buffer);
  }

  /** Keeps a text of ASCII. */
  text(text: string): Kept {
    return [this.keep(asciiBytes(text)), text.length];
  }

  /** Puts bytes to a place, and behind them what ends every token; returns the position after them. */
  put(bytes: Uint8Array, at: number): number {
    const end = at + bytes.length;
    this.reserve(end);
    this.bytes.set(bytes, at);
    this.bytes.fill(0, end, end + END_BYTES);
    return end;
  }

  /** Takes a check of the text of a quoted token without escapes; returns its number. */
  check(holds: TextCheck): number {
    return this.checks.push(holds) - 1;
  }

  private holds(check: number, start: number, end: number): number {
    return this.checks[check]!(asciiText(this.bytes, start + 1, end - 1)) ? 1 : 0;
  }
}

const wasmKernel = ({ Module, Instance }: Wasm): Kernel => {
  const binary = atob(KERNEL_WASM);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = binary.charCodeAt(at);
  const module = new Module(bytes);
  return new Kernel((imports) => new Instance(module, imports).exports);
};

/** The same in JavaScript. */
export const portableKernel = (): Kernel => new Kernel(asmFunc as (imports: Host) => Exports);

let own: Kernel | null = null;

/** From here on the kernel is JavaScript. */
export const usePortableKernel = (): void => {
  own = portableKernel();
};

const made = (): Kernel => {
  if (WebAssembly === undefined) return portableKernel();
  try {
    return wasmKernel(WebAssembly);
  } catch {
    return portableKernel();
  }
};

/** The kernel of this thread. */
export const kernel = (): Kernel => {
  own ??= made();
  return own;
};
