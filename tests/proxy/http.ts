import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';

export const JSON_HEADERS = { 'content-type': 'application/json' };
export const post = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', headers: { ...JSON_HEADERS, ...headers }, body: JSON.stringify(body) });
export const bodyOf = async (stream: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const pieces: Uint8Array[] = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces);
};
/** Sends by node:http, which shows what fetch hides. */
export const send = async (url: string, options: object, body?: (outgoing: ReturnType<typeof request>) => void) => {
  const outgoing = request(url, options);
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
  if (body === undefined) outgoing.end();
  else body(outgoing);
  const [response] = await answered;
  return response;
};
