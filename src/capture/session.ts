import { canonical } from '../base/canonical.ts';
import { bytesToHex } from '../base/hex.ts';
import type { JsonObject } from '../base/json-value.ts';
import { RECORD_SCHEMAS, type RecordOf } from '../evidence/bundle.ts';
import { COLLECTION_INFO, COLLECTIONS, type Collection } from '../evidence/collections.ts';
import type { OBSERVERS } from '../evidence/fields.ts';
import { fitsOf } from '../evidence/fits.ts';
import type { CoverageSubject } from '../evidence/records/trace.ts';
import type { JournalEntry, RecordEntry, SegmentEntry } from '../store/entry.ts';

export type Observer = (typeof OBSERVERS)[number];
type Stamped = 'observed_at' | 'sequence' | 'observer' | 'salt';
/** What a tap states of a record; the session adds id, time, sequence, observer and salt. */
export type Fields<C extends Collection> = Omit<RecordOf<C>, Stamped | (typeof COLLECTION_INFO)[C]['id']>;
/** The place of a record in the runtime order, taken when it was seen; the record may be written later. */
export type Slot<C extends Collection> = {
  readonly collection: C;
  readonly id: string;
  readonly sequence: number;
  readonly observed_at: string;
};

export type SessionOptions = {
  readonly incident_id: string;
  readonly profile_id: string;
  readonly capture_backend: string;
  readonly versions: RecordOf<'trace_metadata'>['versions'];
  readonly coverage: Readonly<Record<CoverageSubject, boolean>>;
  readonly coverage_notes: readonly string[];
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Bytes of a CSPRNG. */
  readonly random: (bytes: number) => Uint8Array;
  /** Writes an entry down before it returns, or throws. */
  readonly sink: (entry: JournalEntry) => void;
};

const MAX_GAPS = 1_000;
const FITS = Object.fromEntries(COLLECTIONS.map((name) => [name, fitsOf(RECORD_SCHEMAS[name])])) as Record<
  Collection,
  (record: unknown) => boolean
>;
const ID_PREFIX: Partial<Record<Collection, string>> = {
  trace_metadata: 'trace',
  candidate_cards: 'card',
  trusted_cards: 'card',
  selected_cards: 'card',
};

/**
 * The recorder, apart from clock, randomness and storage, which are arguments. Its faults never reach the program it
 * watches: whatever fails becomes a gap, and a capture with gaps ends `incomplete`.
 */
export class Session {
  readonly #coverage: Record<CoverageSubject, boolean>;
  readonly #options: SessionOptions;
  readonly #trace: Slot<'trace_metadata'>;
  readonly #gaps: { at: string; what: string }[] = [];
  readonly #redactions = new Map<string, number>();
  readonly #open = new Map<string, () => void>();
  readonly #notes: Set<string>;
  #sequence = 0;
  #now = 0;
  #ended = false;

  /** Throws what the sink throws: a capture that cannot begin must not seem to run. */
  constructor(options: SessionOptions) {
    this.#options = options;
    this.#coverage = { ...options.coverage };
    this.#notes = new Set(options.coverage_notes);
    this.#trace = this.reserve('trace_metadata');
    options.sink({ kind: 'begin', trace: this.#checked(this.#trace, 'harness', this.#metadata('recovered')) });
  }

  /** Takes the next place in the runtime order. Time never steps back along it, whatever the clock does. */
  reserve<C extends Collection>(collection: C): Slot<C> {
    const sequence = this.#sequence++;
    const prefix = ID_PREFIX[collection] ?? COLLECTION_INFO[collection].id.replace(/(_record)?_id$/, '');
    return { collection, id: `${prefix}-${sequence}`, sequence, observed_at: this.#time() };
  }

  /** Writes a record at its place; returns its id, or null when it could not be written, which is then a gap. */
  write<C extends Collection>(slot: Slot<C>, observer: Observer, fields: Fields<C>, open?: 'open'): string | null {
    const { collection } = slot;
    return this.attempt(`write a record of ${collection}`, () => {
      const record = this.#checked(slot, observer, fields);
      const entry = { kind: 'record', collection, record, ...(open && { open: true }) };
      if (!this.#put(entry as unknown as RecordEntry)) return null;
      return slot.id;
    });
  }

  /** Reserves and writes. */
  record<C extends Collection>(collection: C, observer: Observer, fields: Fields<C>): string | null {
    return this.attempt(`record ${collection}`, () => this.write(this.reserve(collection), observer, fields));
  }

  /** Writes the next piece of the response body of an open exchange; returns whether it could. */
  segment(piece: Omit<SegmentEntry, 'kind'>): boolean {
    return this.attempt('write a piece of a body', () => this.#put({ kind: 'segment', ...piece })) ?? false;
  }

  /** Notes what the recorder knows that it missed. */
  gap(what: string): void {
    if (this.#ended || this.#gaps.length >= MAX_GAPS) return;
    const gap = { at: this.#time(), what: this.#gaps.length === MAX_GAPS - 1 ? 'more gaps than are listed' : what };
    this.#gaps.push(gap);
    try {
      this.#options.sink({ kind: 'gap', ...gap });
    } catch {
      // The gap is kept in memory, and no `end` entry will follow unless the sink works again.
    }
  }

  /** Counts secrets of one kind that were replaced. */
  redacted(what: string, count: number): void {
    if (this.#ended || count === 0) return;
    this.#redactions.set(what, (this.#redactions.get(what) ?? 0) + count);
    this.attempt('count redactions', () => this.#put({ kind: 'redacted', what, count }));
  }

  /** States that a subject is watched from now on. */
  watches(...subjects: readonly CoverageSubject[]): void {
    for (const subject of subjects) {
      if (this.#coverage[subject]) continue;
      this.#coverage[subject] = true;
      this.attempt('state what is watched', () => this.#put({ kind: 'watches', subject }));
    }
  }

  /** Adds what a tap cannot see, in words. */
  note(text: string): void {
    if (this.#notes.has(text)) return;
    this.#notes.add(text);
    this.attempt('state what is not seen', () => this.#put({ kind: 'note', text }));
  }

  /** Runs recorder code; a fault becomes a gap and null. Error messages may quote secrets: only names and codes are kept. */
  attempt<T>(what: string, work: () => T): T | null {
    if (this.#ended) return null;
    try {
      return work();
    } catch (error) {
      this.gap(`could not ${what}: ${faultName(error)}`);
      return null;
    }
  }

  /** Registers what has begun; `close` writes it down as far as it came when the capture ends first. */
  opened(id: string, close: () => void): void {
    this.#open.set(id, close);
  }

  closed(id: string): void {
    this.#open.delete(id);
  }

  /** Ends the capture: nothing is recorded after. Throws what the sink throws: the journal then lacks its end. */
  end(): RecordOf<'trace_metadata'> {
    for (const [id, close] of this.#open) {
      this.gap(`${id} was still open when the capture ended`);
      this.attempt(`close ${id}`, close);
    }
    this.#open.clear();
    const ended = this.#gaps.length === 0 ? 'complete' : 'incomplete';
    const trace = this.#checked(this.#trace, 'harness', this.#metadata(ended));
    this.#ended = true;
    this.#options.sink({ kind: 'end', trace });
    return trace;
  }

  #time(): string {
    this.#now = Math.max(this.#now, this.#options.clock());
    return new Date(this.#now).toISOString();
  }

  #put(entry: JournalEntry): boolean {
    if (this.#ended) return false;
    this.#options.sink(entry);
    return true;
  }

  #checked<C extends Collection>(slot: Slot<C>, observer: Observer, fields: Fields<C>): RecordOf<C> {
    const { collection, id, sequence, observed_at } = slot;
    const salt = bytesToHex(this.#options.random(16));
    const record = { [COLLECTION_INFO[collection].id]: id, observed_at, sequence, observer, salt, ...fields };
    if (!FITS[collection](record)) {
      const { error } = RECORD_SCHEMAS[collection].safeParse(record);
      if (error) throw new RecordError(error.issues.map(({ path }) => path.join('.')));
    }
    // Throws on what the committed model cannot hold, such as an unpaired surrogate (FORMAT.md section 1).
    canonical(record as unknown as JsonObject);
    return record as unknown as RecordOf<C>;
  }

  #metadata(ended: RecordOf<'trace_metadata'>['ended']): Fields<'trace_metadata'> {
    const { incident_id, profile_id, capture_backend, versions } = this.#options;
    return {
      incident_id,
      profile_id,
      capture_backend,
      versions,
      started_at: this.#trace.observed_at,
      ended_at: this.#time(),
      ended,
      gaps: [...this.#gaps],
      coverage: { ...this.#coverage },
      coverage_notes: [...this.#notes],
      redactions: [...this.#redactions].map(([what, count]) => ({ what, count })),
    };
  }
}

class RecordError extends Error {
  override readonly name = 'RecordError';
  readonly code: string;
  constructor(members: readonly string[]) {
    super('a record does not fit its schema');
    this.code = `unfit ${members.slice(0, 4).join(', ')}`;
  }
}

/** The name and code of a fault, never its message. */
export const faultName = (error: unknown): string => {
  const { name, code } = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>;
  return [name, code].filter((part) => typeof part === 'string').join(' ') || typeof error;
};
