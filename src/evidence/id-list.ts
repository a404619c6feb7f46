import { asciiText } from '../base/ascii.ts';
import { growingUint32 } from '../base/growing.ts';
import { Message } from '../base/message.ts';

/** Ids one after the other in one piece of memory: a trace has a million of them, and few are asked for as a text. */
export class IdList {
  private readonly texts = new Message();
  private readonly ends = growingUint32();

  get length(): number {
    return this.ends.length;
  }

  /** Of all of them. */
  get bytes(): Uint8Array {
    return this.texts.bytes;
  }

  push(bytes: Uint8Array, start: number, end: number): void {
    this.ends.push(this.texts.append(bytes, start, end).length);
  }

  startOf(row: number): number {
    return row === 0 ? 0 : this.ends.items[row - 1]!;
  }

  endOf(row: number): number {
    return this.ends.items[row]!;
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
