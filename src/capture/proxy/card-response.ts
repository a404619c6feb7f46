import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { decodeUtf8, encodeUtf8 } from '../../base/utf8.ts';
import { codingsOf, decodeContent } from '../wire/decode.ts';
import { type ForwardedCard, forwardedCard } from './card.ts';
import { copyHead, copyHeadFor } from './headers.ts';
import type { Head } from './origins.ts';
import type { ProxiedCall } from './proxied-call.ts';

/** A longer body is forwarded as it comes. */
const MAX_CARD = 16 * 1024 * 1024;
/** What is kept of a forwarded card; its digest is of the whole. */
const MAX_TOLD = 65_536;

export type CardOptions = {
  readonly forward: (url: string) => Head | null;
  readonly warn: (text: string) => void;
  /** Names the card in a warning. */
  readonly url: string;
};

const told = (text: string, body: Uint8Array) => ({
  forwarded_card: text.slice(0, MAX_TOLD).replace(/[\ud800-\udbff]$/, ''),
  forwarded_card_sha256: createHash('sha256').update(body).digest('hex'),
});

const readCard = (upstream: IncomingMessage, body: Uint8Array, { forward }: CardOptions): ForwardedCard | null => {
  const decoded = decodeContent(
    body,
    codingsOf(Object.entries(upstream.headers).map(([name, value]) => [name, String(value)])),
  );
  const text = decoded === null ? null : decodeUtf8(decoded);
  return text === null ? null : forwardedCard(text, forward);
};

/** Forwards the answer to a request for an Agent Card: a card whose interfaces lead to a target leads its client through the proxy instead. */
export const forwardCard = (
  upstream: IncomingMessage,
  response: ServerResponse,
  call: ProxiedCall,
  options: CardOptions,
): void => {
  if (upstream.statusCode !== 200) {
    copyHead(upstream, response);
    upstream.pipe(response);
    return;
  }
  let pieces: Buffer[] = [];
  let size = 0;
  const collect = (piece: Buffer): void => {
    pieces.push(piece);
    size += piece.length;
    if (size <= MAX_CARD) return;
    upstream.off('data', collect).off('end', forward);
    options.warn(`the card at ${options.url} is too long to be rewritten: it was forwarded as it is`);
    copyHead(upstream, response);
    for (const held of pieces) response.write(held);
    pieces = [];
    upstream.pipe(response);
  };
  const forward = (): void => {
    const body = Buffer.concat(pieces);
    const card = readCard(upstream, body, options);
    if (card?.isSigned) {
      options.warn(
        `the card at ${options.url} is signed, so its interface URLs were not rewritten: what is sent there passes no proxy`,
      );
    }
    const isRewritten = card !== null && card.rewritten > 0;
    const sent = isRewritten ? encodeUtf8(card.text) : body;
    if (isRewritten) {
      call.attempt('record a forwarded card', () => call.tell(told(card.text, sent)));
      copyHeadFor(upstream, response, sent);
    } else copyHead(upstream, response);
    call.attempt('record the end of a card', () => call.end('complete', null));
    response.end(sent);
  };
  upstream.on('data', collect).once('end', forward);
};
