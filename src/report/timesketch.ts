import type { JsonObject } from '../base/json-value.ts';
import { neutralise } from '../base/terminal.ts';
import { toEpochMs } from '../base/time.ts';
import type { Bundle } from '../evidence/bundle.ts';
import { COLLECTION_INFO, COLLECTIONS } from '../evidence/collections.ts';
import type { Face, Told } from './face.ts';
import { cut, lineOf } from './line.ts';
import type { Report } from './model.ts';
import { type Said, saidBy } from './statements.ts';

/** Members of an event; each has one type in every event, since the index takes the first it sees (google/timesketch issues 1752, 3087). */
type Event = {
  readonly message: string;
  readonly at: string;
  readonly timestamp_desc: string;
  readonly tag: readonly string[];
  readonly own: Readonly<Record<string, string>>;
};

/** The index keeps no longer text whole. */
const TEXT_SHOWN = 4096;
/** Of what has no time of its own, and no receipt that claims one. */
const NO_TIME = '1970-01-01T00:00:00.000Z';

const plain = (text: string): string => neutralise(cut(text, TEXT_SHOWN));

/** One line; the timestamp is whole microseconds, which past the year 2255 are more than a number of JavaScript holds. */
const eventLine = ({ message, at, timestamp_desc, tag, own }: Event): string => {
  const text = JSON.stringify({
    message: plain(message),
    datetime: at,
    timestamp_desc,
    tag,
    ...Object.fromEntries(Object.entries(own).map(([name, value]) => [`a2aft_${name}`, plain(value)])),
  });
  return `${text.slice(0, -1)},"timestamp":${BigInt(toEpochMs(at)!) * 1000n}}\n`;
};

/** The time a receipt claims; of a refused one a claim is all it is. */
const issueOf = ({ issued_at, signature_accepted }: Report): Pick<Event, 'at' | 'timestamp_desc'> => {
  if (issued_at === null || toEpochMs(issued_at) === null) return { at: NO_TIME, timestamp_desc: 'No time known' };
  return {
    at: issued_at,
    timestamp_desc: signature_accepted
      ? 'Receipt issued, as its signer claims'
      : 'Claimed by a receipt that was refused',
  };
};

const recordEvents = function* (bundle: Bundle, incident: Readonly<Record<string, string>>): Generator<Event> {
  for (const collection of COLLECTIONS) {
    for (const record of bundle[collection]) {
      const row = record as unknown as JsonObject;
      const id = row[COLLECTION_INFO[collection].id] as string;
      yield {
        message: `${id}: ${lineOf(collection, row)}`,
        at: record.observed_at,
        timestamp_desc: 'Observed',
        tag: ['forensictrace', collection],
        own: {
          ...incident,
          kind: 'record',
          record: `${collection}/${id}`,
          observer: record.observer,
          order: `#${record.sequence}`,
        },
      };
    }
  }
  for (const { started_at, ended_at, ended } of bundle.trace_metadata) {
    const trace = { tag: ['forensictrace', 'trace_metadata'], own: { ...incident, kind: 'capture' } };
    yield { ...trace, message: 'The capture started', at: started_at, timestamp_desc: 'Capture started' };
    yield { ...trace, message: `The capture ended: ${ended}`, at: ended_at, timestamp_desc: 'Capture ended' };
  }
};

/** When each record that something is said of was observed. */
const timesOf = (bundle: Bundle | null, said: readonly Said[]): ReadonlyMap<string, string> => {
  const named = new Set(said.flatMap(({ row }) => (row === null ? [] : [`${row.collection}/${row.id}`])));
  const times = new Map<string, string>();
  if (bundle === null) return times;
  for (const collection of COLLECTIONS)
    for (const record of bundle[collection]) {
      const key = `${collection}/${(record as unknown as JsonObject)[COLLECTION_INFO[collection].id] as string}`;
      if (named.has(key)) times.set(key, record.observed_at);
    }
  return times;
};

const pathText = ({ path }: Said): string =>
  path
    .map((element) => ('relation' in element ? `-[${element.relation}]-` : `${element.type} ${element.id}`))
    .join(' ');

const saidEvent = (
  one: Said,
  { report }: Told,
  times: ReadonlyMap<string, string>,
  incident: Readonly<Record<string, string>>,
): Event => {
  const { reason, level, family, text, row } = one;
  const record = row === null ? null : `${row.collection}/${row.id}`;
  const observed = record === null ? undefined : times.get(record);
  const time =
    observed === undefined ? issueOf(report) : { at: observed, timestamp_desc: 'Observed, of the record it is about' };
  return {
    ...time,
    message: `${reason}: ${text}`,
    tag: ['forensictrace', level, ...(family === null ? [] : [family])],
    own: {
      ...incident,
      kind: level,
      reason,
      title: report.reasons[reason]?.title ?? '',
      ...(family === null ? {} : { family }),
      ...(record === null ? {} : { record }),
      ...(one.path.length === 0 ? {} : { evidence_path: pathText(one) }),
    },
  };
};

const verdictEvent = (report: Report, incident: Readonly<Record<string, string>>): Event => ({
  ...issueOf(report),
  message: `forensictrace: ${report.verdict}`,
  tag: ['forensictrace', 'verdict'],
  own: {
    ...incident,
    kind: 'verdict',
    verdict: report.verdict,
    mode: report.mode,
    not_checked: report.not_checked.join(' '),
  },
});

const notProvenEvent = (report: Report, incident: Readonly<Record<string, string>>): Event => ({
  ...issueOf(report),
  message: `What no receipt can prove: ${report.not_provable.join(' ')}`,
  tag: ['forensictrace', 'limits'],
  own: { ...incident, kind: 'limits' },
});

/**
 * A timeline for Timesketch, one event a line: each record at the time it was observed, each thing that the report says at the time of its
 * record, and the verdict at the issue time. A file of fewer than three lines was once refused: there are never fewer.
 */
export const timesketch: Face = function* (told) {
  const { report, intact } = told;
  const { incident_id, signature_accepted } = report;
  const incident: Readonly<Record<string, string>> =
    incident_id === null ? {} : { incident: signature_accepted ? incident_id : `${incident_id} (claimed)` };
  const said = saidBy(report);
  const times = timesOf(intact, said);
  yield eventLine(verdictEvent(report, incident));
  yield eventLine(notProvenEvent(report, incident));
  for (const one of said) yield eventLine(saidEvent(one, told, times, incident));
  if (intact !== null) for (const event of recordEvents(intact, incident)) yield eventLine(event);
};
