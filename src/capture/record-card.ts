import { makeBody } from '../evidence/body.ts';
import type { CardCollection } from '../evidence/collections.ts';
import { cardFields } from '../evidence/wire/card.ts';
import type { CaptureContext } from './context.ts';
import type { Fields, Observer } from './session.ts';

type Origin = Pick<Fields<'candidate_cards'>, 'url' | 'status' | 'extended' | 'endpoint_id'>;
export const NOT_FETCHED: Origin = { url: null, status: null, extended: false, endpoint_id: null };

/**
 * Records an Agent Card in a role list; takes its bytes, already redacted. Returns its id, or null when it could not be
 * written. The same bytes have the same id in every list; seen again in the same way, they are not recorded again.
 */
export const recordCard = (
  context: CaptureContext,
  role: CardCollection,
  observer: Observer,
  bytes: Uint8Array,
  origin: Origin,
): string | null => {
  const { session, cards } = context;
  const raw = makeBody(bytes, context.bodyLimit, context.crypto);
  const card = { ...origin, raw, ...cardFields(raw) };
  const known = cards.find(role, card);
  if (known?.inRole) return known.id;
  const slot = session.attempt('place a card', () => session.reserve(role));
  if (slot === null) return null;
  const id = session.write({ ...slot, id: known?.id ?? slot.id }, observer, card);
  if (id !== null) cards.add(id, role, card);
  return id;
};

/** Records that a card which is in evidence was selected. */
export const selectCard = (
  context: CaptureContext,
  card_id: string,
  observer: Observer = 'sdk-client',
): string | null => {
  const card = context.cards.card(card_id);
  if (card === undefined) return null;
  if (context.cards.isIn('selected_cards', card_id)) return card_id;
  const slot = context.session.reserve('selected_cards');
  const id = context.session.write({ ...slot, id: card_id }, observer, card);
  if (id !== null) context.cards.add(id, 'selected_cards', card);
  return id;
};
