import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';

/** Fields of one connection and not of the message (RFC 9110 section 7.6.1); how a body is framed is left to what forwards it. */
const OF_CONNECTION = ['connection', 'keep-alive', 'proxy-connection', 'te', 'upgrade', 'http2-settings'];
/** Digests of a body that is no longer the same (RFC 9530, RFC 3230, RFC 1864). */
const DIGESTS = ['content-digest', 'repr-digest', 'digest', 'content-md5'];

const drop = (headers: IncomingHttpHeaders, names: readonly string[]): void => {
  for (const name of names) delete headers[name];
};

const dropOfConnection = (headers: IncomingHttpHeaders): void => {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  drop(headers, [...named.filter((name) => name !== 'transfer-encoding'), ...OF_CONNECTION]);
};

/** Makes the headers of a request fit for the next connection. `Expect` was answered by the server that took the request. */
export const cleanRequest = ({ headers }: IncomingMessage): void => {
  dropOfConnection(headers);
  delete headers.expect;
};

/** The same of a response; whether its client's connection stays is not for the target to say. */
export const cleanResponse = ({ headers }: IncomingMessage, response: ServerResponse): void => {
  dropOfConnection(headers);
  headers.connection = response.shouldKeepAlive ? 'keep-alive' : 'close';
};

/** Writes the head of a response as it came. */
export const copyHead = (upstream: IncomingMessage, response: ServerResponse): void => {
  response.statusCode = upstream.statusCode ?? 502;
  response.statusMessage = upstream.statusMessage ?? '';
  for (const [name, value] of Object.entries(upstream.headers))
    if (value !== undefined) response.setHeader(name, value);
};

/** The same for a body of another content, which is not encoded. */
export const copyHeadFor = (upstream: IncomingMessage, response: ServerResponse, body: Uint8Array): void => {
  drop(upstream.headers, ['transfer-encoding', 'content-encoding', ...DIGESTS]);
  upstream.headers['content-length'] = String(body.length);
  copyHead(upstream, response);
};
