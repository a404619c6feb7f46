import { asciiText } from '../base/ascii.ts';
import { ByteBuffer } from '../base/byte-buffer.ts';
import { growingUint32 } from '../base/growing.ts';
import { sameBytes } from '../base/same-bytes.ts';

/** Ids one after the other in one piece of memory: a trace has a million of them, and few are asked for as a text. */
export class IdList {
  private readonly texts = new ByteBuffer();
  private readonly ends = growingUint32();

  get length(): number {
    return this.ends.length;
  }

  /** Of all of them. */
  get bytes(): Uint8Array {
    return this.texts.bytes;
  }

  /** Appends ids that stand one after the other, and where each ends. */
  pushAll(ids: Uint8Array, ends: Uint32Array): void {
    const before = this.texts.length;
    this.texts.append(ids);
    for (let row = 0; row < ends.length; row++) this.ends.push(before + ends[row]!);
  }

  startOf(row: number): number {
    return row === 0 ? 0 : this.ends.items[row - 1]!;
  }

  endOf(row: number): number {
    return this.ends.items[row]!;
  }

  /** Whether the id of a row is what stands in some bytes. */
  isAt(row: number, bytes: Uint8Array, start: number, end: number): boolean {
    const own = this.startOf(row);
    return this.endOf(row) - own === end - start && sameBytes(this.bytes, own, bytes, start, end - start);
  }

  at(row: number): string {
    return asciiText(this.bytes, this.startOf(row), this.endOf(row));
  }

  /** In the order of their bytes: below 0 where the first stands before the second. */
  compare(one: number, other: number): number {
    const { bytes } = this;
    const [start, otherStart] = [this.startOf(one), this.startOf(other)];
    const [length, otherLength] = [this.endOf(one) - start, this.endOf(other) - otherStart];
    for (let at = 0; at < length && at < otherLength; at++) {
      const difference = bytes[start + at]! - bytes[otherStart + at]!;
      if (difference !== 0) return difference;
    }
    return length - otherLength;
  }
}
