import { ByteBuffer } from '../base/byte-buffer.ts';
import { canonical, writeCanonical } from '../base/canonical.ts';
import type { Crypto } from '../base/crypto.ts';
import { type Digest, DigestedText } from '../base/digest.ts';
import { isObject, type JsonObject, type JsonValue } from '../base/json-value.ts';
import type { RowTexts, Slices } from '../base/read-canonical.ts';
import { TAGS } from '../base/tags.ts';
import { COLLECTION_INFO, COLLECTIONS, type Collection } from '../evidence/collections.ts';
import { compareIds } from './id-order.ts';

/** One leaf of Λ: collection (or `edges`), id (null where the row has none), hash of the envelope (FORMAT.md section 5). */
export type Commitment = {
  readonly c: Collection | 'edges';
  readonly i: string | null;
  readonly h: Digest<'record'> | Digest<'edge'>;
};

export type Committed = {
  /** Λ: collection by collection in Merkle order, by id within each, edges last. */
  readonly commitments: readonly Commitment[];
  /** C_T. */
  readonly captureDigest: Digest<'capture'>;
};

export const LISTS = [...COLLECTIONS, 'edges'] as const;

const isList = (name: string): name is Commitment['c'] => (LISTS as readonly string[]).includes(name);

const NO_TEXTS: RowTexts = new Map();

/**
 * Commits a bundle as it stands, of whatever shape (FORMAT.md sections 5 and 8a): a collection that is not an array
 * counts as empty, a row without a string id has the id null and comes first, rows with equal ids keep stored order.
 * `texts` are S(row) where the reader found them in the file; other rows are serialised, each once.
 */
export const commitBundle = (bundle: JsonObject, crypto: Crypto, texts = NO_TEXTS): Committed => {
  const capture = new DigestedText(TAGS.capture, crypto);
  const message = new ByteBuffer();
  const committed = new Map<string, Commitment[]>();
  for (const [at, name] of Object.keys(bundle).sort().entries()) {
    capture.write(`${at === 0 ? '{' : ','}${canonical(name)}:`);
    const value = bundle[name]!;
    if (isList(name) && Array.isArray(value)) {
      committed.set(name, commitRows(name, value, texts.get(name), { capture, message, crypto }));
    } else writeCanonical(value, (piece) => capture.write(piece));
  }
  capture.write(Object.keys(bundle).length === 0 ? '{}' : '}');
  return {
    commitments: LISTS.flatMap((c) => inOrder(committed.get(c) ?? [])),
    captureDigest: capture.digest(),
  };
};

/** A capture numbers its records, so most lists stand in order already. */
const inOrder = (list: Commitment[]): readonly Commitment[] => {
  for (let at = 1; at < list.length; at++) {
    if (compareIds(list[at - 1]!.i, list[at]!.i) > 0) return list.sort((a, b) => compareIds(a.i, b.i));
  }
  return list;
};

/** What the rows of a bundle are hashed with: C_T as it grows, and the bytes of one envelope after the other. */
type Hashing = {
  readonly capture: DigestedText<typeof TAGS.capture>;
  readonly message: ByteBuffer;
  readonly crypto: Crypto;
};

const commitRows = (
  c: Commitment['c'],
  rows: readonly JsonValue[],
  texts: Slices | undefined,
  { capture, message, crypto }: Hashing,
): Commitment[] => {
  const envelope = c === 'edges' ? edgeEnvelope : recordEnvelope(c);
  const member = c === 'edges' ? 'edge_id' : COLLECTION_INFO[c].id;
  capture.write('[');
  const committed = rows.map((row, at): Commitment => {
    const text = texts?.at(at) ?? canonical(row);
    if (at > 0) capture.write(',');
    capture.write(text);
    const i = idOf(row, member);
    envelope(message.clear(), row, i, text);
    return { c, i, h: crypto.sha256Hex(message.view()) as Commitment['h'] };
  });
  capture.write(']');
  return committed;
};

/** Appends tag, zero byte and S(E) of one row. */
type Envelope = (message: ByteBuffer, row: JsonValue, i: string | null, text: Uint8Array | string) => void;

const recordEnvelope = (c: Collection): Envelope => {
  const start = `${TAGS.record}\0{"c":"${c}","i":`;
  const end = `,"t":"${COLLECTION_INFO[c].type}","v":"3"}`;
  return (message, _row, i, text) => {
    message
      .append(`${start}${canonical(i)},"p":`)
      .append(text)
      .append(end);
  };
};

const edgeEnvelope: Envelope = (message, row, i) => {
  message.append(`${TAGS.edge}\0{"e":${payloadText(row)},"i":${canonical(i)},"v":"3"}`);
};

/** S(e) of FORMAT.md section 4: of the stored edge without its label. */
const payloadText = (edge: JsonValue): string => {
  if (!isObject(edge)) return canonical(edge);
  let text = '';
  for (const name of Object.keys(edge).sort()) {
    if (name !== 'edge_id') text += `${text === '' ? '{' : ','}${canonical(name)}:${canonical(edge[name]!)}`;
  }
  return text === '' ? '{}' : `${text}}`;
};

/** The id of a row, or null where the row is no object or the member is no string. */
export const idOf = (row: JsonValue, member: string): string | null => {
  const id = isObject(row) ? row[member] : null;
  return typeof id === 'string' ? id : null;
};
