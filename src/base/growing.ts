const FIRST_CAPACITY = 16;

/** Numbers that grow at their end: positions in a file that may be larger than memory, a few bytes each. */
export class Growing<A extends Int32Array | Uint32Array | Float64Array> {
  items: A;
  length = 0;
  private readonly make: (length: number) => A;

  /** Takes what makes room, and no room: a bundle has a hundred of these, most of them never filled. */
  constructor(make: (length: number) => A, none: A) {
    this.make = make;
    this.items = none;
  }

  push(value: number): void {
    this.reserve(1);
    this.items[this.length++] = value;
  }

  pushAll(values: A): void {
    this.reserve(values.length);
    this.items.set(values, this.length);
    this.length += values.length;
  }

  /** Makes room for so many more. */
  reserve(more: number): void {
    if (this.length + more <= this.items.length) return;
    const larger = this.make(Math.max(FIRST_CAPACITY, 2 * this.items.length, this.length + more));
    larger.set(this.items.subarray(0, this.length));
    this.items = larger;
  }
}

const uint32 = (length: number): Uint32Array => new Uint32Array(length);
const int32 = (length: number): Int32Array => new Int32Array(length);
const float64 = (length: number): Float64Array => new Float64Array(length);
const [NO_UINT32, NO_INT32, NO_FLOAT64] = [uint32(0), int32(0), float64(0)];

export const growingUint32 = (): Growing<Uint32Array> => new Growing(uint32, NO_UINT32);
export const growingInt32 = (): Growing<Int32Array> => new Growing(int32, NO_INT32);
export const growingFloat64 = (): Growing<Float64Array> => new Growing(float64, NO_FLOAT64);
