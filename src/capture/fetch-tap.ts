import type { CaptureContext } from './context.ts';
import { endingOf } from './ending.ts';
import { ExchangeRecorder } from './exchange-recorder.ts';
import { requestBytes, UNREADABLE } from './request-body.ts';
import { tapResponse } from './response-tap.ts';
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

export const callOf = (input: string | URL | Request, init: RequestInit | undefined): Call => {
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
    running?.calls?.push(recorder);
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
