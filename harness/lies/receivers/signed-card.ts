import { jcs } from './jcs.ts';
import { headerOf, isSignedJws, type Jws, type Members, signJws } from './jws.ts';
import { keyNamed, keyOf } from './keys.ts';
import type { Model } from './receiver.ts';

type Card = Members & { readonly signatures?: readonly Omit<Jws, 'payload'>[] };

/** The JWS of a card: its payload is the canonical text of the card without `signatures`. */
const jwsOf = ({ signatures, ...card }: Card): Jws | null => {
  const [first] = signatures ?? [];
  return first === undefined ? null : { ...first, payload: Buffer.from(jcs(card)).toString('base64url') };
};
const headerOfCard = (card: Card): Members => {
  const jws = jwsOf(card);
  return jws === null ? {} : headerOf(jws);
};

/**
 * A2A with a signed Agent Card. Present: the card of the agent that sends, signed with its own key, which the receiver has in its key store; the
 * message is the text of a part, and nothing ties it to the card. So whoever lies has a good card.
 *
 * Checks: signature (8.4.3 step 1), header (8.4.2), key (8.4.3 step 2), verifies (8.4.3 steps 4 to 6; RFC 7515 section 5.2; RFC 8785). Not
 * modelled: removing members with default values (step 3: our card has none), expiry of keys (no key of the dataset expires), fetching `jku`.
 */
export const signedCard: Model<Card> = {
  name: 'A2A, signed Agent Card',
  source: 'A2A 1.0 section 8.4 with RFC 7515 and RFC 8785',
  present: (_, { sender }) => {
    const card = {
      name: sender,
      description: 'An agent',
      version: '1',
      skills: [{ id: 'messages', name: 'messages' }],
    };
    const { payload: _detached, ...signature } = signJws(jcs(card), { typ: 'JOSE' }, keyOf('agent', sender));
    return { ...card, signatures: [signature] };
  },
  rules: [
    {
      id: 'card-signature-present',
      section: 'A2A 8.4.3 step 1',
      text: 'The card has a signature.',
      holds: (card) => (card.signatures ?? []).length > 0,
    },
    {
      id: 'card-header',
      section: 'A2A 8.4.2',
      text: 'The protected header names an algorithm and a key.',
      holds: (card) => headerOfCard(card).alg === 'EdDSA' && typeof headerOfCard(card).kid === 'string',
    },
    {
      id: 'card-key',
      section: 'A2A 8.4.3 step 2',
      text: "The key is in the receiver's key store, as an agent's.",
      holds: (card) => keyNamed(headerOfCard(card).kid)?.id.startsWith('agent:') === true,
    },
    {
      id: 'card-verifies',
      section: 'A2A 8.4.3 steps 4 to 6; RFC 7515 5.2; RFC 8785',
      text: 'The signature is over the canonical text of the card without its signatures.',
      holds: (card) => {
        const [jws, key] = [jwsOf(card), keyNamed(headerOfCard(card).kid)];
        return jws !== null && key !== null && isSignedJws(jws, key);
      },
    },
  ],
};
