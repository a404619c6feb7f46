import type { Reason } from '../base/reasons.ts';
import type { Refusal } from '../base/result.ts';
import type { RecordOf, Records } from '../evidence/bundle.ts';
import { COLLECTION_INFO, COLLECTIONS, type Collection } from '../evidence/collections.ts';
import { Refusals } from './refusals.ts';

type Row = Readonly<Record<string, unknown>>;
type Entry = {
  readonly collection: Collection;
  readonly record: Row;
  readonly refusal: Omit<Refusal, 'at'>;
  readonly member: string | null;
};

const SHOWN = 200;

/** A value of evidence inside a sentence: bounded, as the other end chose its length. */
export const shown = (value: unknown): string => {
  const text = JSON.stringify(value);
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}… (${text.length} characters)`;
};

/** Refusals of records, told in the order of the records whatever the order in which they were found. */
export class Inadmissible {
  private readonly records: Records;
  private readonly entries: Entry[] = [];

  constructor(records: Records) {
    this.records = records;
  }

  /** `member`: the field at fault; null when it is the record. */
  refuse<C extends Collection>(
    collection: C,
    record: RecordOf<C>,
    member: string | null,
    reason: Reason,
    detail: string,
  ): void {
    this.entries.push({ collection, record: record as Row, member, refusal: { reason, detail } });
  }

  all(): readonly Refusal[] {
    if (this.entries.length === 0) return [];
    const places = this.places();
    const told = new Refusals();
    const order = ({ record }: Entry): number => places.get(record)!.order;
    for (const entry of this.entries.sort((a, b) => order(a) - order(b))) {
      const { collection, record, member } = entry;
      const pointer = `/${collection}/${places.get(record)!.row}${member === null ? '' : `/${member}`}`;
      const id = String(record[COLLECTION_INFO[collection].id]);
      told.add({ ...entry.refusal, at: { input: 'bundle', collection, id, pointer } });
    }
    return told.all();
  }

  private places(): ReadonlyMap<Row, { readonly order: number; readonly row: number }> {
    const faulty = new Set(this.entries.map(({ record }) => record));
    const places = new Map<Row, { order: number; row: number }>();
    let order = 0;
    for (const collection of COLLECTIONS) {
      for (const [row, record] of this.records[collection].entries()) {
        if (faulty.has(record)) places.set(record, { order, row });
        order++;
      }
    }
    return places;
  }
}
