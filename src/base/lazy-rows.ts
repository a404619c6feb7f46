import { growingFloat64, growingUint32 } from './growing.ts';
import type { JsonValue } from './json-value.ts';

/** Reads the value that stands from a byte of the file on, so many bytes long. */
type ReadAt = (start: number, length: number) => JsonValue;

/** The rows of a list that is larger than memory: where each stands, two numbers a row. */
export class LazyRows {
  private readonly starts = growingFloat64();
  private readonly lengths = growingUint32();
  private readonly read: ReadAt;

  constructor(read: ReadAt) {
    this.read = read;
  }

  add(start: number, end: number): void {
    this.starts.push(start);
    this.lengths.push(end - start);
  }

  private has(key: string | symbol): boolean {
    return typeof key === 'string' && /^(0|[1-9][0-9]{0,9})$/.test(key) && Number(key) < this.starts.length;
  }

  /** The list as an array to whoever reads it: an element is read from the file each time, and is another object each time. It cannot be written to. */
  asArray(): JsonValue[] {
    return new Proxy<JsonValue[]>([], {
      get: (array, key): unknown => {
        if (key === 'length') return this.starts.length;
        if (!this.has(key)) return Reflect.get(array, key);
        const index = Number(key);
        return this.read(this.starts.items[index]!, this.lengths.items[index]!);
      },
      has: (array, key) => this.has(key) || Reflect.has(array, key),
      set: () => false,
    });
  }
}
