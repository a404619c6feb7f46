import { makeBody } from '../evidence/body.ts';
import type { Body, Headers } from '../evidence/fields.ts';
import { type ExchangeFields, exchangeFields, isEventStream } from '../evidence/wire/exchange.ts';
import { BodyRecorder } from './body-recorder.ts';
import type { CaptureContext } from './context.ts';
import type { Ending } from './ending.ts';
import { recordExtendedCard } from './extended-card.ts';
import { type RecordedPart, recordEvent, recordResponse, type Sighting } from './observations.ts';
import { recordPartReferences } from './part-references.ts';
import { recordReferences } from './references.ts';
import { type Fields, faultName, type Observer, type Slot } from './session.ts';

type Exchange = Fields<'exchanges'>;

export type ExchangeStart = Pick<
  Exchange,
  'endpoint_id' | 'client_agent' | 'server_agent' | 'binding' | 'method' | 'url'
> & {
  readonly observer: Observer;
  readonly headers: Iterable<readonly [string, string]>;
  /** Tells apart several views of one exchange that the observer has. */
  readonly view?: string;
  /** False when the URIs in its bodies are not references to be followed. */
  readonly references?: boolean;
};

type Known = Omit<Exchange, keyof ExchangeFields | 'ended' | 'response_body' | 'attributes'>;

const MAX_TEXT = 65_536;

/**
 * Records one exchange, seen from either side, as it happens. Each method returns when what it was told is in the
 * journal, and never throws. The exchange takes its place in the runtime order when it starts.
 */
export class ExchangeRecorder {
  readonly #context: CaptureContext;
  readonly #observer: Observer;
  readonly #view: string | undefined;
  readonly #refers: boolean;
  readonly #slot: Slot<'exchanges'>;
  #known: Known;
  #responseBody: Body | null = null;
  /** As long as nothing else is known, what a process that dies here leaves. */
  #how: Ending = 'aborted';
  #attributes: Record<string, string> = {};
  #answer: { readonly task_id: string | null; readonly context_id: string | null } = {
    task_id: null,
    context_id: null,
  };
  /** Null when the exchange could not be written: nothing then refers to it. */
  #id: string | null = null;
  #body: BodyRecorder | null = null;
  #isStream = false;
  /** Whether every event so far is in the journal: behind a gap, events would be counted wrong after a crash, so they carry their own text. */
  #isRecoverable = false;
  #ended = false;

  constructor(
    context: CaptureContext,
    { observer, headers, url, method, view, references = true, ...start }: ExchangeStart,
  ) {
    this.#context = context;
    this.#observer = observer;
    this.#view = view;
    this.#refers = references;
    this.#slot = context.session.reserve('exchanges');
    this.#known = {
      ...start,
      method: method.slice(0, MAX_TEXT),
      request_headers: context.redactor.headers(headers),
      url: context.redactor.text(url).slice(0, MAX_TEXT),
      status: null,
      response_headers: [],
      request_body: null,
    };
    context.session.opened(this.#slot.id, () => this.end('aborted'));
  }

  get id(): string {
    return this.#slot.id;
  }

  /** The id for others to refer to; null while the exchange is not written. */
  get reference(): string | null {
    return this.#id;
  }

  /** Task and context that the response names; null while it has none. */
  get answer(): { readonly task_id: string | null; readonly context_id: string | null } {
    return this.#answer;
  }

  /** The request body as a whole; null when there is none, or none yet. */
  request(bytes: Uint8Array | null): void {
    const { session, redactor, crypto, bodyLimit } = this.#context;
    session.attempt('record a request', () => {
      const redacted = bytes === null ? null : redactor.bytes(bytes);
      const body = redacted === null ? null : makeBody(redacted, bodyLimit, crypto);
      this.#known = { ...this.#known, request_body: body };
      this.#id = this.#write();
      if (this.#id === null || body === null || body.truncated !== null || body.encoding !== 'utf8') return;
      this.#references(body.text, 'request', null);
    });
  }

  /** The head of the response; `status` null where it was not seen: then no body of it is kept. */
  response(status: number | null, headers: Iterable<readonly [string, string]>): void {
    const { session, redactor, crypto, bodyLimit } = this.#context;
    session.attempt('record a response', () => {
      const response_headers: Headers = redactor.headers(headers);
      this.#known = { ...this.#known, status, response_headers };
      this.#isStream = isEventStream(response_headers);
      this.#body = new BodyRecorder({ limit: bodyLimit, crypto, redactor }, this.#isStream);
      // What is taken from a stream before its end needs the head to be read again after a crash.
      if (this.#isStream && this.#id !== null) {
        this.#id = this.#write();
        this.#isRecoverable = this.#id !== null;
      }
    });
  }

  /** A piece of the response body, after content decoding; the events it closes are recorded. */
  chunk(bytes: Uint8Array): void {
    this.#context.session.attempt('record a piece of a response', () => {
      for (const { event, segment, held } of this.#body?.push(bytes) ?? []) {
        this.#isRecoverable = this.#isRecoverable && segment !== null && this.#segment(segment);
        if (event === null || this.#id === null) continue;
        const isThere = held && this.#isRecoverable;
        this.#encoded(recordEvent(this.#context, this.#sighting(event.index), event.data, isThere));
        if (isThere && typeof event.data === 'string') this.#references(event.data, 'response', event.index);
      }
    });
  }

  /** Anything else worth telling, as a free member of the record. */
  attribute(name: string, value: string): void {
    this.#attributes[name] = this.#context.redactor.text(value).slice(0, MAX_TEXT);
  }

  /** How it ended, and the error if one was seen. Only the first call counts, and returns true. */
  end(ended: Ending, error?: unknown): boolean {
    const { session } = this.#context;
    if (this.#ended) return false;
    this.#ended = true;
    session.closed(this.#slot.id);
    session.attempt('record the end of an exchange', () => {
      if (error !== undefined) this.attribute('error', causeName(error));
      if (this.#body?.overflowed) session.gap(`${this.#slot.id}: the body was too long to be read to its end`);
      const received = this.#body?.end() ?? null;
      // A stream whose last event is not closed was cut, however quietly its connection ended.
      this.#how = ended === 'complete' && received?.tail != null ? 'aborted' : ended;
      const body = this.#known.status === null ? null : (received?.body ?? null);
      this.#responseBody = body;
      const written = this.#write();
      if (written === null || body === null || this.#isStream) return;
      this.#id = written;
      this.#encoded(recordResponse(this.#context, this.#sighting(null), body));
      if (body.encoding !== 'utf8' || body.truncated !== null) return;
      this.#references(body.text, 'response', null);
      recordExtendedCard(this.#context, this.#observer, {
        ...this.#known,
        ...exchangeFields({ ...this.#known, response_body: body }),
        text: body.text,
      });
    });
    return true;
  }

  /** What its client threw, which need not show on the wire: an answer may have come whole and be refused. */
  failed(error: unknown): void {
    this.#context.session.attempt('record the error of a client', () => {
      if (this.#attributes.error !== undefined) return;
      this.attribute('error', causeName(error));
      if (this.#ended) this.#write();
    });
  }

  /** Corrects how an exchange ended whose last byte was handed over and did not arrive. */
  undelivered(ended: Ending): void {
    this.#how = ended;
    this.#context.session.attempt('record the end of an exchange', () => this.#write());
  }

  /** Writes what is known by now, over what was written before. */
  #write(): string | null {
    const bodies = { ...this.#known, response_body: this.#responseBody };
    const attributes = Object.keys(this.#attributes).length === 0 ? {} : { attributes: this.#attributes };
    const fields: Exchange = { ...bodies, ended: this.#how, ...exchangeFields(bodies), ...attributes };
    this.#answer = { task_id: fields.response_task_id, context_id: fields.response_context_id };
    return this.#context.session.write(this.#slot, this.#observer, fields, this.#ended ? undefined : 'open');
  }

  #sighting(wire_event: number | null): Sighting {
    const view = this.#view === undefined ? {} : { view: this.#view };
    return { observer: this.#observer, agent: this.#known.server_agent, exchange_id: this.#id, wire_event, ...view };
  }

  #segment({ encoding, text }: { readonly encoding: 'utf8' | 'base64'; readonly text: string }): boolean {
    return this.#context.session.segment({ exchange_id: this.#slot.id, encoding, text });
  }

  /** Text in base64 is in no string of the body: its references have their place in the artifact. */
  #encoded(parts: readonly RecordedPart[]): void {
    if (!this.#refers) return;
    for (const part of parts) {
      if (part.part_kind === 'raw') recordPartReferences(this.#context, this.#observer, part);
    }
  }

  #references(json: string, body: 'request' | 'response', wire_event: number | null): void {
    if (!this.#refers) return;
    const where = { exchange_id: this.#id, artifact_record_id: null, body, wire_event };
    recordReferences(this.#context, this.#observer, json, where);
  }
}

/** Name and code of an error and of its causes; messages may quote secrets. */
const causeName = (error: unknown): string => {
  const { cause } = (typeof error === 'object' && error !== null ? error : {}) as { readonly cause?: unknown };
  return cause === undefined ? faultName(error) : `${faultName(error)}: ${faultName(cause)}`;
};
