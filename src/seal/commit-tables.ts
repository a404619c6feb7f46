import { asciiBytes } from '../base/ascii.ts';
import type { Crypto } from '../base/crypto.ts';
import { type Digest, DigestedText } from '../base/digest.ts';
import { Message } from '../base/message.ts';
import { sameBytes } from '../base/same-bytes.ts';
import { TAGS } from '../base/tags.ts';
import { BUNDLE_FORMAT, BUNDLE_MEMBERS, PROFILE_VERSION } from '../evidence/bundle.ts';
import { COLLECTION_INFO, COLLECTIONS, type Collection } from '../evidence/collections.ts';
import type { BundleIds } from '../evidence/id-index.ts';
import type { RowTable } from '../evidence/row-table.ts';
import type { ScannedBundle } from '../evidence/scan-bundle.ts';
import { Leaves } from './merkle.ts';

/** What a bundle commits to: as `commitBundle` has it, folded. */
export type CommittedTables = {
  readonly count: number;
  readonly root: Digest<'merkleNode'> | null;
  readonly captureDigest: Digest<'capture'>;
  /** S of the list of commitments, and its digest; null where it was not asked for. */
  readonly list: Uint8Array | null;
  readonly listDigest: Digest<'commitments'> | null;
};

const SORTED_MEMBERS = [...BUNDLE_MEMBERS].sort();
/** The label of an edge: so many hex digits of the digest of its payload. */
const LABEL_DIGITS = 24;
const EDGE_ID = asciiBytes(`${TAGS.edgeId}\0`);
const LABEL_BEFORE = asciiBytes('"edge_id":');
const EDGE_START = asciiBytes(`${TAGS.edge}\0{"e":`);
const EDGE_BEFORE_ID = asciiBytes(',"i":');
const EDGE_END = asciiBytes(',"v":"3"}');
const LIST_START = asciiBytes(`${TAGS.commitments}\0[`);
const LIST_BEFORE_ID = asciiBytes('","i":');
const LIST_AFTER_ID = asciiBytes('},');
const RECORD_BEFORE_TEXT = asciiBytes(',"p":');

/** What stands around id and text of a record in its envelope. */
const RECORD_ENVELOPES = Object.fromEntries(
  COLLECTIONS.map((c) => [
    c,
    {
      start: asciiBytes(`${TAGS.record}\0{"c":"${c}","i":`),
      end: asciiBytes(`,"t":"${COLLECTION_INFO[c].type}","v":"3"}`),
    },
  ]),
) as Readonly<Record<Collection, { readonly start: Uint8Array; readonly end: Uint8Array }>>;

/** The messages that are hashed one after the other; their memory serves every bundle. */
const [envelope, payload] = [new Message(), new Message()];

/** Takes the hash of each row, in stored order. */
type Put = (row: number, hash: string) => void;

/** S(list) in pieces, lists in stored order: C_T as it grows. */
type Capture = DigestedText<typeof TAGS.capture>;

const commitRecords = (c: Collection, table: RowTable, capture: Capture, crypto: Crypto, put: Put): void => {
  const id = table.memberNamed(COLLECTION_INFO[c].id);
  const { start, end } = RECORD_ENVELOPES[c];
  envelope.begin(start);
  for (let row = 0; row < table.length; row++) {
    table.value(row, id);
    envelope
      .again()
      .append(table.bytes, table.start, table.end)
      .append(RECORD_BEFORE_TEXT, 0, RECORD_BEFORE_TEXT.length);
    table.row(row);
    const text = table.bytes.subarray(table.start, table.end);
    if (row > 0) capture.write(',');
    capture.write(text);
    put(row, crypto.sha256Hex(envelope.appendAll(text).append(end, 0, end.length).view()));
  }
};

/** False where the label of an edge is not its own, or does not stand after that of the edge before. */
const commitEdges = (table: RowTable, capture: Capture, crypto: Crypto, put: Put): boolean => {
  const label = table.memberNamed('edge_id');
  payload.begin(EDGE_ID);
  envelope.begin(EDGE_START);
  let before = '';
  for (let row = 0; row < table.length; row++) {
    table.row(row);
    const { bytes, start: rowStart, end: rowEnd } = table;
    const [start, end] = [table.startOf(label), table.endOf(label)];
    // S(e) is the row without its label.
    payload
      .again()
      .append(bytes, rowStart, start - LABEL_BEFORE.length)
      .append(bytes, end + 1, rowEnd);
    const own = crypto.sha256Hex(payload.view()).slice(0, LABEL_DIGITS);
    if (!table.standsAscii(start + 1, own) || own <= before) return false;
    before = own;
    envelope
      .again()
      .append(payload.bytes, EDGE_ID.length, payload.length)
      .append(EDGE_BEFORE_ID, 0, EDGE_BEFORE_ID.length)
      .append(bytes, start, end)
      .append(EDGE_END, 0, EDGE_END.length);
    if (row > 0) capture.write(',');
    capture.write(bytes.subarray(rowStart, rowEnd));
    put(row, crypto.sha256Hex(envelope.view()));
  }
  return true;
};

/** A list of a bundle in Λ: where its first row stands there, and its rows in the order of their ids; null where they are stored so. */
type Ranked = {
  readonly table: RowTable;
  readonly idMember: number;
  readonly first: number;
  readonly rows: readonly number[] | null;
};

/** The entries of one list as a receipt has them. */
const listEntries = (
  list: Message,
  c: Collection | 'edges',
  { table, idMember, rows }: Ranked,
  hashes: readonly string[],
) => {
  const start = asciiBytes(`{"c":"${c}","h":"`);
  for (let rank = 0; rank < table.length; rank++) {
    const row = rows === null ? rank : rows[rank]!;
    table.value(row, idMember);
    list
      .append(start, 0, start.length)
      .appendAscii(hashes[row]!)
      .append(LIST_BEFORE_ID, 0, LIST_BEFORE_ID.length)
      .append(table.bytes, table.start, table.end)
      .append(LIST_AFTER_ID, 0, LIST_AFTER_ID.length);
  }
};

/** Of each row, where it stands in the order of ids. */
const ranksOf = (rows: readonly number[]): Uint32Array => {
  const ranks = new Uint32Array(rows.length);
  for (let rank = 0; rank < rows.length; rank++) ranks[rows[rank]!] = rank;
  return ranks;
};

/**
 * Commits a bundle that was scanned (FORMAT.md section 5), and checks the label of each edge. Returns null where a label is wrong, or the edges do not
 * stand in the order of their labels.
 */
export const commitTables = (
  bundle: ScannedBundle,
  ids: BundleIds,
  isListed: boolean,
  crypto: Crypto,
): CommittedTables | null => {
  const ranked = new Map<Collection | 'edges', Ranked>();
  let count = 0;
  for (const c of [...COLLECTIONS, 'edges'] as const) {
    const table = bundle[c];
    const idMember = table.memberNamed(c === 'edges' ? 'edge_id' : COLLECTION_INFO[c].id);
    ranked.set(c, { table, idMember, first: count, rows: c === 'edges' ? null : ids[c].inOrder });
    count += table.length;
  }

  const capture = new DigestedText(TAGS.capture, crypto);
  const leaves = new Leaves(count);
  const hashesOf = new Map<Collection | 'edges', string[]>();
  let mark = '{';
  for (const name of SORTED_MEMBERS) {
    capture.write(`${mark}"${name}":`);
    mark = ',';
    if (name === 'format') capture.write(`"${BUNDLE_FORMAT}"`);
    else if (name === 'profile_version') capture.write(`"${PROFILE_VERSION}"`);
    else {
      const { first, rows } = ranked.get(name)!;
      const ranks = rows === null ? null : ranksOf(rows);
      const hashes: string[] = [];
      hashesOf.set(name, hashes);
      const put: Put = (row, hash) => {
        leaves.set(first + (ranks === null ? row : ranks[row]!), hash);
        hashes.push(hash);
      };
      capture.write('[');
      if (name !== 'edges') commitRecords(name, bundle[name], capture, crypto, put);
      else if (!commitEdges(bundle.edges, capture, crypto, put)) return null;
      capture.write(']');
    }
  }
  capture.write('}');
  const list = new Message().appendAll(LIST_START);
  if (isListed) for (const [c, rows] of ranked) listEntries(list, c, rows, hashesOf.get(c)!);
  const message = isListed ? closed(list.view()) : null;
  return {
    count,
    root: leaves.root(crypto),
    captureDigest: capture.digest(),
    list: message === null ? null : message.subarray(LIST_START.length - 1),
    listDigest: message === null ? null : (crypto.sha256Hex(message) as Digest<'commitments'>),
  };
};

/** The comma after the last entry becomes the end of the list. */
const closed = (list: Uint8Array): Uint8Array => {
  list[list.length - 1] = 0x5d;
  return list;
};

/** Where a list of commitments ends that stands here as it must, white space free between its entries; −1 where it does not. */
export const standsListed = (bytes: Uint8Array, start: number, list: Uint8Array): number => {
  const space = (from: number): number => {
    let at = from;
    while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at++;
    return at;
  };
  let at = start;
  // Neither id nor digest holds a brace: each ends an entry.
  for (let from = 0; from < list.length; ) {
    at = space(at);
    if (bytes[at++] !== list[from++]) return -1;
    if (from === list.length) return at;
    at = space(at);
    const end = list.indexOf(0x7d, from) + 1;
    if (at + end - from > bytes.length || !sameBytes(bytes, at, list, from, end - from)) return -1;
    at += end - from;
    from = end;
  }
  return -1;
};
