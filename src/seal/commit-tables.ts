import { asciiBytes, standsAscii } from '../base/ascii.ts';
import { ByteBuffer } from '../base/byte-buffer.ts';
import type { Crypto } from '../base/crypto.ts';
import { type Digest, DigestedText } from '../base/digest.ts';
import { writeHex } from '../base/hex.ts';
import { type Kept, kernel } from '../base/kernel/kernel.ts';
import { TAGS } from '../base/tags.ts';
import { BUNDLE_FORMAT, BUNDLE_MEMBERS, PROFILE_VERSION } from '../evidence/bundle.ts';
import { COLLECTION_INFO, COLLECTIONS, type Collection } from '../evidence/collections.ts';
import type { BundleIds } from '../evidence/id-index.ts';
import type { RecordTable } from '../evidence/record-table.ts';
import type { RowTable } from '../evidence/row-table.ts';
import type { ScannedBundle } from '../evidence/scan-bundle.ts';
import { LISTS } from './commitments.ts';
import { eachRow, MessagePlace } from './each-row.ts';
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
const CLOSE_LIST = 0x5d;
const CLOSE_OBJECT = 0x7d;
const QUOTES = 2;
/** A label, quoted. */
const LABEL_TEXT = 2 * LABEL_BYTES + QUOTES;
const LABEL_NAME = '"edge_id":'.length;

const kept = (text: string): Kept => kernel().text(text);
const NOTHING = kept('');
const EDGE_ID = kept(`${TAGS.edgeId}\0`);
const EDGE = { begin: kept(`${TAGS.edge}\0{"e":`), between: kept(',"i":'), last: kept(',"v":"3"}') };
const BEFORE_RECORD = kept(',"p":');
/** What stands around id and text of a record in its envelope. */
const RECORDS = Object.fromEntries(
  COLLECTIONS.map((c) => [
    c,
    {
      begin: kept(`${TAGS.record}\0{"c":"${c}","i":`),
      last: kept(`,"t":"${COLLECTION_INFO[c].type}","v":"3"}`),
    },
  ]),
) as Readonly<Record<Collection, { readonly begin: Kept; readonly last: Kept }>>;

/** Where messages are made that are hashed. */
const [envelope, payload] = [new MessagePlace(), new MessagePlace()];
/** The memory of what is captured serves every bundle. */
const captured = new ByteBuffer();

/** What a list is committed with: C_T as it grows, the leaves of Λ, and which of them is the first of the list. */
type Into = {
  readonly capture: (rows: Uint8Array) => void;
  readonly leaves: Leaves;
  readonly first: number;
  readonly crypto: Crypto;
};

const commitRecords = (c: Collection, table: RecordTable, ranks: Uint32Array | null, into: Into): void => {
  const { capture, leaves, first, crypto } = into;
  const { ids, noted } = table;
  const { begin, last } = RECORDS[c];
  eachRow(table, [envelope], capture, (row, place, length) => {
    const id = place + table.offsetOf(row, noted.id);
    const idLength = ids.endOf(row) - ids.startOf(row) + QUOTES;
    const message = envelope.make(begin, id, idLength, BEFORE_RECORD, place, length, last);
    leaves.hash(first + (ranks === null ? row : ranks[row]!), message, crypto);
    return true;
  });
};

/** Notes the label of each edge; false where one is not its own, or does not stand after that of the edge before. */
const commitEdges = (table: RowTable, labels: Uint8Array, { capture, leaves, first, crypto }: Into): boolean => {
  const label = table.memberNamed('edge_id');
  let before = '';
  return eachRow(table, [envelope, payload], capture, (row, place, length) => {
    const stated = place + table.offsetOf(row, label);
    // S(e) is the row without its label.
    const [head, tail] = [stated - LABEL_NAME - place, stated + LABEL_TEXT + 1];
    const text = payload.make(EDGE_ID, place, head, NOTHING, tail, place + length - tail, NOTHING);
    const own = crypto.sha256Hex(text).slice(0, 2 * LABEL_BYTES);
    if (!standsAscii(kernel().bytes, stated + 1, own) || own <= before) return false;
    before = own;
    writeHex(own, labels, LABEL_BYTES * row);
    const start = payload.at + EDGE_ID[1];
    const message = envelope.make(
      EDGE.begin,
      start,
      text.length - EDGE_ID[1],
      EDGE.between,
      stated,
      LABEL_TEXT,
      EDGE.last,
    );
    leaves.hash(first + row, message, crypto);
    return true;
  });
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
  const write = (rows: Uint8Array): void => capture.write(rows);
  const leaves = new Leaves(count);
  const labels = new Uint8Array(LABEL_BYTES * bundle.edges.length);
  for (const { list, start } of MEMBERS) {
    capture.write(start);
    if (list === null) continue;
    const into = { capture: write, leaves, first: firsts.get(list)!, crypto };
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
