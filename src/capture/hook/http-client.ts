import { Agent, ClientRequest, type IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { bytesOf, rawPairs, watchIncoming } from '../http-wire.ts';
import { endingOfCall, faultOf } from './fault.ts';
import type { CallReporter, Reporter } from './reporter.ts';
import { seenOf } from './sockets.ts';

type Method = (this: ClientRequest, ...args: unknown[]) => unknown;
type Watched = { readonly call: CallReporter; ended: boolean; answered: boolean; error: unknown };

const ports = new WeakMap<ClientRequest, number>();

const authority = (host: string, port: number | null): string =>
  `${isIP(host) === 6 ? `[${host}]` : host}${port === null ? '' : `:${port}`}`;

/** Where the request goes: the host that is dialled, whatever its Host header says. */
const urlOf = (request: ClientRequest): string => {
  const { protocol, host, path } = request;
  if (/^https?:\/\//i.test(path)) return path;
  const stated = String(request.getHeader('host') ?? '');
  const port = ports.get(request) ?? Number(/:(\d{1,5})$/.exec(stated)?.[1] ?? 0);
  return `${protocol}//${authority(host, port || null)}${path}`;
};

/** Headers that were given as a list are written at once, and stand in no other place. */
const headersOf = (request: ClientRequest): [string, string][] => {
  const written = (request as { readonly _header?: string | null })._header;
  if (typeof written === 'string') {
    const rows = written
      .split('\r\n')
      .slice(1)
      .filter((row) => row.includes(':'));
    return rows.map((row) => [row.slice(0, row.indexOf(':')), row.slice(row.indexOf(':') + 1).trim()]);
  }
  return Object.entries(request.getHeaders()).map(([name, value]) => [name, String(value)]);
};

/** Taps node:http and node:https on the client's side, and what is built on them. */
export const tapHttpClient = (reporter: Reporter): void => {
  const watched = new WeakMap<ClientRequest, Watched>();
  const proto = ClientRequest.prototype as unknown as Record<'write' | 'end' | 'flushHeaders' | 'emit', Method>;
  const addRequest = (Agent.prototype as unknown as { addRequest: Method }).addRequest;
  (Agent.prototype as unknown as { addRequest: unknown }).addRequest = function (
    this: Agent,
    request: ClientRequest,
    options: unknown,
    ...rest: unknown[]
  ) {
    const port = Number((options as { readonly port?: unknown } | null)?.port);
    if (Number.isInteger(port) && port > 0) ports.set(request, port);
    return Reflect.apply(addRequest as never, this, [request, options, ...rest]);
  };

  const begin = (request: ClientRequest): Watched | null => {
    const known = watched.get(request);
    if (known !== undefined) return known;
    if (request.method === 'CONNECT') return null;
    const seen = {
      method: request.method,
      url: urlOf(request),
      headers: headersOf(request),
      local: null,
      remote: null,
    };
    const call = reporter.call({ side: 'client', ...seen });
    const begun = { call, ended: false, answered: false, error: null };
    watched.set(request, begun);
    return begun;
  };
  const before = (name: keyof typeof proto, tell: (request: ClientRequest, args: unknown[]) => void): void => {
    const original = proto[name];
    proto[name] = function (this: ClientRequest, ...args) {
      reporter.attempt('follow a request', () => tell(this, args));
      return Reflect.apply(original, this, args);
    };
  };
  before('flushHeaders', (request) => begin(request));
  before('write', (request, [chunk, encoding]) => {
    const begun = begin(request);
    if (begun !== null && !begun.ended) begun.call.requestChunk(bytesOf(chunk, encoding));
  });
  before('end', (request, [chunk, encoding]) => {
    const begun = begin(request);
    if (begun === null || begun.ended) return;
    begun.ended = true;
    begun.call.requestChunk(bytesOf(chunk, encoding));
    begun.call.requestEnd();
  });
  before('emit', (request, [event, value]) => {
    if (event === 'socket') return onSocket(begin(request), value as Socket);
    const begun = watched.get(request);
    if (begun === undefined) return;
    const { call } = begun;
    if (event === 'error') begun.error = value;
    if (event === 'response') {
      begun.answered = true;
      onResponse(call, value as IncomingMessage, reporter);
    }
    const isOver = event === 'close' ? !begun.answered : event === 'error' && isLost(request);
    if (isOver) call.end(begun.error === null ? 'aborted' : endingOfCall(begun.error), faultOf(begun.error));
  });
};

/** An error need not be the end of a request: one that is written to behind its end is answered all the same. */
const isLost = ({ destroyed, socket }: ClientRequest): boolean =>
  destroyed || (socket as Socket | null)?.destroyed === true || (socket as Socket | null)?.errored != null;

/** The request is sent on the socket after this event. */
const onSocket = (begun: Watched | null, socket: Socket): void => {
  if (begun === null) return;
  const tell = (): void => begun.call.socket(seenOf(socket));
  if (!socket.connecting) tell();
  else socket.prependOnceListener('connect', tell);
};

const onResponse = (call: CallReporter, response: IncomingMessage, reporter: Reporter): void => {
  call.response(response.statusCode ?? 0, [...rawPairs(response.rawHeaders)]);
  watchIncoming(
    response,
    (work) => reporter.attempt('read a response', work),
    (bytes) => call.chunk(bytes),
    () => call.end('complete'),
  );
  response.once('close', () => {
    const { complete, errored } = response;
    if (complete) call.end('complete');
    else if (errored) call.end(endingOfCall(errored), faultOf(errored));
    else call.end('aborted');
  });
};
