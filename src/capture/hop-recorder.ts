import { makeBody } from '../evidence/body.ts';
import type { Body } from '../evidence/fields.ts';
import { BodyRecorder } from './body-recorder.ts';
import type { CaptureContext } from './context.ts';
import type { Dialled } from './dialer.ts';
import type { Ending } from './ending.ts';
import type { Fields, Observer, Slot } from './session.ts';

type Dereference = Fields<'uri_dereferences'>;
/** What is asked for in one hop. */
export type Hop = Pick<Dereference, 'reference_id' | 'redirect_of' | 'hop' | 'uri' | 'method'> & {
  readonly agent: string | null;
  readonly headers: Iterable<readonly [string, string]>;
  readonly body: Uint8Array | undefined;
};

type Known = Pick<
  Dereference,
  'reference_id' | 'redirect_of' | 'hop' | 'uri' | 'method' | 'agent' | 'request_headers' | 'request_body'
>;
type Seen = Pick<Dereference, 'outcome' | 'status' | 'ended' | 'response_headers'>;

/**
 * Records one hop of a dereference as it happens. Each method returns when what it was told is in the journal, and never
 * throws: a target that never answers is in evidence before it was asked.
 */
export class HopRecorder {
  readonly #context: CaptureContext;
  readonly #observer: Observer;
  readonly #slot: Slot<'uri_dereferences'> | null;
  readonly #known: Known | null;
  #seen: Seen = { outcome: 'not_attempted', status: null, ended: null, response_headers: [] };
  #dialled: Dialled | null = null;
  #attributes: Record<string, string> = {};
  #id: string | null = null;
  #isOpen = true;
  #response: { readonly body: BodyRecorder | null; slot: Slot<'dereference_responses'> | null } | null = null;

  constructor(context: CaptureContext, hop: Hop, observer: Observer) {
    const { session } = context;
    this.#context = context;
    this.#observer = observer;
    this.#slot = session.attempt('place a dereference', () => session.reserve('uri_dereferences'));
    this.#known = session.attempt('read a dereference', () => knownOf(context, hop));
    if (this.#slot !== null) session.opened(this.#slot.id, () => this.#close({}));
  }

  /** The id for others to refer to; null while the hop is not written. */
  get id(): string | null {
    return this.#id;
  }

  /** A guard is asked: nothing has been sent. */
  waiting(): void {
    this.#write();
  }

  blocked(): void {
    this.#close({ outcome: 'blocked_by_guard' });
  }

  /** No request will go out, as nobody decided that it may. */
  notSent(): void {
    this.#close({});
  }

  /** The request goes out now. As long as nothing else is known, no connection is. */
  sending(): void {
    this.#see({ outcome: 'connect_failed', ended: 'aborted' });
  }

  dialled(dialled: Dialled): void {
    this.#dialled = dialled;
    this.#see(dialled.connected === null ? {} : { outcome: 'connected' });
  }

  /** Anything else worth telling, as a free member of the record: written with what comes next. */
  attribute(name: string, value: string): void {
    this.#attributes[name] = this.#context.redactor.text(value);
  }

  failed(ended: Ending): void {
    this.#close({ ended });
  }

  answered(status: number, headers: Iterable<readonly [string, string]>, hasBody: boolean): void {
    const { session, redactor, crypto, bodyLimit } = this.#context;
    session.attempt('follow a response', () => {
      const response_headers = redactor.headers(headers);
      const recorder = !hasBody ? null : new BodyRecorder({ limit: bodyLimit, crypto, redactor }, false);
      this.#response = { body: recorder, slot: null };
      this.#see({ outcome: 'connected', status, response_headers });
    });
  }

  chunk(bytes: Uint8Array): void {
    this.#context.session.attempt('read a response', () => this.#response?.body?.push(bytes));
  }

  ended(ended: Ending): void {
    this.#close({ ended });
  }

  #see(seen: Partial<Seen>): void {
    if (!this.#isOpen) return;
    this.#seen = { ...this.#seen, ...seen };
    this.#write();
  }

  #close(seen: Partial<Seen>): void {
    if (!this.#isOpen) return;
    const { session } = this.#context;
    this.#isOpen = false;
    this.#seen = { ...this.#seen, ...seen };
    this.#write();
    if (this.#slot !== null) session.closed(this.#slot.id);
  }

  /** Writes what is known by now, over what was written before. */
  #write(): void {
    const { session } = this.#context;
    const { override = null, resolved = null, connected = null, host = '', via_proxy = null } = this.#dialled ?? {};
    session.attempt('record a dereference', () => {
      if (this.#slot === null || this.#known === null) return;
      const fields: Dereference = {
        ...this.#known,
        ...this.#seen,
        resolved_addresses: resolved === null ? null : [...resolved],
        connected_address: connected,
        via_proxy,
        dial_override: override === null ? null : { host, address: override.to.address },
        ...(Object.keys(this.#attributes).length > 0 && { attributes: this.#attributes }),
      };
      const id = session.write(this.#slot, this.#observer, fields, this.#isOpen ? 'open' : undefined);
      if (id === null) return;
      this.#id = id;
      this.#writeResponse(id);
    });
  }

  /** Never before the hop that states its status: a response without it would be evidence of nothing. */
  #writeResponse(dereference_id: string): void {
    const { session } = this.#context;
    const { status } = this.#seen;
    if (this.#response === null || status === null) return;
    this.#response.slot ??= session.reserve('dereference_responses');
    const body: Body | null = this.#isOpen ? null : (this.#response.body?.end().body ?? null);
    session.write(this.#response.slot, this.#observer, { dereference_id, status, body });
  }
}

const knownOf = ({ redactor, bodyLimit, crypto }: CaptureContext, { headers, body, ...hop }: Hop): Known => {
  // Their credentials are learnt before the URI is written.
  const request_headers = redactor.headers(headers);
  return {
    ...hop,
    uri: redactor.text(hop.uri),
    request_headers,
    request_body: body === undefined ? null : makeBody(redactor.bytes(body), bodyLimit, crypto),
  };
};
