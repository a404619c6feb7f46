import type { CaptureContext } from './context.ts';
import { type DialOverride, dialingAgent, fetchThrough } from './dialer.ts';
import { endingOf } from './ending.ts';
import { type Hop, HopRecorder } from './hop-recorder.ts';
import { type BodyListener, tapResponse } from './response-tap.ts';
import type { Session } from './session.ts';

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
type Place = Pick<Hop, 'reference_id' | 'redirect_of' | 'hop' | 'uri' | 'method'>;

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
    context.session.note(
      'URI fetches: only those of the observed fetcher are seen, and a connection once it stands, for https after its handshake',
    );
    const written = context.redactor.text(uri);
    let sent = request;
    let place: Place = {
      reference_id: request.reference_id ?? context.trail.referenceOf(written) ?? null,
      redirect_of: null,
      hop: 0,
      uri,
      method: request.method ?? 'GET',
    };
    for (;;) {
      const { headers = {}, body } = sent;
      const recorder = new HopRecorder(
        context,
        {
          ...place,
          agent: options.agent,
          headers: Object.entries(headers),
          body: body === undefined ? undefined : Buffer.from(body),
        },
        context.reporter,
      );
      const response = await fetchHop(context.session, recorder, place, options, sent);
      const location = REDIRECTS.has(response.status) ? response.headers.get('location') : null;
      if (location === null) return response;
      await response.arrayBuffer();
      if (place.hop >= maxRedirects) throw new TypeError(`more than ${maxRedirects} redirects`);
      const next = new URL(location, place.uri);
      sent = redirected(sent, response.status, next.origin === new URL(place.uri).origin);
      place = {
        reference_id: null,
        redirect_of: recorder.id,
        hop: place.hop + 1,
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

/** Sends one request and has its hop recorded from before it goes out until its body was read. */
const fetchHop = async (
  session: Session,
  recorder: HopRecorder,
  { uri, hop, method }: Pick<Hop, 'uri' | 'hop' | 'method'>,
  { guard, dial = [] }: UriFetchOptions,
  { headers = {}, body, signal }: UriRequest,
): Promise<Response> => {
  if (guard !== undefined) await askGuard(recorder, guard, { uri, hop });
  const agent = dialingAgent(dial, (dialled) => recorder.dialled(dialled));
  const init = { method, headers, redirect: 'manual', ...(body !== undefined && { body }), ...(signal && { signal }) };
  recorder.sending();
  let response: Response;
  try {
    response = await fetchThrough(agent)(uri, init as RequestInit);
  } catch (error) {
    recorder.failed(endingOf(error, signal));
    void agent.close();
    throw error;
  }
  recorder.answered(response.status, response.headers, response.body !== null);
  const listener: BodyListener = {
    chunk: (bytes) => recorder.chunk(bytes),
    end: (ended) => {
      recorder.ended(ended);
      void agent.close();
    },
  };
  const tapped = session.attempt('follow a response', () => tapResponse(response, listener, signal));
  if (tapped === null) listener.end('aborted');
  return tapped ?? response;
};

const askGuard = async (
  recorder: HopRecorder,
  guard: NonNullable<UriFetchOptions['guard']>,
  hop: { readonly uri: string; readonly hop: number },
): Promise<void> => {
  recorder.waiting();
  let isLetOut: boolean;
  try {
    isLetOut = await guard(hop);
  } catch (error) {
    recorder.notSent();
    throw error;
  }
  if (isLetOut) return;
  recorder.blocked();
  throw new BlockedByGuard(`${hop.uri} is blocked by the guard`);
};
