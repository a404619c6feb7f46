import type { ByteSource } from '../base/byte-source.ts';
import type { CanonicalScan } from '../base/canonical-scan.ts';
import { compareBytes } from '../base/same-bytes.ts';
import { RECORD_SCHEMAS } from './bundle.ts';
import { COLLECTION_INFO, type Collection } from './collections.ts';
import { IdList } from './id-list.ts';
import { RowTable } from './row-table.ts';

/** The rows of one collection, with what many steps ask of each record: it is noted while the row is scanned, and not read again. */
export class RecordTable extends RowTable {
  /** By row; so are the sequences. */
  readonly ids = new IdList();
  readonly sequences: number[] = [];
  /** The latest `observed_at`, a quoted text: times compare as their bytes. */
  latest: Uint8Array = new Uint8Array();
  private readonly idMember: number;
  private readonly sequenceMember: number;
  private readonly timeMember: number;

  constructor(collection: Collection, source: ByteSource) {
    super(RECORD_SCHEMAS[collection].shape, source);
    this.idMember = this.memberNamed(COLLECTION_INFO[collection].id);
    this.sequenceMember = this.memberNamed('sequence');
    this.timeMember = this.memberNamed('observed_at');
    this.keep(this.idMember, this.ids);
    this.keep(this.sequenceMember, this.sequences);
  }

  override scan(scan: CanonicalScan, at: number, base: number): number {
    const end = super.scan(scan, at, base);
    if (end < 0) return -1;
    const { bytes } = scan;
    this.ids.push(bytes, this.startOf(this.idMember) + 1, this.endOf(this.idMember) - 1);
    this.sequences.push(this.integerOf(this.sequenceMember));
    const time = this.startOf(this.timeMember);
    if (this.latest.length === 0 || compareBytes(bytes, time, this.latest) > 0)
      this.latest = bytes.slice(time, this.endOf(this.timeMember));
    return end;
  }
}
