const FIRST_CAPACITY = 1 << 12;
const EMPTY = new Uint8Array();
const SHORT = 48;
/** Views of a message are kept by their length: a million messages have few lengths. */
const VIEWS_KEPT = 1 << 12;

/** The bytes of a message that is made again and again after one beginning, which stays. */
export class Message {
  bytes = EMPTY;
  private views: (Uint8Array | undefined)[] = [];
  private end = 0;
  private beginning = 0;

  /** Takes the beginning of all messages from here on. */
  begin(beginning: Uint8Array): void {
    this.end = 0;
    this.append(beginning, 0, beginning.length);
    this.beginning = this.end;
  }

  /** Goes back to the beginning. */
  again(): this {
    this.end = this.beginning;
    return this;
  }

  /** Appends a stretch of bytes: a short one byte by byte, for a longer one a view is made. */
  append(bytes: Uint8Array, start: number, end: number): this {
    if (end - start > SHORT) return this.appendAll(bytes.subarray(start, end));
    this.reserve(end - start);
    const target = this.bytes;
    let to = this.end;
    for (let at = start; at < end; at++) target[to++] = bytes[at]!;
    this.end = to;
    return this;
  }

  appendAll(bytes: Uint8Array): this {
    this.reserve(bytes.length);
    this.bytes.set(bytes, this.end);
    this.end += bytes.length;
    return this;
  }

  appendByte(byte: number): this {
    this.reserve(1);
    this.bytes[this.end++] = byte;
    return this;
  }

  get length(): number {
    return this.end;
  }

  /** A view of the whole message; the next change of it changes the view. */
  view(): Uint8Array {
    const { end } = this;
    if (end >= VIEWS_KEPT) return this.bytes.subarray(0, end);
    this.views[end] ??= this.bytes.subarray(0, end);
    return this.views[end]!;
  }

  private reserve(more: number): void {
    if (this.end + more <= this.bytes.length) return;
    const larger = new Uint8Array(Math.max(FIRST_CAPACITY, 2 * this.bytes.length, this.end + more));
    larger.set(this.bytes.subarray(0, this.end));
    this.bytes = larger;
    this.views = [];
  }
}
