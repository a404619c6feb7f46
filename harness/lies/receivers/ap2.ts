import { pinnedLogs } from './checkpoint.ts';
import { askedOf, type Consent, type Constraint, consentsOf, keeps } from './consent.ts';
import { hashOf, sha256 } from './jcs.ts';
import { compact, isSignedJws, type Jws, type Members, payloadOf, signJws } from './jws.ts';
import { type Key, keyNamed, keyOf } from './keys.ts';
import type { Context, Model } from './receiver.ts';
import { readSent, type Sent, secondsOf } from './sent.ts';

/** A closed mandate, and the open one that it is under when no person was present. */
export type Mandate = { readonly open: Jws | null; readonly closed: Jws };
export type Ap2Presented = {
  readonly isNeeded: boolean;
  readonly tool: unknown;
  readonly request: Sent;
  readonly mandates: readonly Mandate[];
};

const OPEN = 'mandate.intent.open.1';
const CLOSED = 'mandate.intent.1';

const platformOf = ({ trust }: Context): Key => keyOf('platform', pinnedLogs(trust)[0]!.name);
const bindingOf = (open: Jws): string => sha256(compact(open)).toString('base64url');
const sign = (payload: Members, typ: string, key: Key): Jws => signJws(JSON.stringify(payload), { typ }, key);

const mandateOf = ({ isGiven, at, terms }: Consent, sent: Sent, context: Context): Mandate => {
  const agent = keyOf('agent', context.sender);
  const signer = isGiven ? platformOf(context) : agent;
  const iat = secondsOf(at);
  if (terms.kind === 'final') {
    const { tool, args, isDisclosed } = terms;
    return {
      open: null,
      closed: sign({ vct: CLOSED, iat, tool, ...(isDisclosed ? { args } : {}) }, 'dc+sd-jwt', signer),
    };
  }
  const { intent, constraints, holder, expires } = terms;
  const cnf = { kid: keyOf('agent', holder).id };
  const open = sign({ vct: OPEN, iat, exp: secondsOf(expires), cnf, intent, constraints }, 'dc+sd-jwt', signer);
  const { type, args } = sent.intent;
  const bound = { vct: CLOSED, iat: secondsOf(sent.ts), aud: sent.to.agent, sd_hash: bindingOf(open), intent: type };
  return { open, closed: sign({ ...bound, args, checkout_hash: hashOf(sent.intent) }, 'kb+sd-jwt', agent) };
};

type Presented = Ap2Presented | null;
const every =
  (holds: (one: Mandate, presented: Ap2Presented, context: Context) => boolean) =>
  (presented: Presented, context: Context) =>
    presented === null || presented.mandates.every((one) => holds(one, presented, context));
/** Of mandates under an open one; those that a person signed as they stand have nothing to check here. */
const everyOpen = (holds: (open: Members, closed: Members, presented: Ap2Presented, context: Context) => boolean) =>
  every(
    ({ open, closed }, presented, context) =>
      open === null || holds(payloadOf(open), payloadOf(closed), presented, context),
  );

/**
 * AP2 mandates, of the Trusted Agent Provider model: the receiver trusts the platform whose log it pins to sign a mandate only after a person
 * agreed. Present: a root grant is an open mandate of that platform (constraints: its caveats; cnf: the key of its subject; exp), under which the
 * sending agent signs a closed one for the request; an approval by a person is a closed mandate of the platform over the approved tool and args,
 * which are shown if the message opens them. What no person agreed to, the sender can sign with its own key alone. Checkout and payment mandates
 * are one here. A message whose schema asks for no authority, and which cites none, carries no mandate, so claims about tests, hosts and files are
 * not judged. There is no nonce: nothing challenged the sender.
 *
 * Checks: readable, present (Verification, Merchant), vct (Mandate Versioning), provider (Agent Authorization, Trusted Agent Provider; rule 1 of
 * the Verification and Processing Rules), holder and binding (the same rule; Delegate SD-JWT, RFC 7800), audience (RFC 9901 section 7.3), expiry
 * (Autonomous; SD-JWT VC exp), unchanged (rule 2), constraints (rule 3), disclosed (rule 3; Errors, unresolved_constraint), request (Verification,
 * Merchant: checkout_hash). Delegation from agent to agent is outside of 0.2: the last agent is not the holder.
 */
export const ap2: Model<Presented> = {
  name: 'AP2 mandates',
  source: 'AP2 0.2: specification, Agent Authorization, with RFC 9901 and RFC 7800',
  present: (message, context) => {
    const sent = readSent(message);
    if (sent === null) return null;
    const asked = askedOf(sent, context);
    const mandates = consentsOf(sent, asked, context.world).map((consent) => mandateOf(consent, sent, context));
    const isNeeded = asked?.isAuthorityNeeded === true || mandates.length > 0;
    return { isNeeded, tool: asked?.tool, request: sent, mandates };
  },
  rules: [
    {
      id: 'ap2-readable',
      section: 'RFC 8259',
      text: 'The message can be read.',
      holds: (presented) => presented !== null,
    },
    {
      id: 'ap2-present',
      section: 'AP2, Verification, Merchant',
      text: 'A request that needs authority comes with a mandate.',
      holds: (presented) => presented === null || !presented.isNeeded || presented.mandates.length > 0,
    },
    {
      id: 'ap2-vct',
      section: 'AP2, Mandate Versioning',
      text: 'Each mandate is of a type that is known.',
      holds: every(
        ({ open, closed }) => payloadOf(closed).vct === CLOSED && (open === null || payloadOf(open).vct === OPEN),
      ),
    },
    {
      id: 'ap2-provider',
      section: 'AP2, Trusted Agent Provider; Verification and Processing Rules 1',
      text: 'A platform that the receiver trusts signed what the person agreed to.',
      holds: every(({ open, closed }, _, context) => isSignedJws(open ?? closed, platformOf(context))),
    },
    {
      id: 'ap2-holder',
      section: 'AP2, Verification and Processing Rules 1; RFC 7800',
      text: 'The key that the open mandate names signed the closed one.',
      holds: every(({ open, closed }) => {
        const key = open === null ? null : keyNamed((payloadOf(open).cnf as Members).kid);
        return open === null || (key !== null && isSignedJws(closed, key));
      }),
    },
    {
      id: 'ap2-binding',
      section: 'AP2, Verification and Processing Rules 1; RFC 9901 4.3',
      text: 'The closed mandate is bound to that open one.',
      holds: every(({ open, closed }) => open === null || payloadOf(closed).sd_hash === bindingOf(open)),
    },
    {
      id: 'ap2-audience',
      section: 'RFC 9901 7.3',
      text: 'The closed mandate is for this receiver.',
      holds: everyOpen((_, { aud }, __, { me }) => aud === me),
    },
    {
      id: 'ap2-expiry',
      section: 'AP2, Autonomous; SD-JWT VC, exp',
      text: 'The open mandate has not expired.',
      holds: everyOpen(({ exp }, _, __, { now }) => secondsOf(now) < (exp as number)),
    },
    {
      id: 'ap2-unchanged',
      section: 'AP2, Verification and Processing Rules 2',
      text: 'What the open mandate says stands unchanged in the closed one.',
      holds: everyOpen(({ intent }, closed) => intent === closed.intent),
    },
    {
      id: 'ap2-constraints',
      section: 'AP2, Verification and Processing Rules 3',
      text: 'The closed mandate keeps every constraint.',
      holds: everyOpen(({ constraints }, { args }) =>
        (constraints as readonly Constraint[]).every((constraint) => keeps(args as Members, constraint)),
      ),
    },
    {
      id: 'ap2-disclosed',
      section: 'AP2, Verification and Processing Rules 3; Errors, unresolved_constraint',
      text: 'What was approved is shown.',
      holds: every(({ open, closed }) => open !== null || payloadOf(closed).args !== undefined),
    },
    {
      id: 'ap2-request',
      section: 'AP2, Verification, Merchant (checkout_hash)',
      text: 'The mandate is for this request.',
      holds: every(({ open, closed }, { request, tool }) => {
        const { checkout_hash, tool: approved, args } = payloadOf(closed);
        if (open !== null) return checkout_hash === hashOf(request.intent);
        return approved === tool && (args === undefined || hashOf(args) === hashOf(request.intent.args));
      }),
    },
  ],
};
