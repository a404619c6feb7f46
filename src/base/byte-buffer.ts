const encoder = new TextEncoder();
const FIRST_CAPACITY = 1 << 12;
const EMPTY = new Uint8Array();

/** Bytes that grow at their end, in one piece of memory that is used again: a million messages are hashed from it. */
export class ByteBuffer {
  /** What was appended, and room for more. */
  bytes = EMPTY;
  private end = 0;

  get length(): number {
    return this.end;
  }

  /** Appends bytes, or the UTF-8 of a well-formed string. */
  append(part: Uint8Array | string): this {
    if (typeof part === 'string') {
      // A UTF-16 unit is at most three bytes of UTF-8.
      this.reserve(3 * part.length);
      this.end += encoder.encodeInto(part, this.bytes.subarray(this.end)).written;
    } else {
      this.reserve(part.length);
      this.bytes.set(part, this.end);
      this.end += part.length;
    }
    return this;
  }

  appendByte(byte: number): this {
    this.reserve(1);
    this.bytes[this.end++] = byte;
    return this;
  }

  /** A view of what was appended since the last clear; the next append or clear may change it. */
  view(): Uint8Array {
    return this.bytes.subarray(0, this.end);
  }

  clear(): this {
    this.end = 0;
    return this;
  }

  private reserve(more: number): void {
    if (this.end + more <= this.bytes.length) return;
    const larger = new Uint8Array(Math.max(FIRST_CAPACITY, 2 * this.bytes.length, this.end + more));
    larger.set(this.view());
    this.bytes = larger;
  }
}
