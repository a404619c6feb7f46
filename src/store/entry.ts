import type { RecordOf } from '../evidence/bundle.ts';
import type { Collection } from '../evidence/collections.ts';
import type { CoverageSubject } from '../evidence/records/trace.ts';

/** One record as it stands in a bundle. */
export type RecordEntry = {
  [C in Collection]: {
    readonly kind: 'record';
    readonly collection: C;
    readonly record: RecordOf<C>;
    /** An exchange or a dereference that had not ended; until a closed one follows, what came of an exchange's response is in `segment` entries. */
    readonly open?: true;
  };
}[Collection];

/** Bytes of a response body as they came, whole events of an event stream: valid UTF-8 as text, else base64. */
export type SegmentEntry = {
  readonly kind: 'segment';
  readonly exchange_id: string;
  readonly encoding: 'utf8' | 'base64';
  readonly text: string;
};

/**
 * What a capture writes down, in the order of writing. A record that comes again with the same collection and id
 * replaces the one before. `begin` holds the TraceMetadata of a capture that never came to its end, `end` the true one.
 */
export type JournalEntry =
  | { readonly kind: 'begin' | 'end'; readonly trace: RecordOf<'trace_metadata'> }
  | RecordEntry
  | SegmentEntry
  | { readonly kind: 'gap'; readonly at: string; readonly what: string }
  | { readonly kind: 'watches'; readonly subject: CoverageSubject }
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'redacted'; readonly what: string; readonly count: number };
