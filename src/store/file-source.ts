import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';
import type { ByteSource, Stretch } from '../base/byte-source.ts';
import { EnvironmentFault } from './fault.ts';
import { nativeCrypto } from './native-crypto.ts';

/** From here on a bundle is read where it stands. */
export const LARGE_BYTES = 1 << 26;
const PIECE_BYTES = 1 << 22;
/** Steps go through two lists at once, and through their rows in order. */
const PIECES_HELD = 6;
/** More than any record that a capture writes, and what one string of the runtime can hold. */
const LONGEST_STRETCH = 1 << 28;

type Piece = Stretch & { readonly number: number; readonly room: Uint8Array };

/** Whether a file is to be read where it stands. A pipe is not: it can be opened once. What cannot be asked is told when it is read. */
export const isLargeFile = (file: string): boolean => {
  try {
    const stat = statSync(file);
    return stat.isFile() && stat.size >= LARGE_BYTES;
  } catch {
    return false;
  }
};

/**
 * A file of any size, of which a few pieces are in memory. Each piece is hashed when it is first read, and held to that hash whenever it is read again: a file
 * that is changed meanwhile is a fault, never another answer.
 */
export class FileSource implements ByteSource {
  readonly size: number;
  readonly whole = null;
  private readonly name: string;
  private readonly handle: number;
  private readonly digests: string[] = [];
  private readonly hash = createHash('sha256');
  private hashed = 0;
  private held: Piece[] = [];

  /** Opens a regular file; throws EnvironmentFault that names it. */
  constructor(file: string, what: string) {
    this.name = `the ${what} ${file}`;
    try {
      // A FIFO would have it wait for a writer.
      this.handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    } catch (error) {
      throw EnvironmentFault.of(error, `cannot read ${this.name}`);
    }
    const stat = fstatSync(this.handle);
    this.size = stat.size;
    if (stat.isFile()) return;
    this.close();
    throw new EnvironmentFault(`${this.name} is not a regular file`);
  }

  close(): void {
    closeSync(this.handle);
  }

  /** SHA-256 of the whole file. */
  sha256(): string {
    while (this.hashed * PIECE_BYTES < this.size) this.piece(this.hashed);
    return this.hash.copy().digest('hex');
  }

  /** Throws EnvironmentFault where one value of the file is longer than it can be given. */
  stretch(from: number, least: number): Stretch {
    if (least > LONGEST_STRETCH)
      throw new EnvironmentFault(`${this.name} holds a value of more than ${LONGEST_STRETCH >> 20} MiB`);
    const end = Math.min(from + least, this.size);
    const first = this.piece(Math.floor(from / PIECE_BYTES));
    if (end <= first.base + first.bytes.length) return first;
    const bytes = new Uint8Array(end - from);
    for (let at = from; at < end; ) {
      const { base, bytes: piece } = this.piece(Math.floor(at / PIECE_BYTES));
      const part = piece.subarray(at - base, end - base);
      bytes.set(part, at - from);
      at += part.length;
    }
    return { bytes, base: from };
  }

  private piece(number: number): Piece {
    const [latest] = this.held;
    if (latest?.number === number) return latest;
    const piece = this.held.find((held) => held.number === number) ?? this.read(number);
    this.held = [piece, ...this.held.filter((held) => held !== piece)];
    if (number === this.hashed) {
      this.hash.update(piece.bytes);
      this.hashed++;
    }
    return piece;
  }

  /** Into the memory of the piece that was asked for longest ago: so much of it, given up again and again, would have all of the heap searched for garbage. */
  private read(number: number): Piece {
    const base = number * PIECE_BYTES;
    const room = this.held.length < PIECES_HELD ? new Uint8Array(PIECE_BYTES) : this.held.pop()!.room;
    const bytes = room.subarray(0, Math.max(0, Math.min(PIECE_BYTES, this.size - base)));
    for (let done = 0; done < bytes.length; ) {
      const read = this.readAt(bytes, done, base + done);
      if (read === 0) throw this.changed();
      done += read;
    }
    const digest = nativeCrypto.sha256Hex(bytes);
    if ((this.digests[number] ?? digest) !== digest) throw this.changed();
    this.digests[number] = digest;
    return { number, base, bytes, room };
  }

  private readAt(bytes: Uint8Array, offset: number, position: number): number {
    try {
      return readSync(this.handle, bytes, offset, bytes.length - offset, position);
    } catch (error) {
      throw EnvironmentFault.of(error, `cannot read ${this.name}`);
    }
  }

  private changed(): EnvironmentFault {
    return new EnvironmentFault(`${this.name} was changed while it was read`);
  }
}
