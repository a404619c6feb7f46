import { askedOf, type Consent, consentsOf } from './consent.ts';
import { hashOf, sha256 } from './jcs.ts';
import { compact, type Jws, type Members, signJws } from './jws.ts';
import { type Key, keyOf } from './keys.ts';
import type { Context } from './receiver.ts';
import { readSent, type Sent, secondsOf } from './sent.ts';

/**
 * The layers for one authority: who the person is, what the person signed, and what the agent signed under it (none when the person saw the final
 * values).
 */
export type Layers = { readonly l1: Jws; readonly l2: Jws; readonly l3: Jws | null };
export type Presented = {
  readonly isNeeded: boolean;
  readonly tool: unknown;
  readonly request: Sent;
  readonly chains: readonly Layers[];
} | null;

export const CARD = 'https://credentials.example/person';
export const OPEN = 'mandate.checkout.open';
export const FINAL = 'mandate.checkout';
export const ISSUER = keyOf('issuer', 'bank.example');
const YEAR_S = 365 * 24 * 3600;
/** Section 7: fifteen minutes when the person is present, five for what the agent signs. */
const IMMEDIATE_S = 900;
const L3_S = 300;

export const bindingOf = (layer: Jws): string => sha256(compact(layer)).toString('base64url');
const sign = (payload: Members, typ: string, key: Key): Jws => signJws(JSON.stringify(payload), { typ }, key);

const layersOf = ({ isGiven, person, at, terms }: Consent, sent: Sent, { sender }: Context): Layers => {
  const [user, agent] = [keyOf('person', person), keyOf('agent', sender)];
  const iat = secondsOf(at);
  const [yearStart] = at.split('-');
  const start = secondsOf(`${yearStart}-01-01T00:00:00.000000Z`);
  const l1 = sign(
    { iss: ISSUER.id, sub: person, iat: start, exp: start + 2 * YEAR_S, vct: CARD, cnf: { kid: user.id } },
    'sd+jwt',
    ISSUER,
  );
  const signer = isGiven ? user : agent;
  const bound = { iss: user.id, iat, sd_hash: bindingOf(l1) };
  if (terms.kind === 'final') {
    const { tool, args, isDisclosed } = terms;
    const mandate = { vct: FINAL, tool, ...(isDisclosed ? { args } : {}) };
    return { l1, l2: sign({ ...bound, exp: iat + IMMEDIATE_S, mandate }, 'kb-sd-jwt', signer), l3: null };
  }
  const { intent, constraints, holder, expires } = terms;
  const mandate = { vct: OPEN, cnf: { kid: keyOf('agent', holder).id }, intent, constraints };
  const l2 = sign({ ...bound, exp: secondsOf(expires), mandate }, 'kb-sd-jwt+kb', signer);
  const made = secondsOf(sent.ts);
  const final = { vct: FINAL, intent: sent.intent.type, args: sent.intent.args, checkout_hash: hashOf(sent.intent) };
  const l3 = sign(
    { iat: made, exp: made + L3_S, aud: sent.to.agent, nonce: sent.nonce, sd_hash: bindingOf(l2), mandate: final },
    'kb-sd-jwt',
    agent,
  );
  return { l1, l2, l3 };
};

/** What the sender of a message is able to present (verifiable-intent-rules.ts says what each part stands for). */
export const presentLayers = (message: Uint8Array, context: Context): Presented => {
  const sent = readSent(message);
  if (sent === null) return null;
  const asked = askedOf(sent, context);
  const chains = consentsOf(sent, asked, context.world).map((consent) => layersOf(consent, sent, context));
  return { isNeeded: asked?.isAuthorityNeeded === true || chains.length > 0, tool: asked?.tool, request: sent, chains };
};
