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
  readonly table: RecordTable;
  private readonly rows: Uint32Array | null;
  private next = 0;
  /** Of the record that is next; infinite behind the last one. */
  sequence = 0;

  constructor(table: RecordTable) {
    this.table = table;
    this.rows = rowsInOrder(table.sequences);
    this.sequence = table.sequences[this.row]!;
  }

  get row(): number {
    return this.rows === null ? this.next : this.rows[this.next]!;
  }

  /** Goes on to the next record. */
  pass(): void {
    this.next++;
    this.sequence = this.next < this.table.length ? this.table.sequences[this.row]! : Number.POSITIVE_INFINITY;
  }
}

/** The latest time so far, and the record that has it. */
class Latest {
  private time = Number.NEGATIVE_INFINITY;
  private table: RecordTable | null = null;
  private row = 0;

  /** Takes the record that is next; whether it was observed before one that was taken. */
  isAfter({ table, row }: Along): boolean {
    const time = table.times.rankOf(row);
    if (time < this.time) return true;
    this.time = time;
    this.table = table;
    this.row = row;
    return false;
  }

  text(): string {
    return this.table!.times.at(this.row);
  }
}

/** Takes a bundle that has records; returns what is known of their order, or null where a sequence stands twice. Nothing is read again: the lists lie far apart. */
export const orderOf = (tables: ScannedBundle): KnownOrder | null => {
  const lists = COLLECTIONS.flatMap((name) => (tables[name].length === 0 ? [] : new Along(tables[name])));
  const latest = new Latest();
  let goesBack = false;
  for (;;) {
    let first = lists[0]!;
    let second = Number.POSITIVE_INFINITY;
    for (let at = 1; at < lists.length; at++) {
      const list = lists[at]!;
      second = Math.min(second, Math.max(list.sequence, first.sequence));
      if (list.sequence < first.sequence) first = list;
    }
    if (first.sequence === Number.POSITIVE_INFINITY) return { latest: latest.text(), goesBack };
    if (first.sequence === second) return null;
    // Many records of one list most often come one after the other.
    while (first.sequence < second) {
      const { sequence } = first;
      if (latest.isAfter(first)) goesBack = true;
      first.pass();
      if (first.sequence === sequence) return null;
    }
  }
};
