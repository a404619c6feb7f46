import { closeSync, openSync, readSync } from 'node:fs';

const PIECE_BYTES = 1 << 16;
const NEWLINE = 0x0a;

/** A line of a file: its text without the line break, null where it is too long; where it begins, in bytes; whether a line break ended it. */
export type Line = {
  readonly text: string | null;
  readonly start: number;
  readonly size: number;
  readonly ended: boolean;
};

/** Longer than any line that this program writes or is told. */
export const MAX_LINE_BYTES = 1 << 20;

/** The lines of a file one after another, in memory that does not grow with it. Throws what the file system throws. */
export function* linesOf(file: string): Generator<Line> {
  const handle = openSync(file, 'r');
  try {
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    let held: Buffer[] = [];
    let start = 0;
    let size = 0;
    const lineOf = (ended: boolean): Line => {
      const text = size > MAX_LINE_BYTES ? null : Buffer.concat(held).toString('utf8');
      return { text, start, size, ended };
    };
    for (;;) {
      const read = readSync(handle, piece, 0, PIECE_BYTES, null);
      if (read === 0) break;
      for (let from = 0; from < read; ) {
        const found = piece.subarray(0, read).indexOf(NEWLINE, from);
        const end = found < 0 ? read : found;
        if (size <= MAX_LINE_BYTES) held.push(Buffer.from(piece.subarray(from, end)));
        size += end - from;
        from = end + 1;
        if (found < 0) continue;
        yield lineOf(true);
        start += size + 1;
        [held, size] = [[], 0];
      }
    }
    if (size > 0) yield lineOf(false);
  } finally {
    closeSync(handle);
  }
}
