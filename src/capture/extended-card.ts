import { encodeUtf8 } from '../base/utf8.ts';
import { parseWire } from '../base/wire-json.ts';
import type { CaptureContext } from './context.ts';
import { recordCard } from './record-card.ts';
import type { Fields, Observer } from './session.ts';

/** A2A 1.0 and 0.3 names of the call that returns an authenticated extended card. */
const METHODS = new Set(['GetExtendedAgentCard', 'agent/getAuthenticatedExtendedCard']);
const PATH = /\/(?:extendedAgentCard|v1\/card)(?:[?#]|$)/;

type Exchange = Pick<Fields<'exchanges'>, 'binding' | 'method' | 'url' | 'status' | 'rpc_method' | 'endpoint_id'> & {
  readonly text: string;
};

const cardText = ({ binding, text }: Exchange): string | null => {
  const root = parseWire(text);
  if (root?.kind !== 'object') return null;
  if (binding !== 'JSONRPC') return text;
  const result = root.members.find(({ name }) => name === 'result')?.value;
  return result?.kind === 'object' ? text.slice(result.start, result.end) : null;
};

/** Records the extended card of a response as a candidate card, if that is what the exchange asked for. */
export const recordExtendedCard = (context: CaptureContext, observer: Observer, exchange: Exchange): void => {
  const asked =
    exchange.binding === 'JSONRPC'
      ? METHODS.has(exchange.rpc_method ?? '')
      : exchange.method === 'GET' && PATH.test(exchange.url);
  if (!asked || exchange.status === null || exchange.status >= 300) return;
  const card = cardText(exchange);
  if (card === null) return;
  const { url, status, endpoint_id } = exchange;
  recordCard(context, 'candidate_cards', observer, encodeUtf8(card), { url, status, extended: true, endpoint_id });
};
