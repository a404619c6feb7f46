import { makeBody } from '../evidence/body.ts';
import type { Body } from '../evidence/fields.ts';
import { BodyRecorder } from './body-recorder.ts';
import type { CaptureContext } from './context.ts';
import { type Dialled, type DialOverride, dialingAgent, fetchThrough } from './dialer.ts';
import { type Ending, endingOf } from './ending.ts';
import { tapResponse } from './response-tap.ts';
import type { Fields } from './session.ts';

export type UriFetchOptions = {
  /** The agent that dereferences, by the name this trace uses for it. */
  readonly agent: string | null;
  /** Asked before every hop; false blocks it. */
  readonly guard?: (hop: { readonly uri: string; readonly hop: number }) => boolean | Promise<boolean>;
  readonly dial?: readonly DialOverride[];
  readonly maxRedirects?: number;
};
export type UriRequest = {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly signal?: AbortSignal;
  /** The reference that is followed; when left out, the newest that was recorded with this URI. */
  readonly reference_id?: string | null;
};

/** The guard did not let a request out. */
export class BlockedByGuard extends Error {
  override readonly name = 'BlockedByGuard';
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const DEFAULT_REDIRECTS = 5;
type Hop = Pick<Fields<'uri_dereferences'>, 'reference_id' | 'redirect_of' | 'hop' | 'uri' | 'method'>;

/**
 * A fetcher for applications that dereference URIs they were sent: follows redirects by itself and records every hop, with the addresses a
 * name resolved to and the one that was connected. Returns the last response. Throws BlockedByGuard, TypeError after too many redirects,
 * and what fetch throws.
 */
export const observedUriFetch =
  (context: CaptureContext, options: UriFetchOptions) =>
  async (uri: string, request: UriRequest = {}): Promise<Response> => {
    const { maxRedirects = DEFAULT_REDIRECTS } = options;
    context.session.watches('uri_dereference');
    const written = context.redactor.text(uri);
    let sent = request;
    let hop: Hop = {
      reference_id: request.reference_id ?? context.trail.references.get(written) ?? null,
      redirect_of: null,
      hop: 0,
      uri,
      method: request.method ?? 'GET',
    };
    for (;;) {
      const recorder = new HopRecorder(context, options, hop, sent);
      const response = await recorder.fetch();
      const location = REDIRECTS.has(response.status) ? response.headers.get('location') : null;
      if (location === null) return response;
      await response.arrayBuffer();
      if (hop.hop >= maxRedirects) throw new TypeError(`more than ${maxRedirects} redirects`);
      const next = new URL(location, hop.uri);
      sent = redirected(sent, response.status, next.origin === new URL(hop.uri).origin);
      hop = {
        reference_id: null,
        redirect_of: recorder.id,
        hop: hop.hop + 1,
        uri: next.href,
        method: sent.method ?? 'GET',
      };
    }
  };

/** What fetch sends after a redirect (WHATWG Fetch, HTTP-redirect fetch): no body after 303 and a redirected POST, no credentials elsewhere. */
const redirected = ({ body, ...request }: UriRequest, status: number, sameOrigin: boolean): UriRequest => {
  const { method = 'GET', headers = {} } = request;
  const kept = Object.entries(headers).filter(([name]) => sameOrigin || !/^(?:authorization|cookie)$/i.test(name));
  const becomesGet = (status === 303 && method !== 'HEAD') || (status < 303 && method === 'POST');
  const next = { ...request, headers: Object.fromEntries(kept) };
  if (becomesGet) return { ...next, method: 'GET' };
  return body === undefined ? next : { ...next, body };
};

class HopRecorder {
  id: string | null = null;
  readonly #context: CaptureContext;
  readonly #options: UriFetchOptions;
  readonly #hop: Hop;
  readonly #request: UriRequest;
  readonly #slot: ReturnType<HopRecorder['reserve']>;
  #dialled: Dialled | null = null;

  constructor(context: CaptureContext, options: UriFetchOptions, hop: Hop, request: UriRequest) {
    this.#context = context;
    this.#options = options;
    this.#hop = hop;
    this.#request = request;
    this.#slot = this.reserve();
  }

  private reserve() {
    const { session } = this.#context;
    return session.attempt('place a dereference', () => session.reserve('uri_dereferences'));
  }

  async fetch(): Promise<Response> {
    const { guard, dial = [] } = this.#options;
    const { uri, hop, method } = this.#hop;
    if (guard !== undefined && !(await guard({ uri, hop }))) {
      this.#write({ outcome: 'blocked_by_guard', status: null, ended: null, response_headers: [] });
      throw new BlockedByGuard(`${uri} is blocked by the guard`);
    }
    const agent = dialingAgent(dial, (dialled) => {
      this.#dialled = dialled;
    });
    const { headers = {}, body, signal } = this.#request;
    const init = {
      method,
      headers,
      redirect: 'manual',
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
    };
    try {
      const response = await fetchThrough(agent)(uri, init as RequestInit);
      return this.#follow(response, () => void agent.close());
    } catch (error) {
      const outcome = this.#dialled?.connected == null ? 'connect_failed' : 'connected';
      this.#write({ outcome, status: null, ended: endingOf(error, signal), response_headers: [] });
      void agent.close();
      throw error;
    }
  }

  #follow(response: Response, close: () => void): Response {
    const { session, redactor, crypto, bodyLimit } = this.#context;
    const { status } = response;
    const recorder = new BodyRecorder({ limit: bodyLimit, crypto, redactor }, false);
    const hasBody = response.body !== null;
    const end = (ended: Ending): void => {
      close();
      if (this.#slot !== null) session.closed(this.#slot.id);
      session.attempt('record a dereference', () => {
        const { body } = recorder.end();
        const response_headers = redactor.headers(response.headers);
        this.#write({ outcome: 'connected', status, ended, response_headers });
        this.#respond(status, hasBody ? body : null);
      });
    };
    if (this.#slot !== null) session.opened(this.#slot.id, () => end('aborted'));
    const chunk = (bytes: Uint8Array) => void session.attempt('read a response', () => recorder.push(bytes));
    return (
      session.attempt('follow a response', () => tapResponse(response, { chunk, end }, this.#request.signal)) ??
      response
    );
  }

  #write(seen: Pick<Fields<'uri_dereferences'>, 'outcome' | 'status' | 'ended' | 'response_headers'>): void {
    const { session, redactor, crypto, bodyLimit } = this.#context;
    const { headers = {}, body } = this.#request;
    session.attempt('record a dereference', () => {
      const dialled = this.#dialled;
      const override = dialled?.override ?? null;
      const fields: Fields<'uri_dereferences'> = {
        ...this.#hop,
        uri: redactor.text(this.#hop.uri),
        ...seen,
        agent: this.#options.agent,
        resolved_addresses: dialled?.resolved == null ? null : [...dialled.resolved],
        connected_address: dialled?.connected ?? null,
        dial_override: dialled && override ? { host: dialled.host, address: override.to.address } : null,
        via_proxy: null,
        request_headers: redactor.headers(Object.entries(headers)),
        request_body: body === undefined ? null : makeBody(redactor.bytes(Buffer.from(body)), bodyLimit, crypto),
      };
      this.id = this.#slot && session.write(this.#slot, 'application', fields);
    });
  }

  #respond(status: number, body: Body | null): void {
    if (this.id === null) return;
    this.#context.session.record('dereference_responses', 'application', { dereference_id: this.id, status, body });
  }
}
