import { type Constraint, keeps } from './consent.ts';
import { hashOf } from './jcs.ts';
import { headerOf, isSignedJws, type Jws, type Members, payloadOf } from './jws.ts';
import { keyNamed } from './keys.ts';
import type { Context, Model } from './receiver.ts';
import { secondsOf } from './sent.ts';
import {
  bindingOf,
  CARD,
  FINAL,
  ISSUER,
  type Layers,
  OPEN,
  type Presented,
  presentLayers,
} from './verifiable-intent.ts';

/** Section 4.7 rule 4 and section 5.7 rule 6 recommend it. */
const SKEW_S = 300;

type Given = NonNullable<Presented>;
const every =
  (holds: (layers: Layers, presented: Given, context: Context) => boolean) =>
  (presented: Presented, context: Context) =>
    presented === null || presented.chains.every((layers) => holds(layers, presented, context));
const everyL3 = (holds: (l3: Jws, l2: Jws, context: Context) => boolean) =>
  every(({ l2, l3 }, _, context) => l3 === null || holds(l3, l2, context));

const mandateOf = (layer: Jws): Members => payloadOf(layer).mandate as Members;
const isSignedByNamed = (layer: Jws, cnf: unknown): boolean => {
  const key = keyNamed((cnf as Members | undefined)?.kid);
  return key !== null && isSignedJws(layer, key);
};
const isCurrent = (layer: Jws, { now }: Context): boolean => {
  const { iat, exp } = payloadOf(layer) as { readonly iat: number; readonly exp: number };
  return secondsOf(now) <= exp + SKEW_S && iat <= secondsOf(now) + SKEW_S;
};

/** Whether a final mandate under the same layer 2 came before: networks take one per mandate, however long ago. */
const isSpent = (layers: Layers, context: Context): boolean =>
  context.earlier
    .flatMap(({ bytes }) => presentLayers(bytes, context)?.chains ?? [])
    .some(({ l2 }) => bindingOf(l2) === bindingOf(layers.l2));

/**
 * Mastercard Verifiable Intent 0.1-draft. Present: an issuer certifies the key of each person's device (L1). A root grant is an L2 of that key in
 * autonomous mode (constraints: its caveats; cnf: the key of its subject), under which the sending agent signs an L3 for the request; an approval
 * by a person is an L2 in immediate mode over the approved tool and args, which are shown if the message opens them. What no person agreed to, the
 * sender can sign with its own key alone. Checkout and payment mandates are one here, signatures are Ed25519 where the draft has ES256 (section
 * 12), and disclosures stand in the payload. Delegation from agent to agent has no layer (section 5.1), so the last agent is not the one of L2's
 * cnf.
 *
 * Checks: readable, present (13.4), L1 signature, expiry and vct (3.5 rules 3 to 5), L2 signature, binding, typ, time (4.7 rules 1 to 4), cnf (4.7
 * rules 5 and 6), vct (10), L3 key and signature (5.7 rules 1 and 2), typ (rule 3), binding (rule 4), cnf (rule 5), time (rule 6; one hour at most,
 * 5.3), audience (5.3), constraints (rule 7), once (rule 8), disclosed and request (6.2, 13.4 rules 9 and 10).
 */
export const verifiableIntent: Model<Presented> = {
  name: 'Verifiable Intent',
  source: 'Verifiable Intent 0.1-draft, Credential Format',
  present: presentLayers,
  rules: [
    {
      id: 'vi-readable',
      section: 'RFC 8259',
      text: 'The message can be read.',
      holds: (presented) => presented !== null,
    },
    {
      id: 'vi-present',
      section: 'VI 13.4',
      text: 'A request that needs authority comes with a chain.',
      holds: (presented) => presented === null || !presented.isNeeded || presented.chains.length > 0,
    },
    {
      id: 'vi-l1-signature',
      section: 'VI 3.5 rule 3',
      text: 'A known issuer signed L1.',
      holds: every(({ l1 }) => isSignedJws(l1, ISSUER)),
    },
    {
      id: 'vi-l1-expiry',
      section: 'VI 3.5 rule 4',
      text: 'L1 has not expired.',
      holds: every(({ l1 }, _, context) => isCurrent(l1, context)),
    },
    {
      id: 'vi-l1-vct',
      section: 'VI 3.5 rule 5',
      text: 'L1 has the type of a credential.',
      holds: every(({ l1 }) => payloadOf(l1).vct === CARD),
    },
    {
      id: 'vi-l2-signature',
      section: 'VI 4.7 rule 1',
      text: 'The key that L1 certifies signed L2.',
      holds: every(({ l1, l2 }) => isSignedByNamed(l2, payloadOf(l1).cnf)),
    },
    {
      id: 'vi-l2-binding',
      section: 'VI 4.7 rule 2',
      text: 'L2 is bound to that L1.',
      holds: every(({ l1, l2 }) => payloadOf(l2).sd_hash === bindingOf(l1)),
    },
    {
      id: 'vi-l2-typ',
      section: 'VI 4.7 rule 3',
      text: 'L2 has the typ of its mode.',
      holds: every(({ l2, l3 }) => headerOf(l2).typ === (l3 === null ? 'kb-sd-jwt' : 'kb-sd-jwt+kb')),
    },
    {
      id: 'vi-l2-time',
      section: 'VI 4.7 rule 4',
      text: 'L2 is current.',
      holds: every(({ l2 }, _, context) => isCurrent(l2, context)),
    },
    {
      id: 'vi-l2-cnf',
      section: 'VI 4.7 rules 5 and 6',
      text: 'L2 names the key of an agent in autonomous mode, and none in immediate mode.',
      holds: every(({ l2, l3 }) => (mandateOf(l2).cnf === undefined) === (l3 === null)),
    },
    {
      id: 'vi-vct',
      section: 'VI 10',
      text: 'Each mandate is of a type that is registered.',
      holds: every(
        ({ l2, l3 }) =>
          mandateOf(l2).vct === (l3 === null ? FINAL : OPEN) && (l3 === null || mandateOf(l3).vct === FINAL),
      ),
    },
    {
      id: 'vi-l3-signature',
      section: 'VI 5.7 rules 1 and 2',
      text: 'The key that L2 names signed L3.',
      holds: everyL3((l3, l2) => isSignedByNamed(l3, mandateOf(l2).cnf)),
    },
    {
      id: 'vi-l3-typ',
      section: 'VI 5.7 rule 3',
      text: 'L3 is terminal by its typ.',
      holds: everyL3((l3) => headerOf(l3).typ === 'kb-sd-jwt'),
    },
    {
      id: 'vi-l3-binding',
      section: 'VI 5.7 rule 4',
      text: 'L3 is bound to that L2.',
      holds: everyL3((l3, l2) => payloadOf(l3).sd_hash === bindingOf(l2)),
    },
    {
      id: 'vi-l3-cnf',
      section: 'VI 5.7 rule 5',
      text: 'L3 names no further key.',
      holds: everyL3((l3) => payloadOf(l3).cnf === undefined),
    },
    {
      id: 'vi-l3-time',
      section: 'VI 5.3 and 5.7 rule 6',
      text: 'L3 is current, and of an hour at most.',
      holds: everyL3((l3, _, context) => {
        const { iat, exp } = payloadOf(l3) as { readonly iat: number; readonly exp: number };
        return isCurrent(l3, context) && exp - iat <= 3600;
      }),
    },
    {
      id: 'vi-l3-audience',
      section: 'VI 5.3',
      text: 'L3 is for this receiver.',
      holds: everyL3((l3, _, { me }) => payloadOf(l3).aud === me),
    },
    {
      id: 'vi-l3-constraints',
      section: 'VI 5.7 rule 7',
      text: 'The final values keep every constraint of L2, for the same intent.',
      holds: everyL3((l3, l2) => {
        const [{ intent, args }, open] = [mandateOf(l3), mandateOf(l2)];
        return (
          intent === open.intent &&
          (open.constraints as readonly Constraint[]).every((one) => keeps(args as Members, one))
        );
      }),
    },
    {
      id: 'vi-once',
      section: 'VI 5.7 rule 8',
      text: 'This is the first use of that L2.',
      holds: every((layers, _, context) => !isSpent(layers, context)),
    },
    {
      id: 'vi-disclosed',
      section: 'VI 13.4 rule 11',
      text: 'What was approved is shown.',
      holds: every(({ l2, l3 }) => l3 !== null || mandateOf(l2).args !== undefined),
    },
    {
      id: 'vi-request',
      section: 'VI 6.2; 13.4 rules 9 and 10',
      text: 'The final values are those of this request.',
      holds: every(({ l2, l3 }, { request, tool }) => {
        if (l3 !== null) return mandateOf(l3).checkout_hash === hashOf(request.intent);
        const { tool: approved, args } = mandateOf(l2);
        return approved === tool && (args === undefined || hashOf(args) === hashOf(request.intent.args));
      }),
    },
  ],
};
