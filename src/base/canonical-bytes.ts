import { MAX_DEPTH } from './bounds.ts';
import { ByteBuffer } from './byte-buffer.ts';
import { isObject, type JsonObject, type JsonValue } from './json-value.ts';

/** Names that were sorted before, by how they stood: the rows of a list have the same. */
const ORDERS = new Map<string, readonly string[]>();
const ORDERS_KEPT = 256;

/** Makes of values what the runtime prints as S(x). */
class Sorted {
  /** Whether all that was met is of the restricted model, as far as the text would not show. */
  isPlain = true;
  /** Characters and values met since it was set to 0: the text has more, by a factor that is bounded. */
  size = 0;

  /** A value that the runtime prints with the members of each object in the order of S(x), as what was read from S(x) stands; a copy where it does not. */
  of(value: JsonValue, depth: number): JsonValue {
    return this.stands(value, depth) ? value : this.copy(value, depth);
  }

  /** Recursion is bounded by MAX_DEPTH. */
  private stands(value: JsonValue, depth: number): boolean {
    this.size++;
    if (typeof value === 'string') {
      this.size += value.length;
      return true;
    }
    if (typeof value === 'boolean' || value === null) return true;
    if (typeof value === 'number') return Number.isSafeInteger(value);
    if (typeof value !== 'object' || depth > MAX_DEPTH) return false;
    // What has a way of its own to be printed, by its class too, would say something else than its members.
    if (typeof (value as { readonly toJSON?: unknown }).toJSON === 'function') return false;
    if (Array.isArray(value)) {
      for (let at = 0; at < value.length; at++) if (!this.stands(value[at]!, depth + 1)) return false;
      return true;
    }
    let before: string | null = null;
    for (const name in value) {
      if ((before !== null && name <= before) || !this.stands(value[name]!, depth + 1)) return false;
      this.size += name.length;
      before = name;
    }
    return true;
  }

  /** Recursion is bounded by MAX_DEPTH. */
  private copy(value: JsonValue, depth: number): JsonValue {
    this.size++;
    if (typeof value === 'string') this.size += value.length;
    if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
    if (typeof value === 'number') this.isPlain &&= Number.isSafeInteger(value);
    else if (typeof value !== 'object' || depth > MAX_DEPTH) this.isPlain = false;
    else if (this.isPlain)
      return Array.isArray(value) ? Array.from(value, (item) => this.copy(item, depth + 1)) : this.object(value, depth);
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
    this.size += key.length;
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

/** Rows are printed together in pieces of this size, which stay near the processor: a whole list may have more text than a string can. */
const PIECE = 1 << 16;

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
  let text = '{';
  const write = (piece: string): void => {
    text += piece;
    if (text.length < PIECE) return;
    bytes.append(text);
    text = '';
  };
  let mark = '';
  for (const [name, value] of [...members.filter((one) => !isList(one)), ...members.filter(isList)]) {
    write(`${mark}${JSON.stringify(name)}:`);
    mark = ',';
    if (!Array.isArray(value)) {
      const member = sorted.of(value, 2);
      if (!sorted.isPlain) return null;
      write(JSON.stringify(member));
      continue;
    }
    write('[');
    for (let row = 0; row < value.length; ) {
      if (row > 0) write(',');
      const rows: JsonValue[] = [];
      for (sorted.size = 0; row < value.length && sorted.size < PIECE; row++) rows.push(sorted.of(value[row]!, 3));
      if (!sorted.isPlain) return null;
      write(JSON.stringify(rows).slice(1, -1));
    }
    write(']');
  }
  return bytes.append(`${text}}`).view();
};
