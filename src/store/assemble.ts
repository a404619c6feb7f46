import type { Crypto } from '../base/crypto.ts';
import {
  type AnyRecord,
  BUNDLE_FORMAT,
  type Bundle,
  type Edge,
  PROFILE_VERSION,
  type RecordOf,
  type Records,
} from '../evidence/bundle.ts';
import { COLLECTION_INFO, COLLECTIONS, type Collection } from '../evidence/collections.ts';
import type { CoverageSubject } from '../evidence/records/trace.ts';
import type { JournalEntry, RecordEntry, SegmentEntry } from './entry.ts';
import { recoveredTrace, withSegments } from './recover.ts';

/** deriveEdges of relate/, which this folder may not know. */
export type DeriveEdges = (records: Records, crypto: Crypto) => readonly Edge[];

/**
 * Puts the entries of a journal together: records by collection in sequence order, edges derived, and the TraceMetadata
 * of the `end` entry. Without one the bundle says `recovered` and names the gap, with what was open; exchanges that never
 * ended hold what had come of them. Throws RangeError when there is no `begin`.
 */
export const assemble = (entries: Iterable<JournalEntry>, derive: DeriveEdges, crypto: Crypto): Bundle => {
  const gathered = new Gathered();
  for (const entry of entries) gathered.take(entry);
  const records = gathered.records(crypto);
  return { format: BUNDLE_FORMAT, profile_version: PROFILE_VERSION, ...records, edges: derive(records, crypto) };
};

class Gathered {
  #begin: RecordOf<'trace_metadata'> | null = null;
  #end: RecordOf<'trace_metadata'> | null = null;
  readonly #rows = new Map<Collection, Map<string, AnyRecord>>(COLLECTIONS.map((name) => [name, new Map()]));
  /** What has not ended, an exchange with the segments of its response. */
  readonly #open = new Map<string, SegmentEntry[]>();
  readonly #gaps: { at: string; what: string }[] = [];
  readonly #redactions = new Map<string, number>();
  readonly #watched = new Set<CoverageSubject>();
  readonly #notes = new Set<string>();

  take(entry: JournalEntry): void {
    switch (entry.kind) {
      case 'begin':
        this.#begin = entry.trace;
        break;
      case 'end':
        this.#end = entry.trace;
        break;
      case 'record':
        this.#record(entry);
        break;
      case 'segment':
        this.#open.get(entry.exchange_id)?.push(entry);
        break;
      case 'gap':
        this.#gaps.push({ at: entry.at, what: entry.what });
        break;
      case 'watches':
        this.#watched.add(entry.subject);
        break;
      case 'note':
        this.#notes.add(entry.text);
        break;
      case 'redacted':
        this.#redactions.set(entry.what, (this.#redactions.get(entry.what) ?? 0) + entry.count);
        break;
    }
  }

  #record({ collection, record, open }: RecordEntry): void {
    const id = (record as Readonly<Record<string, unknown>>)[COLLECTION_INFO[collection].id] as string;
    this.#rows.get(collection)!.set(id, record);
    if (!open) this.#open.delete(id);
    else if (!this.#open.has(id)) this.#open.set(id, []);
  }

  records(crypto: Crypto): Records {
    const exchanges = this.#rows.get('exchanges') as Map<string, RecordOf<'exchanges'>>;
    for (const [id, segments] of this.#open) {
      if (segments.length > 0) exchanges.set(id, withSegments(exchanges.get(id)!, segments, crypto));
    }
    const trace = this.#end ?? this.#recovered();
    this.#rows.get('trace_metadata')!.set(trace.trace_id, trace);
    return Object.fromEntries(
      COLLECTIONS.map((name) => [name, [...this.#rows.get(name)!.values()].sort((a, b) => a.sequence - b.sequence)]),
    ) as unknown as Records;
  }

  #recovered(): RecordOf<'trace_metadata'> {
    if (this.#begin === null) throw new RangeError('the journal does not say which capture it belongs to');
    let last = this.#begin.observed_at;
    for (const rows of this.#rows.values()) {
      for (const { observed_at } of rows.values()) if (observed_at > last) last = observed_at;
    }
    return recoveredTrace(this.#begin, {
      gaps: this.#gaps,
      redactions: this.#redactions,
      watched: this.#watched,
      notes: this.#notes,
      last,
      open: [...this.#open.keys()],
    });
  }
}
