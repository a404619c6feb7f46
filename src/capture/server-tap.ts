import type { IncomingMessage, OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { type CaptureContext, within } from './context.ts';
import { ExchangeRecorder } from './exchange-recorder.ts';
import type { Fields } from './session.ts';

export type ServerOptions = {
  /** The agent that serves, by the name this trace uses for it. */
  readonly agent: string | null;
  readonly binding: Fields<'exchanges'>['binding'];
};
/** An Express (or Connect) middleware. */
export type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

const MAX_REQUEST = 64 * 1024 * 1024;
const CARD_PATH = /\/\.well-known\/agent(?:-card)?\.json$/;

const urlOf = (request: IncomingMessage): string => {
  const { url, originalUrl, headers, socket } = request as IncomingMessage & { readonly originalUrl?: string };
  return `${(socket as TLSSocket).encrypted ? 'https' : 'http'}://${headers.host ?? 'unknown'}${originalUrl ?? url ?? '/'}`;
};

function* pairs(raw: readonly string[]): Generator<[string, string]> {
  for (let at = 0; at + 1 < raw.length; at += 2) yield [raw[at]!, raw[at + 1]!];
}

const asText = (value: OutgoingHttpHeader): string => (Array.isArray(value) ? value.join(', ') : String(value));

function* headersOf(headers: OutgoingHttpHeaders | readonly OutgoingHttpHeader[]): Generator<[string, string]> {
  if (Array.isArray(headers)) yield* pairs(headers.flat().map(asText));
  else {
    for (const [name, value] of Object.entries(headers as OutgoingHttpHeaders)) {
      if (value !== undefined) yield [name, asText(value)];
    }
  }
}

const bytesOf = (chunk: unknown, encoding: unknown): Uint8Array => {
  if (typeof chunk === 'string')
    return Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8');
  return chunk instanceof Uint8Array ? chunk : new Uint8Array();
};

/**
 * A middleware to mount before the handlers of the SDK: requests and responses as bytes on the server's side, and the exchange that
 * events of the bus were caused by. Requests for the agent card are let through unrecorded.
 */
export const tapServer = (context: CaptureContext, options: ServerOptions): Middleware => {
  context.session.watches('server_wire');
  context.session.note('server wire: only routes behind the middleware are seen, and no agent card that is served');
  return (request, response, next) => {
    const id = CARD_PATH.test((request.url ?? '').split('?', 1)[0]!)
      ? null
      : context.session.attempt('follow a request', () => {
          const recorder = begin(context, options, request);
          watchRequest(context, request, recorder);
          watchResponse(context, response, recorder);
          return recorder.reference;
        });
    if (id === null) next();
    else within(context, { serving: id }, next);
  };
};

const begin = (context: CaptureContext, { agent, binding }: ServerOptions, request: IncomingMessage) => {
  const url = urlOf(request);
  const recorder = new ExchangeRecorder(context, {
    observer: 'sdk-server',
    endpoint_id: context.cards.endpointOf(url)?.endpoint_id ?? null,
    client_agent: null,
    server_agent: agent,
    binding,
    method: request.method ?? '',
    url,
    headers: pairs(request.rawHeaders),
  });
  recorder.request(null);
  return recorder;
};

/** Listening for `data` would start the flow before the handler listens; what is emitted is what the handler reads. */
const watchRequest = (context: CaptureContext, request: IncomingMessage, recorder: ExchangeRecorder): void => {
  const emit = request.emit.bind(request) as (event: string | symbol, ...args: unknown[]) => boolean;
  let chunks: Uint8Array[] = [];
  let size = 0;
  request.emit = (event: string | symbol, ...args: unknown[]): boolean => {
    context.session.attempt('read a request', () => {
      if (event === 'data' && size <= MAX_REQUEST) {
        const bytes = Buffer.from(bytesOf(args[0], request.readableEncoding));
        size += bytes.length;
        if (size > MAX_REQUEST) chunks = [];
        else chunks.push(bytes);
      }
      if (event === 'end' && size > MAX_REQUEST) recorder.attribute('request_body', 'too long to be recorded');
      else if (event === 'end' && size > 0) recorder.request(Buffer.concat(chunks));
    });
    return emit(event, ...args);
  };
};

type Call = (...args: unknown[]) => unknown;

const watchResponse = (context: CaptureContext, response: ServerResponse, recorder: ExchangeRecorder): void => {
  const write = response.write.bind(response) as Call;
  const end = response.end.bind(response) as Call;
  const writeHead = response.writeHead.bind(response) as Call;
  const { session } = context;
  let stated: readonly (readonly [string, string])[] = [];
  let hasHead = false;
  const head = (): void => {
    if (hasHead) return;
    hasHead = true;
    // Node keeps what writeHead was given apart when no header was set before.
    const headers = [...headersOf(response.getHeaders()), ...stated.filter(([name]) => !response.hasHeader(name))];
    recorder.response(response.statusCode, headers);
    const encoding = headers.find(([name]) => name.toLowerCase() === 'content-encoding')?.[1];
    if (encoding !== undefined) session.gap(`${recorder.id}: a response encoded as ${encoding} was recorded as it is`);
  };
  const patched = {
    writeHead: (...args: unknown[]): unknown => {
      session.attempt('read response headers', () => {
        const given = args.at(-1);
        if (typeof given === 'object' && given !== null) stated = [...headersOf(given as OutgoingHttpHeaders)];
      });
      return writeHead(...args);
    },
    write: (...args: unknown[]): unknown => {
      session.attempt('read a response', () => {
        head();
        recorder.chunk(bytesOf(args[0], args[1]));
      });
      return write(...args);
    },
    end: (...args: unknown[]): unknown => {
      session.attempt('read a response', () => {
        head();
        recorder.chunk(bytesOf(args[0], args[1]));
        recorder.end('complete');
      });
      return end(...args);
    },
  };
  Object.assign(response, patched);
  response.once('close', () => {
    if (!response.writableFinished && !recorder.end('aborted')) recorder.undelivered('aborted');
  });
};
