import type { WireField } from '../../base/wire-fields.ts';
import type { RecordOf } from '../bundle.ts';
import type { Body, Headers } from '../fields.ts';
import { EXCHANGE_PATHS, PAYLOAD_PATHS } from './paths.ts';
import { payloadsIn } from './payload-kinds.ts';
import { PayloadText } from './payload-text.ts';
import { Issues, integer, shortString, token } from './read-fields.ts';
import { readStream, type WireStream } from './stream.ts';
import { EMPTY, readBody, type Whole, type WireText } from './text.ts';

type Exchange = RecordOf<'exchanges'>;
/** What the typed fields of an exchange are read from. */
export type ExchangeWire = Pick<
  Exchange,
  'binding' | 'request_headers' | 'response_headers' | 'request_body' | 'response_body'
>;
export type ExchangeFields = Pick<
  Exchange,
  | 'protocol_version'
  | 'rpc_method'
  | 'request_id'
  | 'message_id'
  | 'request_task_id'
  | 'request_context_id'
  | 'response_id'
  | 'error_code'
  | 'response_task_id'
  | 'response_context_id'
  | 'event_count'
  | 'wire_issue'
>;

export const firstHeader = (headers: Headers, name: string): string | null =>
  headers.find(([header]) => header === name)?.[1] ?? null;

/** True when the essence of the first content-type is text/event-stream (RFC 9110 section 8.3.1), whatever its case and parameters. */
export const isEventStream = (headers: Headers): boolean =>
  (firstHeader(headers, 'content-type') ?? '').split(';', 1)[0]!.trim().toLowerCase() === 'text/event-stream';

/** The JSON texts of one exchange, each parsed at most once. */
export class ExchangeTexts {
  readonly request: Whole;
  /** The response as event stream; null when it is none. */
  readonly stream: WireStream | null;
  private readonly body: Body | null;
  private readonly parsed = new Map<number | null, PayloadText>();

  constructor(exchange: ExchangeWire) {
    // A gRPC message is no JSON text (a2a.proto over HTTP/2).
    const isJson = exchange.binding !== 'GRPC';
    this.request = isJson ? readBody(exchange.request_body) : EMPTY;
    this.body = isJson ? exchange.response_body : null;
    this.stream = this.body !== null && isEventStream(exchange.response_headers) ? readStream(this.body) : null;
  }

  /**
   * The text of event `wireEvent` (from 0), or with null of a response that is no stream. An event that the cut took away is `truncated`,
   * one not closed by a blank line `unterminated`; null where the response has no such place.
   */
  response(wireEvent: number | null): PayloadText | null {
    const known = this.parsed.get(wireEvent);
    if (known !== undefined) return known;
    const whole = this.whole(wireEvent);
    if (whole === null) return null;
    const text = new PayloadText(whole, 'response');
    this.parsed.set(wireEvent, text);
    return text;
  }

  private whole(wireEvent: number | null): Whole | null {
    const { body, stream } = this;
    if (body === null) return EMPTY;
    if (stream === null || wireEvent === null) return stream === null && wireEvent === null ? readBody(body) : null;
    if (wireEvent < stream.count) return stream.event(wireEvent);
    if (stream.cut) return { issue: 'truncated', peers_read: true };
    const isUnclosed = wireEvent === stream.count && stream.unterminated;
    return isUnclosed ? { issue: 'unterminated', peers_read: false } : null;
  }
}

/** The texts of a response that observations are read from, in order: each closed event of a stream, else the body. */
export function* responseTexts(
  texts: ExchangeTexts,
): Iterable<{ readonly wire_event: number | null; readonly text: PayloadText }> {
  if (texts.stream === null) yield { wire_event: null, text: texts.response(null)! };
  for (let wire_event = 0; wire_event < (texts.stream?.count ?? 0); wire_event++) {
    yield { wire_event, text: texts.response(wire_event)! };
  }
}

/**
 * Takes an exchange's headers and bodies as kept; returns its typed fields and why any is null (FORMAT section 3, table of paths). Of an event stream
 * the response fields are those of its first event. `texts` may be given when the caller holds them.
 */
export const exchangeFields = (
  exchange: ExchangeWire,
  texts: ExchangeTexts = new ExchangeTexts(exchange),
): ExchangeFields => {
  const issues = new Issues();
  return {
    protocol_version: firstHeader(exchange.request_headers, 'a2a-version'),
    ...requestFields(exchange.binding, texts.request, issues),
    ...responseFields(exchange.binding, texts, issues),
    event_count: eventCount(texts, issues),
    wire_issue: issues.wireIssue(),
  };
};

/** The text to read fields from, or null; the issue of a whole text is noted under its name. */
const readable = (name: 'request' | 'response', whole: Whole, issues: Issues): WireText | null => {
  if ('issue' in whole) issues.note(name, whole.issue);
  return 'read' in whole ? whole.read : null;
};

const requestFields = (binding: ExchangeWire['binding'], whole: Whole, issues: Issues) => {
  const wire = binding === 'GRPC' ? null : readable('request', whole, issues);
  const paths = EXCHANGE_PATHS[binding === 'GRPC' ? 'HTTP+JSON' : binding].request;
  const read = (name: Exclude<keyof typeof paths, 'request_id'>): string | null =>
    wire === null ? null : issues.take(name, shortString(wire.root, paths[name]));
  return {
    rpc_method: read('rpc_method'),
    request_id: wire === null ? null : issues.take('request_id', token(wire.text, wire.root, paths.request_id)),
    message_id: read('message_id'),
    request_task_id: read('request_task_id'),
    request_context_id: read('request_context_id'),
  };
};

const NO_RESPONSE = { response_id: null, error_code: null, response_task_id: null, response_context_id: null } as const;

const responseFields = (binding: ExchangeWire['binding'], texts: ExchangeTexts, issues: Issues) => {
  const whole = texts.response(texts.stream === null ? null : 0)?.whole ?? EMPTY;
  const wire = readable('response', whole, issues);
  if (wire === null || binding === 'GRPC') return NO_RESPONSE;
  const { root, text } = wire;
  const paths = EXCHANGE_PATHS[binding].response;
  const found = payloadsIn(root, binding === 'JSONRPC' ? 'result' : 'root');
  const payload = (name: 'task_id' | 'context_id'): WireField<string> => {
    if ('issue' in found) return { value: null, issue: found.issue };
    const [first, second] = found.payloads;
    if (second !== undefined) return { value: null, issue: 'wrong_type' };
    return first === undefined
      ? { value: null, issue: null }
      : shortString(first.node, [PAYLOAD_PATHS[first.kind][name]]);
  };
  return {
    response_id: issues.take('response_id', token(text, root, paths.response_id)),
    error_code: issues.take('error_code', integer(root, paths.error_code)),
    response_task_id: issues.take('response_task_id', payload('task_id')),
    response_context_id: issues.take('response_context_id', payload('context_id')),
  };
};

const eventCount = ({ stream }: ExchangeTexts, issues: Issues): number | null => {
  if (stream === null) return null;
  if (stream.cut) return issues.take('event_count', { value: null, issue: 'truncated' });
  if (stream.unterminated) issues.note('event_count', 'unterminated');
  return stream.count;
};
