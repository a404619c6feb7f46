import { Transform, type TransformCallback } from 'node:stream';

/** A request holds at most one message, and the words around it. */
const MAX_FRAME = 1024 * 1024 + 16 * 1024;
/** A frame above this goes alone: read, it is a hundred times its size. */
const SMALL_FRAME = 64 * 1024;
const MAX_OPEN = 16;

const HEADER = /^Content-Length: ([1-9]\d{0,7})\r\n\r\n$/i;
const MAX_HEADER = 32;

/**
 * Stands before the library's reader, which would hold whatever a header announces: passes frames of a bounded length on, and no more at a time than are
 * answered. Bytes that are no frame end the connection.
 */
export class FrameGuard extends Transform {
  private header = '';
  /** The length that the header of the next frame names, until the frame is let through. */
  private announced: number | null = null;
  private rest = 0;
  private open = 0;
  private openIsLarge = false;
  private resumeWith: (() => void) | null = null;

  override _transform(bytes: Buffer, _: BufferEncoding, done: TransformCallback): void {
    let at = 0;
    while (at < bytes.length) {
      if (this.rest > 0) {
        const piece = bytes.subarray(at, at + this.rest);
        this.push(piece);
        this.rest -= piece.length;
        at += piece.length;
        continue;
      }
      if (!this.readHeader(bytes[at++]!)) {
        done(new Error('no frame that this signer reads'));
        return;
      }
      if (this.announced === null) continue;
      if (!this.admits(this.announced)) {
        this.resumeWith = () => this._transform(bytes.subarray(at), 'binary', done);
        return;
      }
      this.admit(this.announced);
    }
    done();
  }

  /** One frame that was let through has its answer. */
  answered(): void {
    this.open--;
    if (this.open === 0) this.openIsLarge = false;
    if (this.resumeWith === null || this.announced === null || !this.admits(this.announced)) return;
    const resume = this.resumeWith;
    this.resumeWith = null;
    this.admit(this.announced);
    resume();
  }

  /** Takes the next byte of a header; false when it is none of a frame of a bounded length. */
  private readHeader(byte: number): boolean {
    this.header += String.fromCharCode(byte);
    if (!this.header.endsWith('\r\n\r\n')) return this.header.length < MAX_HEADER;
    const length = Number(HEADER.exec(this.header)?.[1] ?? Number.POSITIVE_INFINITY);
    this.announced = length;
    return length <= MAX_FRAME;
  }

  private admits(length: number): boolean {
    return this.open === 0 || (length <= SMALL_FRAME && !this.openIsLarge && this.open < MAX_OPEN);
  }

  private admit(length: number): void {
    this.push(this.header);
    this.rest = length;
    this.openIsLarge = length > SMALL_FRAME;
    this.open++;
    this.header = '';
    this.announced = null;
  }
}
