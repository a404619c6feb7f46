import { asciiText } from '../base/ascii.ts';
import { COLLECTIONS } from '../evidence/collections.ts';
import type { RecordTable } from '../evidence/record-table.ts';
import type { ScannedBundle } from '../evidence/scan-bundle.ts';

/** What is known of the records along their sequences. */
export type KnownOrder = {
  /** The latest `observed_at`. */
  readonly latest: string;
  /** Whether a record was observed before one of a lower sequence. */
  readonly goesBack: boolean;
};

/** Rows by their sequences; null where they stand so. */
const rowsInOrder = (sequences: readonly number[]): Uint32Array | null => {
  for (let row = 1; row < sequences.length; row++) {
    if (sequences[row]! < sequences[row - 1]!)
      return Uint32Array.from(sequences.keys()).sort((one, other) => sequences[one]! - sequences[other]!);
  }
  return null;
};

/** One list, record by record along its sequences. */
class Along {
  private readonly table: RecordTable;
  private readonly rows: Uint32Array | null;
  private readonly timeMember: number;
  private next = 0;
  /** Of the record that is next; infinite behind the last one. */
  sequence = 0;

  constructor(table: RecordTable) {
    this.table = table;
    this.rows = rowsInOrder(table.sequences);
    this.timeMember = table.memberNamed('observed_at');
    this.sequence = table.sequences[this.row]!;
  }

  private get row(): number {
    return this.rows === null ? this.next : this.rows[this.next]!;
  }

  /** Goes on to the next record. */
  pass(): void {
    this.next++;
    this.sequence = this.next < this.table.length ? this.table.sequences[this.row]! : Number.POSITIVE_INFINITY;
  }

  /** Whether the record that is next was observed before a time, which else becomes its own. Times compare as their bytes. */
  isBefore(time: Uint8Array): boolean {
    const { table } = this;
    table.row(this.row);
    const start = table.startOf(this.timeMember) + 1;
    let at = 0;
    while (at < time.length && table.bytes[start + at] === time[at]) at++;
    if (table.bytes[start + at]! < time[at]!) return true;
    for (; at < time.length; at++) time[at] = table.bytes[start + at]!;
    return false;
  }
}

const TIME_BYTES = 'YYYY-MM-DDTHH:MM:SS.mmmZ'.length;

/** Takes a bundle that has records; returns what is known of their order, or null where a sequence stands twice. */
export const orderOf = (tables: ScannedBundle): KnownOrder | null => {
  const lists = COLLECTIONS.flatMap((name) => (tables[name].length === 0 ? [] : new Along(tables[name])));
  const latest = new Uint8Array(TIME_BYTES);
  let goesBack = false;
  for (;;) {
    let first = lists[0]!;
    let second = Number.POSITIVE_INFINITY;
    for (let at = 1; at < lists.length; at++) {
      const list = lists[at]!;
      second = Math.min(second, Math.max(list.sequence, first.sequence));
      if (list.sequence < first.sequence) first = list;
    }
    if (first.sequence === Number.POSITIVE_INFINITY) return { latest: asciiText(latest, 0, TIME_BYTES), goesBack };
    if (first.sequence === second) return null;
    // Many records of one list most often come one after the other.
    while (first.sequence < second) {
      const { sequence } = first;
      if (first.isBefore(latest)) goesBack = true;
      first.pass();
      if (first.sequence === sequence) return null;
    }
  }
};
