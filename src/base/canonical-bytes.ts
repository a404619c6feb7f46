import { MAX_DEPTH } from './bounds.ts';
import { ByteBuffer } from './byte-buffer.ts';
import { isObject, type JsonObject, type JsonValue } from './json-value.ts';

/** Names that were sorted before, by how they stood: the rows of a list have the same. */
const ORDERS = new Map<string, readonly string[]>();
const ORDERS_KEPT = 256;

/**
 * Whether a value is of the restricted model as far as its text would not show, with the members of each object in the order of S(x): so the runtime prints them, as
 * what was read from S(x) stands. Recursion is bounded by MAX_DEPTH.
 */
const standsSorted = (value: JsonValue, depth: number): boolean => {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return true;
  if (typeof value === 'number') return Number.isSafeInteger(value);
  if (typeof value !== 'object' || depth > MAX_DEPTH) return false;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) if (!standsSorted(value[at]!, depth + 1)) return false;
    return true;
  }
  // What has a way of its own to be printed, by its class too, would say something else than its members.
  if (typeof (value as { readonly toJSON?: unknown }).toJSON === 'function') return false;
  let before: string | null = null;
  for (const name in value as JsonObject) {
    if ((before !== null && name <= before) || !standsSorted((value as JsonObject)[name]!, depth + 1)) return false;
    before = name;
  }
  return true;
};

/** Copies values with the members of each object in the order of S(x), so that the runtime prints them so. */
class Sorted {
  /** Whether all that was copied is of the restricted model, as far as the text would not show. */
  isPlain = true;

  /** Recursion is bounded by MAX_DEPTH. */
  copy(value: JsonValue, depth: number): JsonValue {
    if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
    if (typeof value === 'number') this.isPlain &&= Number.isSafeInteger(value);
    else if (typeof value !== 'object' || depth > MAX_DEPTH) this.isPlain = false;
    else
      return Array.isArray(value)
        ? Array.from(value, (item) => this.copy(item, depth + 1))
        : this.object(value as JsonObject, depth);
    return value;
  }

  private object(value: JsonObject, depth: number): JsonObject {
    const sorted: Record<string, JsonValue> = {};
    for (const name of this.orderOf(value)) sorted[name] = this.copy(value[name]!, depth + 1);
    return sorted;
  }

  /** Of names that hold a comma another list may be known: then a member is missed, and the copy is not plain. */
  private orderOf(value: JsonObject): readonly string[] {
    const names = Object.keys(value);
    const key = names.join();
    let order = ORDERS.get(key);
    // Set as a member of a copy, this one would be none.
    if (key.includes('__proto__')) this.isPlain = false;
    if (order !== undefined && order.length === names.length) return order;
    order = names.toSorted();
    if (ORDERS.size === ORDERS_KEPT) ORDERS.clear();
    ORDERS.set(key, order);
    return order;
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
    const printed = standsSorted(value, depth) ? value : sorted.copy(value, depth);
    if (sorted.isPlain) bytes.append(JSON.stringify(printed));
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
