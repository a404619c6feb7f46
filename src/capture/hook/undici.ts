import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { endingOfCall, faultOf } from './fault.ts';
import type { CallReporter, Reporter } from './reporter.ts';
import { seenOf } from './sockets.ts';

/** What this tap reads of undici's request, of versions 5 to 8; that of the runtime and one a program brings publish on the same channels. */
type UndiciRequest = {
  readonly method: string;
  readonly origin: string | URL;
  readonly path: string;
  readonly headers: unknown;
  readonly body: unknown;
  /** Null when it is not known before the body ends. */
  readonly contentLength?: number | null;
  readonly aborted?: boolean;
  onBodySent?: (chunk: unknown) => unknown;
  onData?: (chunk: unknown) => unknown;
  onResponseData?: (chunk: unknown) => unknown;
};

function* pairs(list: readonly unknown[]): Generator<[string, string]> {
  const text = (value: unknown): string =>
    Buffer.isBuffer(value)
      ? value.toString('latin1')
      : Array.isArray(value)
        ? value.map(text).join(', ')
        : String(value);
  for (let at = 0; at + 1 < list.length; at += 2) yield [text(list[at]), text(list[at + 1])];
}

const headersOf = (headers: unknown): [string, string][] => {
  if (Array.isArray(headers)) return [...pairs(headers)];
  if (typeof headers !== 'string') return [];
  const rows = headers.split('\r\n').filter((row) => row.includes(':'));
  return rows.map((row) => [row.slice(0, row.indexOf(':')), row.slice(row.indexOf(':') + 1).trim()]);
};

const urlOf = ({ origin, path }: UndiciRequest): string => {
  // Through a proxy the request line holds the whole URL.
  if (/^https?:\/\//i.test(path)) return path;
  return `${typeof origin === 'string' ? origin : origin.origin}${path}`;
};

const bytesOf = (chunk: unknown): Uint8Array =>
  typeof chunk === 'string' ? Buffer.from(chunk) : chunk instanceof Uint8Array ? chunk : new Uint8Array();

/** Bytes of a request body before they are sent, however it was given. */
const watchBody = (request: UndiciRequest, call: CallReporter, reporter: Reporter): void => {
  const { body } = request;
  if (body === null || body === undefined || body instanceof Uint8Array) {
    if (body) call.requestChunk(body);
    call.requestEnd();
    return;
  }
  const iterator = body as { next?: (...args: unknown[]) => Promise<IteratorResult<unknown>> };
  // The steps of a synchronous iterator are no promises, and must not become such.
  if (typeof iterator.next === 'function' && Symbol.asyncIterator in iterator) {
    const next = iterator.next.bind(body);
    let missing = request.contentLength ?? Number.POSITIVE_INFINITY;
    iterator.next = async (...args) => {
      const step = await next(...args);
      reporter.attempt('read a request', () => {
        const bytes = bytesOf(step.value);
        call.requestChunk(bytes);
        missing -= bytes.length;
        // The last piece is told as such before it is sent, not when the body is asked for more.
        if (step.done || missing <= 0) call.requestEnd();
      });
      return step;
    };
    return;
  }
  const sent = request.onBodySent;
  if (typeof sent !== 'function') {
    reporter.gap('the body of a request could not be read');
    return;
  }
  request.onBodySent = function (chunk) {
    reporter.attempt('read a request', () => call.requestChunk(bytesOf(chunk)));
    return sent.call(this, chunk);
  };
};

/** `onData` of undici 5 to 7; later ones publish the chunks. */
const watchResponse = (request: UndiciRequest, call: CallReporter, reporter: Reporter): void => {
  const name = typeof request.onData === 'function' ? 'onData' : 'onResponseData';
  const onData = request[name];
  if (typeof onData !== 'function') {
    reporter.gap('the body of a response could not be read: this undici is not known');
    return;
  }
  request[name] = function (chunk) {
    reporter.attempt('read a response', () => call.chunk(bytesOf(chunk)));
    return onData.call(this, chunk);
  };
};

/** Taps every undici of the process, global fetch included: one call for each request on the wire, so a redirect is two. */
export const tapUndici = (reporter: Reporter): void => {
  const calls = new WeakMap<object, CallReporter>();
  const on = <M extends { readonly request: object }>(
    name: string,
    tell: (message: M, call: CallReporter) => void,
  ): void =>
    subscribe(`undici:${name}`, (message) =>
      reporter.attempt('follow a request', () => {
        const call = calls.get((message as M).request);
        if (call !== undefined) tell(message as M, call);
      }),
    );
  subscribe('undici:request:create', (message) =>
    reporter.attempt('follow a request', () => {
      const { request } = message as { readonly request: UndiciRequest };
      // The tunnel to a proxy is no exchange; what goes through it is.
      if (request.method === 'CONNECT') return;
      const { method, headers } = request;
      const seen = { method, url: urlOf(request), headers: headersOf(headers), local: null, remote: null };
      const call = reporter.call({ side: 'client', ...seen });
      calls.set(request, call);
      watchBody(request, call, reporter);
      watchResponse(request, call, reporter);
    }),
  );
  on<{ request: object; socket: Socket }>('client:sendHeaders', ({ socket }, call) => call.socket(seenOf(socket)));
  on<{ request: object }>('request:bodySent', (_, call) => call.requestEnd());
  on<{ request: object; response: { statusCode: number; headers: unknown } }>(
    'request:headers',
    ({ response }, call) => {
      call.requestEnd();
      call.response(response.statusCode, headersOf(response.headers));
    },
  );
  on<{ request: object }>('request:trailers', (_, call) => call.end('complete'));
  on<{ request: UndiciRequest; error: unknown }>('request:error', ({ request, error }, call) => {
    const how = endingOfCall(error);
    call.end(how === 'reset' && request.aborted ? 'aborted' : how, faultOf(error));
  });
};
