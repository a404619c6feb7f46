import type { JsonObject } from '../../base/json-value.ts';
import { COLLECTION_INFO } from '../../evidence/collections.ts';
import type { Told } from '../face.ts';
import { cut, lineOf } from '../line.ts';
import { type Kin, kinKey, type Lineage, lineageOf } from '../lineage.ts';
import { type Said, saidBy } from '../statements.ts';
import { attributes, nanos, plain, recordAttributes } from './attributes.ts';
import { type Service, type SpanEvent, Spans } from './spans.ts';

/** Kinds of a span (opentelemetry-proto trace.proto). */
const INTERNAL = 1;
const SERVER = 2;
const CLIENT = 3;

/** What takes time is a span; what happens in it is an event of its span. */
const SPANS = new Set(['exchanges', 'uri_dereferences', 'capability_invocations']);

const isSpan = ({ collection }: Kin): boolean => SPANS.has(collection);
const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? plain(cut(value)) : null);

/** The agent that did it, as far as that is known; of a capability the one that served its exchange. */
const serviceOf = ({ collection, row }: Kin, above: Kin | undefined): string => {
  if (collection === 'exchanges')
    return text(row.observer === 'sdk-server' ? row.server_agent : row.client_agent) ?? UNKNOWN;
  return text(collection === 'capability_invocations' ? above?.row.server_agent : row.agent) ?? UNKNOWN;
};
const UNKNOWN = 'unknown_service';

const kindOf = ({ collection, row }: Kin): number => {
  if (collection === 'capability_invocations') return INTERNAL;
  return row.observer === 'sdk-server' && collection === 'exchanges' ? SERVER : CLIENT;
};

const nameOf = ({ collection, row }: Kin): string => {
  if (collection === 'capability_invocations') return text(row.capability) ?? 'capability';
  return text(collection === 'exchanges' ? (row.rpc_method ?? row.method) : row.method) ?? 'request';
};

/** A record has one time: a span takes any only where an answer was seen apart from it, and not before it, as contradictory evidence may say. */
const endOf = (kin: Kin, lineage: Lineage): string => {
  const answer = lineage.childrenOf(kin).find(({ relation }) => relation === 'DEREFERENCE_RECEIVED_RESPONSE')?.kin;
  return [kin, answer ?? kin].map(({ row }) => row.observed_at as string).sort()[1]!;
};

const saidEvent = ({ reason, level, text: words }: Said, time: string): SpanEvent => ({
  timeUnixNano: nanos(time),
  name: reason,
  attributes: attributes({ 'a2aft.level': level, 'a2aft.explanation': words }),
});

const ROOT = 'capture';

/** The span in which each record stands: that of the nearest record above it that is one, else the capture. */
const spansAbove = (lineage: Lineage): ReadonlyMap<string, string> => {
  const above = new Map<string, string>();
  for (const key of lineage.kins.keys()) {
    // A chain of a million records is climbed once: where a part of it is known, the rest follows.
    const climbed = [];
    let at: string | null | undefined = key;
    let span: string | undefined;
    while (span === undefined) {
      climbed.push(at);
      const home: string | null | undefined = lineage.homeOf(at);
      const kin = lineage.kins.get(home ?? '');
      if (home === null || home === undefined || kin === undefined) span = ROOT;
      else span = isSpan(kin) ? home : above.get(home);
      at = home ?? at;
    }
    for (const one of climbed) above.set(one, span);
  }
  return above;
};

const addRoot = (spans: Spans, { report, intact }: Told): void => {
  const trace = intact?.trace_metadata[0];
  const time = nanos(report.issued_at);
  spans.add('forensictrace', ROOT, null, {
    name: 'a2a capture',
    kind: INTERNAL,
    startTimeUnixNano: trace === undefined ? time : nanos(trace.started_at),
    endTimeUnixNano: trace === undefined ? time : nanos(trace.ended_at),
    attributes: attributes({
      'a2aft.verdict': report.verdict,
      'a2aft.mode': report.mode,
      [report.signature_accepted ? 'a2aft.incident' : 'a2aft.claimed_incident']: report.incident_id,
    }),
  });
};

/** The spans of a trace: the capture, and in it the exchanges, requests and invocations of each agent. */
export const servicesOf = (told: Told): readonly Service[] => {
  const spans = new Spans(told);
  const lineage = lineageOf(
    (told.intact ?? {}) as unknown as JsonObject,
    ({ collection }) => collection === 'exchanges',
  );
  const { kins } = lineage;
  const all = [...kins.values()].filter(({ collection }) => collection !== 'trace_metadata');
  const homes = spansAbove(lineage);
  for (const kin of all) {
    if (isSpan(kin)) continue;
    const name = `${kin.id}: ${plain(lineOf(kin.collection, kin.row))}`;
    spans.event(homes.get(kin.key)!, {
      timeUnixNano: nanos(kin.row.observed_at as string),
      name,
      attributes: recordAttributes(kin.collection, kin.row),
    });
  }
  for (const one of saidBy(told.report)) {
    const key = one.row === null ? '' : kinKey(nodeOf(one.row.collection), one.row.id);
    const kin = kins.get(key);
    const span = kin === undefined ? ROOT : isSpan(kin) ? key : (homes.get(key) ?? ROOT);
    spans.event(
      span,
      saidEvent(one, kin === undefined ? (told.report.issued_at ?? '') : (kin.row.observed_at as string)),
    );
    if (one.level !== 'note' && one.level !== 'warning' && one.level !== 'inconclusive') spans.fail(span, one.reason);
  }
  addRoot(spans, told);
  for (const kin of all.filter(isSpan)) {
    const home = homes.get(kin.key)!;
    spans.add(serviceOf(kin, kins.get(home)), kin.key, home, {
      name: nameOf(kin),
      kind: kindOf(kin),
      startTimeUnixNano: nanos(kin.row.observed_at as string),
      endTimeUnixNano: nanos(endOf(kin, lineage)),
      attributes: recordAttributes(kin.collection, kin.row),
    });
  }
  return spans.all();
};

const nodeOf = (collection: string): string =>
  Object.hasOwn(COLLECTION_INFO, collection) ? COLLECTION_INFO[collection as Kin['collection']].node : collection;
