import { asciiBytes } from '../base/ascii.ts';
import { ByteBuffer } from '../base/byte-buffer.ts';
import type { Crypto } from '../base/crypto.ts';
import { type Digest, DigestedText } from '../base/digest.ts';
import { writeHex } from '../base/hex.ts';
import { Message } from '../base/message.ts';
import { TAGS } from '../base/tags.ts';
import { BUNDLE_FORMAT, BUNDLE_MEMBERS, PROFILE_VERSION } from '../evidence/bundle.ts';
import { COLLECTION_INFO, COLLECTIONS, type Collection } from '../evidence/collections.ts';
import type { BundleIds } from '../evidence/id-index.ts';
import type { RowTable } from '../evidence/row-table.ts';
import type { ScannedBundle } from '../evidence/scan-bundle.ts';
import { LISTS } from './commitments.ts';
import { LABEL_BYTES } from './labels.ts';
import { holdList, type Listed, type StoredList } from './listed.ts';
import { Leaves } from './merkle.ts';

/** What a bundle commits to: as `commitBundle` has it, folded. */
export type CommittedTables = {
  readonly count: number;
  readonly root: Digest<'merkleNode'> | null;
  readonly captureDigest: Digest<'capture'>;
  /** The list of commitments as the receipt has it; null where it has none. */
  readonly listed: Listed | null;
};

/** The members of S(bundle) in their order, each with what stands before its rows, or all of it. */
const MEMBERS = [...BUNDLE_MEMBERS].sort().map((name, at) => {
  const single = name === 'format' ? BUNDLE_FORMAT : name === 'profile_version' ? PROFILE_VERSION : null;
  const start = asciiBytes(`${at === 0 ? '{' : ','}"${name}":${single === null ? '[' : `"${single}"`}`);
  return { list: single === null ? (name as Collection | 'edges') : null, start };
});
const COMMA = 0x2c;
const CLOSE_LIST = 0x5d;
const CLOSE_OBJECT = 0x7d;
const EDGE_ID = asciiBytes(`${TAGS.edgeId}\0`);
const LABEL_BEFORE = asciiBytes('"edge_id":');
const EDGE_START = asciiBytes(`${TAGS.edge}\0{"e":`);
const EDGE_BEFORE_ID = asciiBytes(',"i":');
const EDGE_END = asciiBytes(',"v":"3"}');
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
const [envelope, payload, captured] = [new Message(), new Message(), new ByteBuffer()];

/** S(list) in pieces, lists in stored order: C_T as it grows. */
type Capture = DigestedText<typeof TAGS.capture>;

/** What a list is committed with: C_T as it grows, the leaves of Λ, and which of them is the first of the list. */
type Into = { readonly capture: Capture; readonly leaves: Leaves; readonly first: number; readonly crypto: Crypto };

const commitRecords = (c: Collection, table: RowTable, ranks: Uint32Array | null, into: Into): void => {
  const { capture, leaves, first, crypto } = into;
  const id = table.memberNamed(COLLECTION_INFO[c].id);
  const { start, end } = RECORD_ENVELOPES[c];
  envelope.begin(start);
  for (let row = 0; row < table.length; row++) {
    table.row(row);
    const { bytes } = table;
    const text = bytes.subarray(table.start, table.end);
    envelope
      .again()
      .append(bytes, table.startOf(id), table.endOf(id))
      .append(RECORD_BEFORE_TEXT, 0, RECORD_BEFORE_TEXT.length)
      .appendAll(text)
      .append(end, 0, end.length);
    if (row > 0) capture.writeByte(COMMA);
    capture.write(text);
    leaves.hash(first + (ranks === null ? row : ranks[row]!), envelope.view(), crypto);
  }
};

/** Notes the label of each edge; false where one is not its own, or does not stand after that of the edge before. */
const commitEdges = (table: RowTable, labels: Uint8Array, { capture, leaves, first, crypto }: Into): boolean => {
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
    const own = crypto.sha256Hex(payload.view()).slice(0, 2 * LABEL_BYTES);
    if (!table.standsAscii(start + 1, own) || own <= before) return false;
    before = own;
    writeHex(own, labels, LABEL_BYTES * row);
    envelope
      .again()
      .append(payload.bytes, EDGE_ID.length, payload.length)
      .append(EDGE_BEFORE_ID, 0, EDGE_BEFORE_ID.length)
      .append(bytes, start, end)
      .append(EDGE_END, 0, EDGE_END.length);
    if (row > 0) capture.writeByte(COMMA);
    capture.write(bytes.subarray(rowStart, rowEnd));
    leaves.hash(first + row, envelope.view(), crypto);
  }
  return true;
};

/** Of each row, where it stands in the order of ids. */
const ranksOf = (rows: Uint32Array): Uint32Array => {
  const ranks = new Uint32Array(rows.length);
  for (let rank = 0; rank < rows.length; rank++) ranks[rows[rank]!] = rank;
  return ranks;
};

/**
 * Commits a bundle that was scanned (FORMAT.md section 5), and checks the label of each edge, and the list of commitments of its receipt. Returns null where a label
 * is wrong, the edges do not stand in the order of their labels, or the list is another one.
 */
export const commitTables = (
  bundle: ScannedBundle,
  ids: BundleIds,
  stored: StoredList | null,
  crypto: Crypto,
): CommittedTables | null => {
  const firsts = new Map<Collection | 'edges', number>();
  let count = 0;
  for (const c of LISTS) {
    firsts.set(c, count);
    count += bundle[c].length;
  }
  const capture = new DigestedText(TAGS.capture, crypto, captured);
  const leaves = new Leaves(count);
  const labels = new Uint8Array(LABEL_BYTES * bundle.edges.length);
  for (const { list, start } of MEMBERS) {
    capture.write(start);
    if (list === null) continue;
    const into = { capture, leaves, first: firsts.get(list)!, crypto };
    if (list !== 'edges') {
      const { inOrder } = ids[list];
      commitRecords(list, bundle[list], inOrder === null ? null : ranksOf(inOrder), into);
    } else if (!commitEdges(bundle.edges, labels, into)) return null;
    capture.writeByte(CLOSE_LIST);
  }
  capture.writeByte(CLOSE_OBJECT);
  const listed = stored === null ? null : holdList(stored, { ids, labels, leaves }, crypto);
  if (stored !== null && listed === null) return null;
  return { count, root: leaves.root(crypto), captureDigest: capture.digest(), listed };
};
