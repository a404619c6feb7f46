import { MAX_DEPTH } from './bounds.ts';
import { ByteBuffer } from './byte-buffer.ts';
import { isObject, type JsonObject, type JsonValue } from './json-value.ts';

/** Copies values with the members of each object in the order of S(x), so that the runtime prints them so. */
class Sorted {
  /** Whether all that was copied is of the restricted model, as far as the text would not show. */
  isPlain = true;
  /** The names that were sorted last at each depth: most rows of a list have those of the row before. */
  private readonly names: (readonly string[])[] = [];
  private readonly orders: (readonly string[])[] = [];

  /** Recursion is bounded by MAX_DEPTH. */
  copy(value: JsonValue, depth: number): JsonValue {
    if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
    if (typeof value === 'number') this.isPlain &&= Number.isSafeInteger(value);
    else if (typeof value !== 'object' || depth > MAX_DEPTH) this.isPlain = false;
    else return Array.isArray(value) ? Array.from(value, (item) => this.copy(item, depth + 1)) : this.object(value as JsonObject, depth);
    return value;
  }

  private object(value: JsonObject, depth: number): JsonObject {
    const sorted: Record<string, JsonValue> = {};
    for (const name of this.orderOf(value, depth)) sorted[name] = this.copy(value[name]!, depth + 1);
    return sorted;
  }

  private orderOf(value: JsonObject, depth: number): readonly string[] {
    const names = Object.keys(value);
    const last = this.names[depth] ?? [];
    if (names.length === last.length && names.every((name, at) => name === last[at])) return this.orders[depth] ?? last;
    // Set as a member of a copy, this one would be none.
    if (names.includes('__proto__')) this.isPlain = false;
    this.names[depth] = names;
    this.orders[depth] = names.toSorted();
    return this.orders[depth];
  }
}

/**
 * Takes a document that is in memory; returns its text as a capture writes it, lists last, for the scanners of bytes: what is not S(x) in it they refuse. Null
 * where a text would say something else than the value.
 */
export const canonicalBytes = (document: JsonValue): Uint8Array | null => {
  if (!isObject(document)) return null;
  const bytes = new ByteBuffer();
  const sorted = new Sorted();
  const members = Object.entries(document);
  const isList = ([, value]: readonly [string, JsonValue]): boolean => Array.isArray(value);
  const put = (value: JsonValue, depth: number): void => {
    const copy = sorted.copy(value, depth);
    if (sorted.isPlain) bytes.append(JSON.stringify(copy));
  };
  let mark = '{';
  for (const [name, value] of [...members.filter((one) => !isList(one)), ...members.filter(isList)]) {
    bytes.append(`${mark}${JSON.stringify(name)}:`);
    mark = ',';
    if (!Array.isArray(value)) put(value, 2);
    else {
      bytes.append('[');
      for (let row = 0; row < value.length; row++) {
        if (row > 0) bytes.append(',');
        put(value[row]!, 3);
      }
      bytes.append(']');
    }
  }
  bytes.append('}');
  return sorted.isPlain ? bytes.view() : null;
};
