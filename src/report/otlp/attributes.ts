import type { JsonObject } from '../../base/json-value.ts';
import { neutralise } from '../../base/terminal.ts';
import { toEpochMs } from '../../base/time.ts';
import { cut } from '../line.ts';

/** An attribute of OTLP (opentelemetry-proto common.proto, in its JSON encoding: 64-bit integers are strings). */
export type Attribute = {
  readonly key: string;
  readonly value: { readonly stringValue: string } | { readonly intValue: string } | { readonly boolValue: boolean };
};

const TEXT_SHOWN = 4096;

/** A stranger's text, fit to be shown. */
export const plain = (text: string): string => neutralise(cut(text, TEXT_SHOWN));

/** Attributes of the members that are there; null is "not seen" and gives none. */
export const attributes = (members: Readonly<Record<string, unknown>>): Attribute[] =>
  Object.entries(members).flatMap(([key, value]): Attribute[] => {
    if (typeof value === 'string') return [{ key, value: { stringValue: plain(value) } }];
    if (typeof value === 'number') return [{ key, value: { intValue: String(value) } }];
    return typeof value === 'boolean' ? [{ key, value: { boolValue: value } }] : [];
  });

/** Nanoseconds since 1970 as the JSON of OTLP has them: a string; 0 stands for a time that is not known. */
export const nanos = (time: string | null): string => {
  const ms = time === null ? null : toEpochMs(time);
  return ms === null || ms < 0 ? '0' : String(BigInt(ms) * 1_000_000n);
};

/**
 * What a span or an event says of its record. The names of HTTP are stable conventions of OpenTelemetry; those of A2A (`a2a.*`) follow a proposal that
 * is not merged, and may change.
 */
export const recordAttributes = (collection: string, row: JsonObject): Attribute[] => {
  const own = { 'a2aft.collection': collection, 'a2aft.observer': row.observer, 'a2aft.sequence': row.sequence };
  switch (collection) {
    case 'exchanges':
      return attributes({
        ...own,
        'a2aft.id': row.exchange_id,
        'http.request.method': row.method,
        'url.full': row.url,
        'http.response.status_code': row.status,
        'a2a.method.name': row.rpc_method,
        'a2a.task.id': row.response_task_id ?? row.request_task_id,
        'a2a.context.id': row.response_context_id ?? row.request_context_id,
        'a2aft.ended': row.ended,
      });
    case 'uri_dereferences':
      return attributes({
        ...own,
        'a2aft.id': row.dereference_id,
        'http.request.method': row.method,
        'url.full': row.uri,
        'http.response.status_code': row.status,
        'network.peer.address': row.connected_address,
        'a2aft.outcome': row.outcome,
        'a2aft.hop': row.hop,
      });
    case 'task_transitions':
      return attributes({
        ...own,
        'a2a.task.id': row.task_id,
        'a2a.context.id': row.context_id,
        'a2a.task.state': row.state,
      });
    default:
      return attributes(own);
  }
};
