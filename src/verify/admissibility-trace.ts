import { toEpochMs } from '../base/time.ts';
import type { AnyRecord, RecordOf, Records } from '../evidence/bundle.ts';
import { COLLECTIONS, type Collection } from '../evidence/collections.ts';
import type { Profile } from '../rules/profile.ts';
import { type Inadmissible, shown } from './admissibility-refusals.ts';
import type { KnownOrder } from './quick-order.ts';

/** The trace as a whole: time along the sequence, its declared end, its gaps, and the trusted cards that the profile pins. */
export const checkTrace = (records: Records, profile: Profile, refusals: Inadmissible, known?: KnownOrder): void => {
  const latest =
    known?.goesBack === false ? known.latest : checkTime(bySequence(records), profile.time_tolerance_ms, refusals);
  for (const trace of records.trace_metadata) {
    if (latest > trace.ended_at) checkEnd(bySequence(records), trace, refusals);
    if (trace.ended !== 'complete' || trace.gaps.length === 0) continue;
    const detail = `ended is "complete"; gaps lists ${trace.gaps.length}, the first ${shown(trace.gaps[0])}`;
    refusals.refuse('trace_metadata', trace, 'gaps', 'INADMISSIBLE_GAPS', detail);
  }
  checkTrustedCards(records, profile, refusals);
};

type Placed = {
  readonly collection: Collection;
  readonly record: AnyRecord;
  readonly sequence: number;
  readonly observedAt: string;
};

/** A capture numbers what it sees as it comes, so most lists stand in order already. */
const inSequence = (list: readonly AnyRecord[]): readonly AnyRecord[] =>
  list.every(({ sequence }, at) => at === 0 || list[at - 1]!.sequence <= sequence)
    ? list
    : list.toSorted((a, b) => a.sequence - b.sequence);

/** All records in the order of their sequences, merged as they are asked for: a trace of any size is in memory once. */
function* bySequence(records: Records): Iterable<Placed> {
  const sources = COLLECTIONS.map((collection) => {
    const list = inSequence(records[collection]);
    return { collection, list, next: 0, sequence: list[0]?.sequence };
  });
  for (;;) {
    let first: (typeof sources)[number] | undefined;
    for (const source of sources) {
      if (source.sequence !== undefined && (first?.sequence === undefined || source.sequence < first.sequence))
        first = source;
    }
    if (first?.sequence === undefined) return;
    const { collection, list, sequence } = first;
    const record = list[first.next++]!;
    first.sequence = list[first.next]?.sequence;
    yield { collection, record, sequence, observedAt: record.observed_at };
  }
}

/** Measured from the latest time so far: many small steps back are one large one. Times compare as their texts. Returns the latest of all. */
const checkTime = (inOrder: Iterable<Placed>, tolerance: number, refusals: Inadmissible): string => {
  let latest: Placed | undefined;
  for (const placed of inOrder) {
    if (latest === undefined || placed.observedAt > latest.observedAt) latest = placed;
    if (placed.observedAt === latest.observedAt) continue;
    if (toEpochMs(placed.observedAt)! >= toEpochMs(latest.observedAt)! - tolerance) continue;
    const detail = `observed_at is ${placed.observedAt} at sequence ${placed.sequence}; it was ${latest.observedAt} at sequence ${latest.sequence}, and ${tolerance} ms are tolerated`;
    refusals.refuse(placed.collection, placed.record as never, 'observed_at', 'INADMISSIBLE_TIME', detail);
  }
  return latest?.observedAt ?? '';
};

const checkEnd = (inOrder: Iterable<Placed>, trace: RecordOf<'trace_metadata'>, refusals: Inadmissible): void => {
  const { ended_at: end } = trace;
  for (const { collection, record, observedAt } of inOrder) {
    if (observedAt <= end) continue;
    const detail = `observed_at is ${observedAt}; the trace ended at ${end}`;
    refusals.refuse(collection, record as never, 'observed_at', 'INADMISSIBLE_END', detail);
  }
};

const checkTrustedCards = (records: Records, profile: Profile, refusals: Inadmissible): void => {
  const pinned = new Map(profile.as.pinned_cards.map((card) => [card.sha256, card]));
  for (const card of records.trusted_cards) {
    if (pinned.has(card.raw.sha256)) continue;
    const detail = `the profile pins no card with digest ${card.raw.sha256}`;
    refusals.refuse('trusted_cards', card, 'raw', 'INADMISSIBLE_TRUSTED_CARDS', detail);
  }
  const held = new Set(records.trusted_cards.map((card) => card.raw.sha256));
  for (const card of pinned.values()) {
    if (held.has(card.sha256)) continue;
    const detail = `the profile pins ${shown(card.name)} with digest ${card.sha256}, and trusted_cards has no such card`;
    for (const trace of records.trace_metadata) {
      refusals.refuse('trace_metadata', trace, null, 'INADMISSIBLE_TRUSTED_CARDS', detail);
    }
  }
};
