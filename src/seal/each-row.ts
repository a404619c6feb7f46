import { type Kept, kernel, WINDOW } from '../base/kernel/kernel.ts';
import type { RowTable } from '../evidence/row-table.ts';

/** So many bytes of rows are in the memory of the kernel at a time, or one row. */
const ROWS_BYTES = 1 << 16;
/** What a message has beyond the bytes of its row. */
const AROUND_BYTES = 1 << 10;
/** Views of messages are kept by their length: a million messages have few lengths. */
const VIEWS_KEPT = 1 << 12;

/** One message after the other at one place in the memory of the kernel. */
export class MessagePlace {
  private readonly kernel = kernel();
  private bytes = this.kernel.bytes;
  private views: (Uint8Array | undefined)[] = [];
  at = 0;

  /** Moves to a place. */
  moveTo(at: number): void {
    if (at === this.at && this.bytes === this.kernel.bytes) return;
    this.at = at;
    this.bytes = this.kernel.bytes;
    this.views = [];
  }

  /** Makes the message of five pieces; `one` and `other` are given by where they stand and how long they are. Returns it. */
  make(
    begin: Kept,
    one: number,
    oneLength: number,
    between: Kept,
    other: number,
    otherLength: number,
    last: Kept,
  ): Uint8Array {
    const { at, bytes, views } = this;
    const end = this.kernel.run.envelope(
      begin[0],
      begin[1],
      one,
      oneLength,
      between[0],
      between[1],
      other,
      otherLength,
      last[0],
      last[1],
      at,
    );
    const length = end - at;
    if (length >= VIEWS_KEPT) return bytes.subarray(at, end);
    views[length] ??= bytes.subarray(at, end);
    return views[length];
  }
}

/**
 * Has each row of a list stand in the memory of the kernel, some at a time, and asks of it what its place and its length are; between two of these stretches, rows go to
 * `captured`, each behind a comma. `messages` are moved to where they may be made. Stops, and returns false, at the first row of which the answer is false.
 */
export const eachRow = (
  table: RowTable,
  messages: readonly MessagePlace[],
  captured: (rows: Uint8Array) => void,
  holds: (row: number, place: number, length: number) => boolean,
): boolean => {
  const { run } = kernel();
  for (let first = 0; first < table.length; ) {
    const after = table.rowsFrom(first, ROWS_BYTES);
    const { bytes, start, end } = table;
    const room = Math.max(ROWS_BYTES, end - start) + AROUND_BYTES;
    const stretch = WINDOW + messages.length * room;
    const joined = stretch + room;
    kernel().reserve(joined + 2 * room);
    kernel().bytes.set(bytes.subarray(start, end), stretch);
    for (const [at, message] of messages.entries()) message.moveTo(WINDOW + at * room);
    let to = joined;
    for (let row = first; row < after; row++) {
      const place = stretch + table.distance(first, row);
      const length = table.lengthOf(row);
      to = run.joined(place, length, to);
      if (!holds(row, place, length)) return false;
    }
    captured(kernel().bytes.subarray(first === 0 ? joined + 1 : joined, to));
    first = after;
  }
  return true;
};
