import type { EdgePayload, RecordOf, Records } from '../evidence/bundle.ts';
import type { CardCollection } from '../evidence/collections.ts';
import { type Likeness, likenessBp, likenessOf } from '../evidence/similarity.ts';

const likeness = (card: RecordOf<CardCollection>): Likeness =>
  likenessOf({ name: card.name, provider: card.provider_organization, skillIds: card.skill_ids ?? [] });

/**
 * Returns the metadata of a discovery edge to a card of one role: its similarity to the closest trusted card, in
 * basis points (ties to the smallest card_id); `{}` when the bundle holds no trusted card.
 */
export const similarityOf = (
  records: Records,
  role: CardCollection,
): ((id: string | null) => EdgePayload['metadata']) => {
  const cards = new Map(records[role].map((card) => [card.card_id, card]));
  const trusted = records.trusted_cards.map((card) => ({ id: card.card_id, likeness: likeness(card) }));
  const measured = new Map<string, EdgePayload['metadata']>();
  const measure = (card: RecordOf<CardCollection>): EdgePayload['metadata'] => {
    const own = likeness(card);
    let closest: { bp: number; id: string } | undefined;
    for (const reference of trusted) {
      const bp = likenessBp(own, reference.likeness);
      if (closest === undefined || bp > closest.bp || (bp === closest.bp && reference.id < closest.id)) {
        closest = { bp, id: reference.id };
      }
    }
    return closest === undefined ? {} : { closest_trusted_card_id: closest.id, similarity_bp: closest.bp };
  };
  return (id) => {
    const card = id === null ? undefined : cards.get(id);
    if (card === undefined) return {};
    const known = measured.get(card.card_id) ?? measure(card);
    measured.set(card.card_id, known);
    return known;
  };
};
