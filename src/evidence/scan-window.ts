import type { ByteSource } from '../base/byte-source.ts';
import { type Kernel, WINDOW } from '../base/kernel/kernel.ts';

/** As much of a file is in the memory of the kernel at a time; a row that is longer asks for more. */
const PIECE_BYTES = 1 << 22;

/** The bytes of a file as the kernel sees them, a stretch at a time. */
export class ScanWindow {
  private readonly kernel: Kernel;
  private readonly source: ByteSource;
  /** Where in the file the stretch starts, and where it ends in the memory. */
  private base = 0;
  private end = WINDOW;
  /** The place in the memory. */
  at = WINDOW;

  constructor(kernel: Kernel, source: ByteSource) {
    this.kernel = kernel;
    this.source = source;
    this.load(1);
  }

  /** What is added to a place in the memory for the position in the file. */
  get shift(): number {
    return this.base - WINDOW;
  }

  /** Whether the file has nothing after the stretch. */
  get isLast(): boolean {
    return this.base + this.end - WINDOW === this.source.size;
  }

  /** Whether the place is that after the stretch. */
  get isEnd(): boolean {
    return this.at === this.end;
  }

  get byte(): number {
    return this.kernel.bytes[this.at]!;
  }

  /** Has so many bytes from here on before it, as far as the file has them. */
  need(least: number): void {
    if (this.at + least > this.end && !this.isLast) this.load(least);
  }

  /** Goes on from here with at least so many bytes. */
  load(least: number): void {
    const { kernel, source } = this;
    const from = this.base + this.at - WINDOW;
    const { bytes, base } = source.stretch(from, Math.min(least, source.size - from));
    const piece = bytes.subarray(from - base, from - base + Math.max(least, PIECE_BYTES));
    this.end = kernel.put(piece, WINDOW);
    this.base = from;
    this.at = WINDOW;
  }
}
