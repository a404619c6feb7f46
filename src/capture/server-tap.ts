import type { IncomingMessage, ServerResponse } from 'node:http';
import { type CaptureContext, within } from './context.ts';
import { ExchangeRecorder } from './exchange-recorder.ts';
import { rawPairs, type ServerCallListener, serverUrlOf, watchRequest, watchResponse } from './http-wire.ts';
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
          const listener = listenerOf(context, recorder);
          watchRequest(request, listener);
          watchResponse(response, listener);
          return recorder.reference;
        });
    if (id === null) next();
    else within(context, { serving: id }, next);
  };
};

const begin = (context: CaptureContext, { agent, binding }: ServerOptions, request: IncomingMessage) => {
  const url = serverUrlOf(request);
  const recorder = new ExchangeRecorder(context, {
    observer: 'sdk-server',
    endpoint_id: context.cards.endpointOf(url)?.endpoint_id ?? null,
    client_agent: null,
    server_agent: agent,
    binding,
    method: request.method ?? '',
    url,
    headers: rawPairs(request.rawHeaders),
  });
  recorder.request(null);
  return recorder;
};

const listenerOf = ({ session }: CaptureContext, recorder: ExchangeRecorder): ServerCallListener => {
  let chunks: Uint8Array[] = [];
  let size = 0;
  return {
    attempt: (what, work) => session.attempt(what, work),
    requestChunk: (bytes) => {
      if (size > MAX_REQUEST) return;
      size += bytes.length;
      if (size > MAX_REQUEST) chunks = [];
      else chunks.push(Buffer.from(bytes));
    },
    requestEnd: () => {
      if (size > MAX_REQUEST) recorder.attribute('request_body', 'too long to be recorded');
      else if (size > 0) recorder.request(Buffer.concat(chunks));
    },
    response: (status, headers) => {
      const rows = [...headers];
      recorder.response(status, rows);
      const encoding = rows.find(([name]) => name.toLowerCase() === 'content-encoding')?.[1];
      if (encoding !== undefined)
        session.gap(`${recorder.id}: a response encoded as ${encoding} was recorded as it is`);
    },
    chunk: (bytes) => recorder.chunk(bytes),
    end: (ended, undelivered) => {
      if (undelivered === undefined) recorder.end(ended);
      else recorder.undelivered(ended);
    },
  };
};
