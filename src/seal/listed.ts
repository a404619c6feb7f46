import { ByteBuffer } from '../base/byte-buffer.ts';
import type { Crypto } from '../base/crypto.ts';
import { type Digest, DigestedText } from '../base/digest.ts';
import { type Kept, type Kernel, kernel, WINDOW, WORK } from '../base/kernel/kernel.ts';
import { TAGS } from '../base/tags.ts';
import { COLLECTIONS, type Collection } from '../evidence/collections.ts';
import type { BundleIds, IdIndex } from '../evidence/id-index.ts';
import { LABEL_BYTES } from './labels.ts';
import type { Leaves } from './merkle.ts';

/** The list of commitments in a receipt: where it starts in its bytes. */
export type StoredList = { readonly bytes: Uint8Array; readonly start: number };
/** D(`A2AFT.Commitments.v3`, S(list)) of a list that is stored, and where it ends. */
export type Listed = { readonly digest: Digest<'commitments'>; readonly end: number };
/** What Λ is made of: ids in the order of their rows, labels of edges in theirs, hashes in that of Λ. */
type Lambda = { readonly ids: BundleIds; readonly labels: Uint8Array; readonly leaves: Leaves };

const FIRST = 0x5b;
const CLOSE = 0x5d;
/** So many entries are made, held against the stored ones and hashed at a time. */
const PIECE = 256;
/** An id has no more. */
const ID_BYTES = 128;
const HASH_BYTES = 32;
/** Where the kernel works: what entries are made of, and the entries. */
const HASHES = WORK;
const ENDS = HASHES + HASH_BYTES * PIECE;
const LABELS = ENDS + 4 * PIECE;
const IDS = LABELS + LABEL_BYTES * PIECE;
const MADE = IDS + ID_BYTES * PIECE;
/** What more of the stored list is looked at than was made; white space may ask for more. */
const SLACK = 1 << 12;

const startOf = (c: Collection | 'edges'): Kept => kernel().text(`,{"c":"${c}","h":"`);
const STARTS = COLLECTIONS.map((c) => [c, startOf(c)] as const);
const EDGES_START = startOf('edges');
const BEFORE_ID = kernel().text('","i":"');
const LAST = kernel().text('"}');

/** The memory of the lists that are hashed, one after the other. */
const written = new ByteBuffer();
const gathered = new ByteBuffer();

const spaceEnd = (bytes: Uint8Array, from: number): number => {
  let at = from;
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at++;
  return at;
};

/** The entries of Λ one after the other, each hashed and held against the one that is stored. */
class ListCheck {
  private readonly kernel = kernel();
  private readonly bytes: Uint8Array;
  private readonly text: DigestedText<typeof TAGS.commitments>;
  private readonly leaves: Leaves;
  private at: number;
  private index = 0;

  constructor({ bytes, start }: StoredList, leaves: Leaves, crypto: Crypto) {
    this.bytes = bytes;
    this.at = start;
    this.leaves = leaves;
    this.text = new DigestedText(TAGS.commitments, crypto, written);
  }

  /** Whether so many entries of one list are stored, whose ids stand in the memory of the kernel, and where each ends. */
  holds(count: number, start: Kept): boolean {
    const { kernel, leaves, index } = this;
    kernel.bytes.set(leaves.of(index, count), HASHES);
    const end = kernel.run.entries(count, ...start, HASHES, ...BEFORE_ID, IDS, ENDS, ...LAST, MADE);
    if (index === 0) kernel.bytes[MADE] = FIRST;
    this.index += count;
    this.text.write(kernel.bytes.subarray(MADE, end));
    return this.isStored(end);
  }

  end(): Listed | null {
    if (this.index === 0) return null;
    this.text.writeByte(CLOSE);
    const end = spaceEnd(this.bytes, this.at);
    return this.bytes[end] === CLOSE ? { digest: this.text.digest(), end: end + 1 } : null;
  }

  private isStored(end: number): boolean {
    const { kernel, bytes, at } = this;
    for (let length = end - MADE + SLACK; ; length *= 2) {
      const stored = bytes.subarray(at, at + length);
      kernel.put(stored, WINDOW);
      const after = kernel.run.stands(MADE, end, WINDOW);
      if (after !== 0) {
        this.at = at + after - WINDOW;
        return true;
      }
      if (at + length >= bytes.length) return false;
    }
  }
}

/** Puts ids of rows into the memory of the kernel, in the order of their bytes, and where each ends. */
const putIds = ({ bytes, words }: Kernel, { ids, inOrder }: IdIndex, first: number, count: number): void => {
  if (inOrder === null) {
    const start = ids.startOf(first);
    bytes.set(ids.bytes.subarray(start, ids.endOf(first + count - 1)), IDS);
    for (let at = 0; at < count; at++) words[ENDS / 4 + at] = ids.endOf(first + at) - start;
    return;
  }
  gathered.clear();
  for (let at = 0; at < count; at++) {
    const row = inOrder[first + at]!;
    words[ENDS / 4 + at] = gathered.append(ids.bytes.subarray(ids.startOf(row), ids.endOf(row))).length;
  }
  bytes.set(gathered.view(), IDS);
};

/** The same of the digits of labels. */
const putLabels = (kernel: Kernel, labels: Uint8Array, first: number, count: number): void => {
  kernel.bytes.set(labels.subarray(LABEL_BYTES * first, LABEL_BYTES * (first + count)), LABELS);
  kernel.run.hex(LABELS, LABEL_BYTES * count, IDS);
  for (let at = 0; at < count; at++) kernel.words[ENDS / 4 + at] = 2 * LABEL_BYTES * (at + 1);
};

/** Takes a stored list of commitments; returns its digest when it is the list of this Λ, else null. */
export const holdList = (stored: StoredList, { ids, labels, leaves }: Lambda, crypto: Crypto): Listed | null => {
  const check = new ListCheck(stored, leaves, crypto);
  const holds = (length: number, start: Kept, put: (first: number, count: number) => void): boolean => {
    for (let first = 0; first < length; first += PIECE) {
      const count = Math.min(PIECE, length - first);
      put(first, count);
      if (!check.holds(count, start)) return false;
    }
    return true;
  };
  for (const [c, start] of STARTS) {
    if (!holds(ids[c].ids.length, start, (first, count) => putIds(kernel(), ids[c], first, count))) return null;
  }
  const edges = labels.length / LABEL_BYTES;
  return holds(edges, EDGES_START, (first, count) => putLabels(kernel(), labels, first, count)) ? check.end() : null;
};
