import type { CaptureContext } from './context.ts';
import { endingOf } from './ending.ts';
import { ExchangeRecorder } from './exchange-recorder.ts';
import { recordCard } from './record-card.ts';
import { requestBytes, UNREADABLE } from './request-body.ts';
import { type BodyListener, tapResponse } from './response-tap.ts';
import type { Fields } from './session.ts';

export type Fetch = typeof globalThis.fetch;
export type ClientOptions = {
  /** The agent that sends, by the name this trace uses for it. */
  readonly agent: string | null;
};

type Call = {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly signal: AbortSignal | null | undefined;
};

const callOf = (input: string | URL | Request, init: RequestInit | undefined): Call => {
  const request = input instanceof Request ? input : null;
  return {
    url: typeof input === 'string' ? input : input instanceof Request ? input.url : input.href,
    method: (init?.method ?? request?.method ?? 'GET').toUpperCase(),
    headers: new Headers(init?.headers ?? request?.headers),
    signal: init?.signal ?? request?.signal,
  };
};

/** Wraps a fetch for a transport factory of the SDK: each call is an exchange. What the caller gets is what the fetch gives. */
export const tapExchanges = (
  fetchImpl: Fetch,
  context: CaptureContext,
  binding: Fields<'exchanges'>['binding'],
  { agent }: ClientOptions,
): Fetch => {
  const { session, scope, cards } = context;
  session.watches('client_wire');
  session.note(
    'client wire: redirects that fetch followed are seen as one exchange, headers that fetch adds are not seen',
  );
  const begin = async (
    input: string | URL | Request,
    init: RequestInit | undefined,
    { url, method, headers }: Call,
  ): Promise<ExchangeRecorder> => {
    const running = scope.getStore();
    const endpoint = running?.endpoint ?? cards.endpointOf(url);
    const recorder = new ExchangeRecorder(context, {
      observer: 'sdk-client',
      endpoint_id: endpoint?.endpoint_id ?? null,
      client_agent: agent,
      server_agent: endpoint?.agent ?? null,
      binding,
      method,
      url,
      headers,
    });
    const bytes = requestBytes(input, init);
    if (bytes === UNREADABLE) session.gap(`${recorder.id}: a request body that is sent as a stream was not recorded`);
    recorder.request(bytes === UNREADABLE ? null : bytes instanceof Promise ? await bytes : bytes);
    if (recorder.reference !== null) running?.sent?.push(recorder.reference);
    return recorder;
  };
  return async (input, init) => {
    const call = session.attempt('read a request', () => callOf(input, init));
    const recorder = call && (await quietly(context, 'record a request', () => begin(input, init, call)));
    let response: Response;
    try {
      response = await fetchImpl(input, init);
    } catch (error) {
      recorder?.end(endingOf(error, call?.signal), error);
      throw error;
    }
    if (!recorder) return response;
    const tapped = session.attempt('follow a response', () => {
      recorder.response(response.status, response.headers);
      if (response.redirected) recorder.attribute('final_url', response.url);
      return tapResponse(response, recorder, call?.signal);
    });
    if (tapped === null) recorder.end('aborted');
    return tapped ?? response;
  };
};

const quietly = async <T>(context: CaptureContext, what: string, work: () => Promise<T>): Promise<T | null> => {
  try {
    return await work();
  } catch (error) {
    return context.session.attempt<T>(what, () => {
      throw error;
    });
  }
};

/** Wraps a fetch for a card resolver of the SDK: each body that was read to its end is a candidate card. */
export const tapCards = (fetchImpl: Fetch, context: CaptureContext): Fetch => {
  const { session, scope, redactor } = context;
  return async (input, init) => {
    const call = session.attempt('read a request', () => callOf(input, init));
    if (call !== null) session.attempt('read request headers', () => redactor.headers(call.headers));
    const asked = scope.getStore()?.fetched;
    const response = await fetchImpl(input, init);
    const chunks: Uint8Array[] = [];
    const listener: BodyListener = {
      chunk: (bytes) => void session.attempt('keep a card', () => chunks.push(Buffer.from(bytes))),
      end: (ended) => {
        if (ended !== 'complete' || chunks.length === 0) return;
        session.attempt('record a card', () => {
          redactor.headers(response.headers);
          const id = recordCard(context, 'candidate_cards', 'sdk-client', redactor.bytes(Buffer.concat(chunks)), {
            url: redactor.text(response.url === '' ? (call?.url ?? '') : response.url),
            status: response.status,
            extended: false,
            endpoint_id: null,
          });
          if (asked) asked.card_id = id;
        });
      },
    };
    return session.attempt('follow a card', () => tapResponse(response, listener, call?.signal)) ?? response;
  };
};
