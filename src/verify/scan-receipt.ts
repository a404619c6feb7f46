import { CanonicalScan } from '../base/canonical-scan.ts';
import type { JsonObject, JsonValue } from '../base/json-value.ts';
import { decodeUtf8 } from '../base/utf8.ts';
import { RECEIPT_FORMAT } from '../seal/receipt.ts';

/** A receipt but for its list of commitments, of which it is known where it starts; null: it has none. */
export type ScannedReceipt = {
  /** With an empty list for one that is there. */
  readonly document: JsonObject & { readonly body: JsonObject };
  readonly listAt: number | null;
};

const spaceEnd = (bytes: Uint8Array, from: number): number => {
  let at = from;
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at++;
  return at;
};

/** Whether nothing but the end of the receipt stands at a position. */
export const isReceiptEnd = (bytes: Uint8Array, from: number): boolean => {
  const at = from < 0 ? -1 : spaceEnd(bytes, from);
  return bytes[at] === 0x7d && spaceEnd(bytes, at + 1) === bytes.length;
};

/**
 * Takes a receipt as it is written: body and signature as S(x) has them, the list of commitments last, white space between them as one likes. Null where it
 * is anything else: the reader says what.
 */
export const scanReceipt = (bytes: Uint8Array): ScannedReceipt | null => {
  const scan = new CanonicalScan(bytes);
  const members = new Map<string, JsonValue>();
  let at = spaceEnd(bytes, 0);
  let listAt: number | null = null;
  if (bytes[at] !== 0x7b) return null;
  do {
    const start = spaceEnd(bytes, at + 1);
    const end = scan.memberName(start);
    if (end < 0) return null;
    const name = decodeUtf8(bytes.subarray(start + 1, end - 1))!;
    at = spaceEnd(bytes, end);
    if (bytes[at] !== 0x3a || members.has(name)) return null;
    const valueAt = spaceEnd(bytes, at + 1);
    if (name === 'commitments') {
      listAt = valueAt;
      members.set(name, []);
      break;
    }
    at = scan.value(valueAt, 2);
    if (at < 0) return null;
    members.set(name, JSON.parse(decodeUtf8(bytes.subarray(valueAt, at))!) as JsonValue);
    at = spaceEnd(bytes, at);
  } while (bytes[at] === 0x2c);
  if (listAt === null && !isReceiptEnd(bytes, at)) return null;
  const document = Object.fromEntries(members) as JsonObject;
  const { body } = document;
  const isBody = typeof body === 'object' && body !== null && !Array.isArray(body) && body.format === RECEIPT_FORMAT;
  return isBody ? { document: { ...document, body }, listAt } : null;
};
