import { canonical, writeCanonical } from '../base/canonical.ts';
import type { Crypto } from '../base/crypto.ts';
import { type Digest, digest, taggedBytes } from '../base/digest.ts';
import { isObject, type JsonObject, type JsonValue } from '../base/json-value.ts';
import { TAGS } from '../base/tags.ts';
import { encodeUtf8 } from '../base/utf8.ts';
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

/**
 * Commits a bundle as it stands, of whatever shape (FORMAT.md sections 5 and 8a): a collection that is not an array
 * counts as empty, a row without a string id has the id null and comes first, rows with equal ids keep stored order.
 * Each row is serialised once, and no more than one is held as text.
 */
export const commitBundle = (bundle: JsonObject, crypto: Crypto): Committed => {
  const { write, finish } = captureText(crypto);
  const committed = new Map<string, Commitment[]>();
  for (const [at, name] of Object.keys(bundle).sort().entries()) {
    write(`${at === 0 ? '{' : ','}${canonical(name)}:`);
    const value = bundle[name]!;
    if (isList(name) && Array.isArray(value)) committed.set(name, commitRows(name, value, write, crypto));
    else writeCanonical(value, write);
  }
  write(Object.keys(bundle).length === 0 ? '{}' : '}');
  return {
    commitments: LISTS.flatMap((c) => (committed.get(c) ?? []).sort((a, b) => compareIds(a.i, b.i))),
    captureDigest: finish(),
  };
};

const FLUSH_AT = 1 << 16;

/** Hashes S(T) as it is written, in pieces that end between two characters. */
const captureText = (crypto: Crypto) => {
  const stream = crypto.sha256Stream();
  stream.update(taggedBytes(TAGS.capture));
  let held = '';
  const flush = () => {
    stream.update(encodeUtf8(held));
    held = '';
  };
  const write = (text: string): void => {
    held += text;
    if (held.length >= FLUSH_AT) flush();
  };
  const finish = (): Digest<'capture'> => {
    flush();
    return stream.hex() as Digest<'capture'>;
  };
  return { write, finish };
};

const commitRows = (
  c: Commitment['c'],
  rows: readonly JsonValue[],
  write: (text: string) => void,
  crypto: Crypto,
): Commitment[] => {
  write('[');
  const committed = rows.map((row, at) => {
    const text = canonical(row);
    write(at === 0 ? text : `,${text}`);
    return c === 'edges' ? commitEdge(row, crypto) : commitRecord(c, row, text, crypto);
  });
  write(']');
  return committed;
};

const commitRecord = (c: Collection, row: JsonValue, text: string, crypto: Crypto): Commitment => {
  const { id, type } = COLLECTION_INFO[c];
  const i = idOf(row, id);
  return { c, i, h: digest(crypto, TAGS.record, `{"c":"${c}","i":${canonical(i)},"p":${text},"t":"${type}","v":"3"}`) };
};

const commitEdge = (row: JsonValue, crypto: Crypto): Commitment => {
  const i = idOf(row, 'edge_id');
  const payload = canonical(edgePayload(row));
  return { c: 'edges', i, h: digest(crypto, TAGS.edge, `{"e":${payload},"i":${canonical(i)},"v":"3"}`) };
};

/** e of FORMAT.md section 4: the stored edge without its label. */
const edgePayload = (edge: JsonValue): JsonValue => {
  if (!isObject(edge)) return edge;
  const payload: JsonObject = Object.assign(Object.create(null), edge);
  delete payload.edge_id;
  return payload;
};

/** The id of a row, or null where the row is no object or the member is no string. */
export const idOf = (row: JsonValue, member: string): string | null => {
  const id = isObject(row) ? row[member] : null;
  return typeof id === 'string' ? id : null;
};
