import type { ByteSource } from '../base/byte-source.ts';
import { RECORD_SCHEMAS } from './bundle.ts';
import { COLLECTION_INFO, type Collection } from './collections.ts';
import { IdList } from './id-list.ts';
import { RowTable, type ScannedRows } from './row-table.ts';
import type { Programs } from './scan-program.ts';
import { TimeList } from './time-list.ts';

/** The rows of one collection, with what many steps ask of each record: it is noted while the row is scanned, and not read again. */
export class RecordTable extends RowTable {
  /** By row; so are sequences and times. */
  readonly ids = new IdList();
  readonly sequences: number[] = [];
  readonly times = new TimeList();
  /** The members that are noted. */
  readonly noted: Readonly<Record<'id' | 'sequence' | 'time', number>>;

  constructor(collection: Collection, source: ByteSource, programs: Programs) {
    super(RECORD_SCHEMAS[collection].shape, source, programs);
    const id = this.memberNamed(COLLECTION_INFO[collection].id);
    const sequence = this.memberNamed('sequence');
    const time = this.memberNamed('observed_at');
    this.noted = { id, sequence, time };
    this.keep(time, this.times);
    this.keep(id, this.ids);
    this.keep(sequence, this.sequences);
  }

  override take(rows: ScannedRows, shift: number): void {
    super.take(rows, shift);
    this.ids.pushAll(rows.ids, rows.idEnds);
    for (let row = 0; row < rows.sequences.length; row++) this.sequences.push(rows.sequences[row]!);
    this.times.pushAll(rows.times);
  }
}
