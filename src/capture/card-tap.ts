import type { CaptureContext } from './context.ts';
import { endingOf } from './ending.ts';
import { callOf, type Fetch } from './fetch-tap.ts';
import { recordCard } from './record-card.ts';
import { type BodyListener, tapResponse } from './response-tap.ts';

/** A longer body is read on by the client and is no card to the capture. */
const MAX_CARD = 64 * 1024 * 1024;
const MAX_NAMED = 1_024;

/**
 * Wraps a fetch for a card resolver of the SDK: each body that was read to its end is a candidate card. A fetch that brought
 * none, or had not ended when the capture did, is a gap: what an agent was answered there is not in evidence.
 */
export const tapCards = (fetchImpl: Fetch, context: CaptureContext): Fetch => {
  const { session, scope, redactor } = context;
  let fetches = 0;
  session.note('agent cards: the answer to a failed request is not recorded unless the client reads it');
  return async (input, init) => {
    const call = session.attempt('read a request', () => callOf(input, init));
    if (call !== null) session.attempt('read request headers', () => redactor.headers(call.headers));
    const name = `card fetch ${++fetches} of ${nameOf(context, call?.url ?? '')}`;
    session.opened(name, () => undefined);
    const asked = scope.getStore()?.fetched;
    let response: Response;
    try {
      response = await fetchImpl(input, init);
    } catch (error) {
      session.closed(name);
      session.gap(`${name} failed (${endingOf(error, call?.signal)}): no card was recorded`);
      throw error;
    }
    // Clients do not read why a card was denied to them.
    if (!response.ok) session.closed(name);
    let chunks: Uint8Array[] = [];
    let size = 0;
    const listener: BodyListener = {
      chunk: (bytes) =>
        void session.attempt('keep a card', () => {
          size += bytes.length;
          if (size > MAX_CARD) chunks = [];
          else chunks.push(Buffer.from(bytes));
        }),
      end: (ended) => {
        session.closed(name);
        if (ended !== 'complete') session.gap(`${name} ended ${ended}: no card was recorded`);
        else if (size > MAX_CARD) session.gap(`${name} brought more than ${MAX_CARD} bytes: no card was recorded`);
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
    const tapped = session.attempt('follow a card', () => tapResponse(response, listener, call?.signal));
    if (tapped === null) session.closed(name);
    return tapped ?? response;
  };
};

/** A gap is committed, so its words must be well-formed text without secrets, whatever the client was asked to fetch. */
const nameOf = ({ session, redactor }: CaptureContext, url: string): string =>
  session.attempt('name a card fetch', () => redactor.text(new URL(url).href.slice(0, MAX_NAMED))) ?? 'no URL';
