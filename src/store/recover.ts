import { decodeBase64 } from '../base/base64.ts';
import type { Crypto } from '../base/crypto.ts';
import { encodeUtf8 } from '../base/utf8.ts';
import { MAX_BODY_LIMIT, makeBody } from '../evidence/body.ts';
import type { RecordOf } from '../evidence/bundle.ts';
import type { CoverageSubject } from '../evidence/records/trace.ts';
import { exchangeFields } from '../evidence/wire/exchange.ts';
import type { SegmentEntry } from './entry.ts';

type Trace = RecordOf<'trace_metadata'>;
/** A gap is a line to read, and a server may have ten thousand streams open. */
const MAX_NAMED = 100;

const bytesOf = ({ encoding, text }: SegmentEntry): Uint8Array =>
  encoding === 'utf8' ? encodeUtf8(text) : (decodeBase64(text) ?? new Uint8Array());

/** An exchange of a capture that ended first: its response is what had come of it, and its typed fields are read from that. */
export const withSegments = (
  exchange: RecordOf<'exchanges'>,
  segments: readonly SegmentEntry[],
  crypto: Crypto,
): RecordOf<'exchanges'> => {
  const response_body = makeBody(Buffer.concat(segments.map(bytesOf)), MAX_BODY_LIMIT, crypto);
  const rebuilt = { ...exchange, response_body };
  return { ...rebuilt, ...exchangeFields(rebuilt) };
};

/** What is known of a capture that never told its end. */
export type Remains = {
  readonly gaps: Trace['gaps'];
  readonly redactions: ReadonlyMap<string, number>;
  readonly watched: ReadonlySet<CoverageSubject>;
  readonly notes: ReadonlySet<string>;
  /** The latest time of any record. */
  readonly last: string;
  /** Ids of what had not ended. */
  readonly open: readonly string[];
};

const listed = (ids: readonly string[]): string => {
  if (ids.length === 0) return 'nothing';
  const named = ids.slice(0, MAX_NAMED).join(', ');
  return ids.length > MAX_NAMED ? `${named} and ${ids.length - MAX_NAMED} more` : named;
};

/** The TraceMetadata of a capture that was stopped: it ends with its last sign of life, and says so. */
export const recoveredTrace = (begin: Trace, remains: Remains): Trace => {
  const { gaps, redactions, watched, notes, last, open } = remains;
  const ended_at = [begin.ended_at, last, ...gaps.map(({ at }) => at)].sort().at(-1)!;
  const what = `the capture was stopped before its end; open were: ${listed(open)}`;
  const coverage = { ...begin.coverage };
  for (const subject of watched) coverage[subject] = true;
  return {
    ...begin,
    ended_at,
    ended: 'recovered',
    gaps: [...gaps, { at: ended_at, what }],
    coverage,
    coverage_notes: [...new Set([...begin.coverage_notes, ...notes])],
    redactions: [...redactions].map(([kind, count]) => ({ what: kind, count })),
  };
};
