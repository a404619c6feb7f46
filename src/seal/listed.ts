import { asciiBytes } from '../base/ascii.ts';
import type { Crypto } from '../base/crypto.ts';
import type { Digest } from '../base/digest.ts';
import { Message } from '../base/message.ts';
import { sameBytes } from '../base/same-bytes.ts';
import { TAGS } from '../base/tags.ts';
import { COLLECTIONS, type Collection } from '../evidence/collections.ts';
import type { BundleIds } from '../evidence/id-index.ts';
import { LABEL_BYTES } from './labels.ts';
import type { Leaves } from './merkle.ts';

/** The list of commitments in a receipt: where it starts in its bytes. */
export type StoredList = { readonly bytes: Uint8Array; readonly start: number };
/** D(`A2AFT.Commitments.v3`, S(list)) of a list that is stored, and where it ends. */
export type Listed = { readonly digest: Digest<'commitments'>; readonly end: number };
/** What Λ is made of: ids in the order of their rows, labels of edges in theirs, hashes in that of Λ. */
type Lambda = { readonly ids: BundleIds; readonly labels: Uint8Array; readonly leaves: Leaves };

const TAG = asciiBytes(`${TAGS.commitments}\0`);
const BEFORE_ID = asciiBytes('","i":"');
const AFTER_ID = asciiBytes('"}');
const FIRST = 0x5b;
const COMMA = 0x2c;
const CLOSE = 0x5d;
const BRACE = 0x7d;
/** So much of a list is made, held against the stored one and hashed at a time. */
const PIECE_BYTES = 1 << 16;

const startOf = (c: Collection | 'edges'): Uint8Array => asciiBytes(`{"c":"${c}","h":"`);
const STARTS = COLLECTIONS.map((c) => [c, startOf(c)] as const);
const EDGES_START = startOf('edges');

/** Its memory serves every list. */
const piece = new Message();

const spaceEnd = (bytes: Uint8Array, from: number): number => {
  let at = from;
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at++;
  return at;
};

/** The entries of Λ one after the other, each hashed and held against the one that is stored. */
class ListCheck {
  private readonly bytes: Uint8Array;
  private readonly stream;
  private at: number;
  private mark = FIRST;

  constructor({ bytes, start }: StoredList, crypto: Crypto) {
    this.bytes = bytes;
    this.at = start;
    this.stream = crypto.sha256Stream();
    this.stream.update(TAG);
    piece.begin(TAG.subarray(0, 0));
  }

  /** Begins an entry; its id and its end are the caller's. */
  entry(start: Uint8Array, leaves: Leaves, index: number): Message {
    piece.appendByte(this.mark).append(start, 0, start.length);
    this.mark = COMMA;
    return leaves.appendTo(piece, index).append(BEFORE_ID, 0, BEFORE_ID.length);
  }

  /** Whether what was made up to here stands in the file, white space free between entries; asked after each entry. */
  holds(): boolean {
    return piece.append(AFTER_ID, 0, AFTER_ID.length).length < PIECE_BYTES || this.flush();
  }

  end(): Listed | null {
    if (this.mark === FIRST || !this.flush()) return null;
    this.stream.update(Uint8Array.of(CLOSE));
    const end = spaceEnd(this.bytes, this.at);
    return this.bytes[end] === CLOSE ? { digest: this.stream.hex() as Digest<'commitments'>, end: end + 1 } : null;
  }

  private flush(): boolean {
    const made = piece.view();
    this.stream.update(made);
    // Neither id nor digest holds a brace: each ends an entry.
    for (let from = 0; from < made.length; ) {
      const mark = spaceEnd(this.bytes, this.at);
      if (this.bytes[mark] !== made[from]) return false;
      const entry = spaceEnd(this.bytes, mark + 1);
      const length = made.indexOf(BRACE, from) - from;
      if (entry + length > this.bytes.length || !sameBytes(this.bytes, entry, made, from + 1, length)) return false;
      this.at = entry + length;
      from += 1 + length;
    }
    piece.again();
    return true;
  }
}

/** Takes a stored list of commitments; returns its digest when it is the list of this Λ, else null. */
export const holdList = (stored: StoredList, { ids, labels, leaves }: Lambda, crypto: Crypto): Listed | null => {
  const check = new ListCheck(stored, crypto);
  let index = 0;
  for (const [c, start] of STARTS) {
    const { ids: ofRows, inOrder } = ids[c];
    for (let rank = 0; rank < ofRows.length; rank++) {
      const row = inOrder === null ? rank : inOrder[rank]!;
      check.entry(start, leaves, index++).append(ofRows.bytes, ofRows.startOf(row), ofRows.endOf(row));
      if (!check.holds()) return null;
    }
  }
  for (let at = 0; at < labels.length; at += LABEL_BYTES) {
    check.entry(EDGES_START, leaves, index++).appendHex(labels, at, at + LABEL_BYTES);
    if (!check.holds()) return null;
  }
  return check.end();
};
