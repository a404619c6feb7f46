import type { EdgePayload, RecordOf, Records } from '../evidence/bundle.ts';
import type { CardCollection } from '../evidence/collections.ts';
import { similarityBp } from '../evidence/similarity.ts';

const identity = (card: RecordOf<CardCollection>) => ({
  name: card.name,
  provider: card.provider_organization,
  skillIds: card.skill_ids ?? [],
});

/**
 * Returns the metadata of a discovery edge to a card of one role: its similarity to the closest trusted card, in
 * basis points (ties to the smallest card_id); `{}` when the bundle holds no trusted card.
 */
export const similarityOf = (
  records: Records,
  role: CardCollection,
): ((id: string | null) => EdgePayload['metadata']) => {
  const cards = new Map(records[role].map((card) => [card.card_id, card]));
  const trusted = records.trusted_cards.map((card) => ({ id: card.card_id, identity: identity(card) }));
  return (id) => {
    const card = id === null ? undefined : cards.get(id);
    if (card === undefined) return {};
    let closest: { bp: number; id: string } | undefined;
    for (const reference of trusted) {
      const bp = similarityBp(identity(card), reference.identity);
      if (closest === undefined || bp > closest.bp || (bp === closest.bp && reference.id < closest.id)) {
        closest = { bp, id: reference.id };
      }
    }
    return closest === undefined ? {} : { closest_trusted_card_id: closest.id, similarity_bp: closest.bp };
  };
};
