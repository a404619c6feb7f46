/**
 * How messages of many writers share one FIFO. A write of at most PIPE_BUF bytes is atomic (POSIX, write(2)), so a message goes out as
 * frames of that size: magic, kind, writer, number, length, then a piece of the message. A message is the length of its head, its head as JSON, and bytes.
 */

/** PIPE_BUF of Linux; elsewhere what POSIX guarantees. */
export const frameLimit = (platform: string): number => (platform === 'linux' ? 4096 : 512);

const MAGIC = 0xf7;
const MORE = 0;
const LAST = 1;
export const WRITER_BYTES = 6;
const NUMBER_AT = 2 + WRITER_BYTES;
const LENGTH_AT = NUMBER_AT + 4;
export const FRAME_HEAD = LENGTH_AT + 2;
const MAX_FRAME = 4096;
/** A body longer than this is never sent in one message. */
const MAX_MESSAGE = 4 << 20;

const NOTHING = Buffer.alloc(0);

/** Takes a message and the number of its first frame; gives its frames, each at most `limit` bytes. */
export function* framesOf(
  writer: Buffer,
  first: number,
  head: string,
  body: Uint8Array,
  limit: number,
): Generator<Buffer> {
  const headBytes = Buffer.from(head);
  const prefix = Buffer.alloc(4);
  prefix.writeUInt32BE(headBytes.length);
  const message = Buffer.concat([prefix, headBytes, body]);
  const room = limit - FRAME_HEAD;
  for (let at = 0, number = first; at < message.length; number++) {
    const piece = message.subarray(at, at + room);
    at += piece.length;
    const frame = Buffer.allocUnsafe(FRAME_HEAD + piece.length);
    frame[0] = MAGIC;
    frame[1] = at < message.length ? MORE : LAST;
    writer.copy(frame, 2);
    frame.writeUInt32BE(number >>> 0, NUMBER_AT);
    frame.writeUInt16BE(piece.length, LENGTH_AT);
    piece.copy(frame, FRAME_HEAD);
    yield frame;
  }
}

export type Message = { readonly writer: string; readonly head: string; readonly body: Buffer };
/** What came instead of a message: frames of a writer that are missing, or bytes that are no frames at all. */
export type Damage = { readonly writer: string | null; readonly what: string };

type Writer = { readonly id: string; next: number; pieces: Buffer[]; size: number; skipping: boolean };

/** More of either is no program's doing: who writes it is after the memory of the recorder. */
const MAX_WRITERS = 65_536;
const MAX_UNFINISHED = 32 << 20;
/** What a piece takes beside its bytes, about. */
const PIECE_BYTES = 128;

/** Puts the messages of a stream of frames together, in the order in which they were completed. Whatever comes, its memory is bounded. */
export class FrameReader {
  readonly #onMessage: (message: Message) => void;
  readonly #onDamage: (damage: Damage) => void;
  readonly #writers = new Map<string, Writer>();
  /** Writers amid a message, the one that began first before the others, and what their pieces take. */
  readonly #unfinished = new Set<Writer>();
  #held = 0;
  #rest: Buffer = NOTHING;
  #isLost = false;

  constructor(onMessage: (message: Message) => void, onDamage: (damage: Damage) => void) {
    this.#onMessage = onMessage;
    this.#onDamage = onDamage;
  }

  push(chunk: Buffer): void {
    let bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    while (bytes.length >= FRAME_HEAD) {
      const length = bytes.readUInt16BE(LENGTH_AT);
      if (bytes[0] !== MAGIC || bytes[1]! > LAST || length > MAX_FRAME - FRAME_HEAD) {
        bytes = this.#behindGarbage(bytes);
        continue;
      }
      const end = FRAME_HEAD + length;
      if (bytes.length < end) break;
      this.#isLost = false;
      this.#frame(bytes, length);
      bytes = bytes.subarray(end);
    }
    this.#rest = Buffer.from(bytes);
  }

  /** Nothing more will come: what was begun and not ended is told. */
  end(): void {
    for (const writer of this.#unfinished) this.#skip(writer, 'an observation was left unfinished');
  }

  /** One process must not silence the others: what they tell is found again behind bytes that are no frame. */
  #behindGarbage(bytes: Buffer): Buffer {
    if (!this.#isLost)
      this.#onDamage({ writer: null, what: 'bytes that are no observation were written into the channel' });
    this.#isLost = true;
    const next = bytes.indexOf(MAGIC, 1);
    return next < 0 ? NOTHING : bytes.subarray(next);
  }

  #frame(bytes: Buffer, length: number): void {
    const writer = this.#writer(bytes.toString('hex', 2, NUMBER_AT));
    if (writer === null) return;
    const number = bytes.readUInt32BE(NUMBER_AT);
    if (number !== writer.next) this.#skip(writer, 'pieces of observations were lost');
    writer.next = (number + 1) >>> 0;
    if (!writer.skipping) this.#hold(writer, Buffer.from(bytes.subarray(FRAME_HEAD, FRAME_HEAD + length)));
    if (bytes[1] !== LAST) return;
    const pieces = this.#release(writer);
    if (writer.skipping) writer.skipping = false;
    else this.#message(writer.id, Buffer.concat(pieces));
  }

  #writer(id: string): Writer | null {
    const known = this.#writers.get(id);
    if (known !== undefined) return known;
    if (this.#writers.size >= MAX_WRITERS) {
      this.#onDamage({ writer: null, what: `more than ${MAX_WRITERS} threads told something` });
      return null;
    }
    const writer = { id, next: 0, pieces: [], size: 0, skipping: false };
    this.#writers.set(id, writer);
    return writer;
  }

  #hold(writer: Writer, piece: Buffer): void {
    const size = piece.length + PIECE_BYTES;
    writer.pieces.push(piece);
    writer.size += size;
    this.#held += size;
    this.#unfinished.add(writer);
    if (writer.size > 2 * MAX_MESSAGE) this.#skip(writer, 'an observation was too long');
    for (const oldest of this.#unfinished) {
      if (this.#held <= MAX_UNFINISHED) return;
      this.#skip(oldest, 'an observation was left unfinished');
    }
  }

  #release(writer: Writer): Buffer[] {
    const { pieces } = writer;
    this.#held -= writer.size;
    this.#unfinished.delete(writer);
    Object.assign(writer, { pieces: [], size: 0 });
    return pieces;
  }

  /** Drops the rest of the message that a writer is in. */
  #skip(writer: Writer, what: string): void {
    this.#release(writer);
    writer.skipping = true;
    this.#onDamage({ writer: writer.id, what });
  }

  #message(writer: string, message: Buffer): void {
    const headLength = message.length < 4 ? Number.POSITIVE_INFINITY : message.readUInt32BE(0);
    if (4 + headLength > message.length) {
      this.#onDamage({ writer, what: 'an observation could not be read' });
      return;
    }
    const head = message.toString('utf8', 4, 4 + headLength);
    this.#onMessage({ writer, head, body: message.subarray(4 + headLength) });
  }
}

/** Cuts bytes so that each piece fits a message. */
export function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += MAX_MESSAGE) yield bytes.subarray(at, at + MAX_MESSAGE);
}
