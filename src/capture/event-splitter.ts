const LF = 10;
const CR = 13;

/**
 * Cuts the bytes of a `text/event-stream` behind each blank line, as they come, so that each piece can be read by itself
 * (WHATWG HTML section 9.2.6: lines end at CRLF, LF or CR). Joined, the pieces are the stream. The LF of a CRLF that came later than
 * its CR stands at the beginning of the next piece, where it is an empty line more, which means nothing.
 */
export class EventSplitter {
  #held: Uint8Array[] = [];
  #size = 0;
  #lineIsEmpty = true;
  #afterCr = false;

  /** Bytes held since the last blank line. */
  get pending(): number {
    return this.#size;
  }

  push(chunk: Uint8Array): Uint8Array[] {
    const pieces: Uint8Array[] = [];
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (byte !== LF && byte !== CR) {
        this.#lineIsEmpty = false;
        this.#afterCr = false;
        continue;
      }
      const endsCrLf = byte === LF && this.#afterCr;
      this.#afterCr = byte === CR;
      if (endsCrLf) continue;
      const closes = this.#lineIsEmpty;
      this.#lineIsEmpty = true;
      if (!closes) continue;
      const end = byte === CR && chunk[at + 1] === LF ? at + 2 : at + 1;
      pieces.push(this.#take(chunk.subarray(start, end)));
      start = end;
      if (end === at + 2) {
        this.#afterCr = false;
        at++;
      }
    }
    if (start < chunk.length) {
      // The runtime may take the chunk's memory back when it is handed on.
      this.#held.push(Buffer.from(chunk.subarray(start)));
      this.#size += chunk.length - start;
    }
    return pieces;
  }

  /** What follows the last blank line. */
  rest(): Uint8Array {
    return this.#take(new Uint8Array());
  }

  #take(last: Uint8Array): Uint8Array {
    const piece = Buffer.concat([...this.#held, last]);
    this.#held = [];
    this.#size = 0;
    return piece;
  }
}
