import type { CardCollection } from '../evidence/collections.ts';
import type { Fields } from './session.ts';

type Card = Fields<'candidate_cards'>;
type Endpoint = { readonly endpoint_id: string; readonly agent: string | null };

const origin = ({ url, status, endpoint_id }: Card): string => JSON.stringify([url, status, endpoint_id]);

/** The cards and endpoints of a capture: which card object of the SDK came from which bytes. */
export class CardBook {
  readonly #idOf = new WeakMap<object, string>();
  readonly #roles: Record<CardCollection, Map<string, Card>> = {
    candidate_cards: new Map(),
    trusted_cards: new Map(),
    selected_cards: new Map(),
  };
  /** By SHA-256 of the card: the ids under which its bytes are known. */
  readonly #byDigest = new Map<string, string[]>();
  readonly #endpoints = new Map<string, Endpoint>();
  readonly #endpointOfUrl = new Map<string, Endpoint>();

  add(card_id: string, role: CardCollection, card: Card): void {
    this.#roles[role].set(card_id, card);
    const ids = this.#byDigest.get(card.raw.sha256) ?? [];
    if (!ids.includes(card_id)) this.#byDigest.set(card.raw.sha256, [...ids, card_id]);
  }

  /** The id under which a card is known: recorded in this role from the same place, or in other roles only. */
  find(role: CardCollection, card: Card): { readonly id: string; readonly inRole: boolean } | undefined {
    const ids = this.#byDigest.get(card.raw.sha256) ?? [];
    const isSame = (known: Card | undefined): boolean => known !== undefined && origin(known) === origin(card);
    const same = ids.find((id) => isSame(this.#roles[role].get(id)));
    if (same !== undefined) return { id: same, inRole: true };
    const other = ids.find((id) => !this.isIn(role, id));
    return other === undefined ? undefined : { id: other, inRole: false };
  }

  /** The card as it was fetched, where it was, else as the profile pins it. */
  card(card_id: string): Card | undefined {
    return this.#roles.candidate_cards.get(card_id) ?? this.#roles.trusted_cards.get(card_id);
  }

  isIn(role: CardCollection, card_id: string): boolean {
    return this.#roles[role].has(card_id);
  }

  /** Says that an object of the program stands for that card. */
  is(card: object, card_id: string): void {
    this.#idOf.set(card, card_id);
  }

  idOf(card: object): string | undefined {
    return this.#idOf.get(card);
  }

  endpoint(key: string): Endpoint | undefined {
    return this.#endpoints.get(key);
  }

  addEndpoint(key: string, url: string, endpoint: Endpoint): void {
    this.#endpoints.set(key, endpoint);
    this.#endpointOfUrl.set(url, endpoint);
  }

  /** The endpoint whose interface URL a request URL is, or lies below at a `/` (HTTP+JSON appends a path). */
  endpointOf(url: string): Endpoint | undefined {
    const path = url.split(/[?#]/, 1)[0]!;
    let best: string | undefined;
    for (const candidate of this.#endpointOfUrl.keys()) {
      const base = candidate.replace(/\/$/, '');
      if (path !== base && !path.startsWith(`${base}/`)) continue;
      if (best === undefined || candidate.length > best.length) best = candidate;
    }
    return best === undefined ? undefined : this.#endpointOfUrl.get(best);
  }
}
