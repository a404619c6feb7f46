import type { IncomingMessage, OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { Ending } from './ending.ts';

type Pairs = Iterable<readonly [string, string]>;

/** Told of a call as a server handles it, each step before it goes on. Whatever it throws goes to `attempt`. */
export type ServerCallListener = {
  /** Runs what is told; nothing may reach the program. */
  attempt(what: string, work: () => void): unknown;
  requestChunk(bytes: Uint8Array): void;
  requestEnd(): void;
  response(status: number, headers: Pairs): void;
  chunk(bytes: Uint8Array): void;
  /** `undelivered`: its last byte was handed over and did not arrive. */
  end(ended: Ending, undelivered?: 'undelivered'): void;
};

export const serverUrlOf = (request: IncomingMessage): string => {
  const { url, originalUrl, headers, socket } = request as IncomingMessage & { readonly originalUrl?: string };
  return `${(socket as TLSSocket).encrypted ? 'https' : 'http'}://${headers.host ?? 'unknown'}${originalUrl ?? url ?? '/'}`;
};

export function* rawPairs(raw: readonly string[]): Generator<[string, string]> {
  for (let at = 0; at + 1 < raw.length; at += 2) yield [raw[at]!, raw[at + 1]!];
}

const asText = (value: OutgoingHttpHeader): string => (Array.isArray(value) ? value.join(', ') : String(value));

function* headersOf(headers: OutgoingHttpHeaders | readonly OutgoingHttpHeader[]): Generator<[string, string]> {
  if (Array.isArray(headers)) yield* rawPairs(headers.flat().map(asText));
  else {
    for (const [name, value] of Object.entries(headers as OutgoingHttpHeaders)) {
      if (value !== undefined) yield [name, asText(value)];
    }
  }
}

export const bytesOf = (chunk: unknown, encoding: unknown): Uint8Array => {
  if (typeof chunk === 'string')
    return Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8');
  return chunk instanceof Uint8Array ? chunk : new Uint8Array();
};

/** Follows a message as its parser pushes the bytes, before anybody reads them: listening for `data` would start the flow. */
export const watchIncoming = (
  message: IncomingMessage,
  attempt: (work: () => void) => void,
  onChunk: (bytes: Uint8Array) => void,
  onEnd: () => void,
): void => {
  const push = message.push.bind(message);
  message.push = (chunk: unknown, encoding?: BufferEncoding) => {
    attempt(() => (chunk === null ? onEnd() : onChunk(bytesOf(chunk, encoding))));
    return push(chunk, encoding);
  };
};

export const watchRequest = (request: IncomingMessage, listener: ServerCallListener): void =>
  watchIncoming(
    request,
    (work) => listener.attempt('read a request', work),
    (bytes) => listener.requestChunk(bytes),
    () => listener.requestEnd(),
  );

type Call = (...args: unknown[]) => unknown;

export const watchResponse = (response: ServerResponse, listener: ServerCallListener): void => {
  const write = response.write.bind(response) as Call;
  const end = response.end.bind(response) as Call;
  const writeHead = response.writeHead.bind(response) as Call;
  let stated: readonly (readonly [string, string])[] = [];
  let hasHead = false;
  let hasEnded = false;
  const head = (): void => {
    if (hasHead) return;
    hasHead = true;
    // Node keeps what writeHead was given apart when no header was set before.
    const headers = [...headersOf(response.getHeaders()), ...stated.filter(([name]) => !response.hasHeader(name))];
    listener.response(response.statusCode, headers);
  };
  const patched = {
    writeHead: (...args: unknown[]): unknown => {
      listener.attempt('read response headers', () => {
        const given = args.at(-1);
        if (typeof given === 'object' && given !== null) stated = [...headersOf(given as OutgoingHttpHeaders)];
      });
      return writeHead(...args);
    },
    write: (...args: unknown[]): unknown => {
      listener.attempt('read a response', () => {
        head();
        listener.chunk(bytesOf(args[0], args[1]));
      });
      return write(...args);
    },
    end: (...args: unknown[]): unknown => {
      listener.attempt('read a response', () => {
        head();
        listener.chunk(bytesOf(args[0], args[1]));
        hasEnded = true;
        listener.end('complete');
      });
      return end(...args);
    },
  };
  Object.assign(response, patched);
  response.once('close', () => {
    if (response.writableFinished) return;
    listener.attempt('end a response', () => listener.end('aborted', hasEnded ? 'undelivered' : undefined));
  });
};
