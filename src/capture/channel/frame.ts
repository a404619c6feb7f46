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

type Writer = { next: number; pieces: Buffer[]; size: number; skipping: boolean };

/** Puts the messages of a stream of frames together, in the order in which they were completed. Its memory is bounded by the writers. */
export class FrameReader {
  readonly #onMessage: (message: Message) => void;
  readonly #onDamage: (damage: Damage) => void;
  readonly #writers = new Map<string, Writer>();
  #rest: Buffer = NOTHING;
  #broken = false;

  constructor(onMessage: (message: Message) => void, onDamage: (damage: Damage) => void) {
    this.#onMessage = onMessage;
    this.#onDamage = onDamage;
  }

  push(chunk: Buffer): void {
    if (this.#broken) return;
    let bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    while (bytes.length >= FRAME_HEAD) {
      const length = bytes.readUInt16BE(LENGTH_AT);
      if (bytes[0] !== MAGIC || bytes[1]! > LAST || length > MAX_FRAME) {
        this.#broken = true;
        this.#rest = NOTHING;
        this.#onDamage({ writer: null, what: 'bytes that are no observation were written into the channel' });
        return;
      }
      const end = FRAME_HEAD + length;
      if (bytes.length < end) break;
      this.#frame(bytes, length);
      bytes = bytes.subarray(end);
    }
    this.#rest = Buffer.from(bytes);
  }

  /** A writer that will write no more; true when it left a message unfinished. */
  forget(writer: string): boolean {
    const known = this.#writers.get(writer);
    this.#writers.delete(writer);
    return known !== undefined && known.size > 0;
  }

  #frame(bytes: Buffer, length: number): void {
    const id = bytes.toString('hex', 2, NUMBER_AT);
    const number = bytes.readUInt32BE(NUMBER_AT);
    const writer = this.#writers.get(id) ?? { next: 0, pieces: [], size: 0, skipping: false };
    this.#writers.set(id, writer);
    if (number !== writer.next) {
      const told = `${number - writer.next} pieces of observations were lost`;
      Object.assign(writer, { pieces: [], size: 0, skipping: true });
      this.#onDamage({ writer: id, what: told });
    }
    writer.next = (number + 1) >>> 0;
    if (!writer.skipping) {
      writer.pieces.push(Buffer.from(bytes.subarray(FRAME_HEAD, FRAME_HEAD + length)));
      writer.size += length;
    }
    if (writer.size > 2 * MAX_MESSAGE) {
      Object.assign(writer, { pieces: [], size: 0, skipping: true });
      this.#onDamage({ writer: id, what: 'an observation was too long' });
    }
    if (bytes[1] !== LAST) return;
    if (writer.skipping) writer.skipping = false;
    else this.#message(id, Buffer.concat(writer.pieces));
    writer.pieces = [];
    writer.size = 0;
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
