import { createHmac } from 'node:crypto';
import { hashOf } from './jcs.ts';
import type { Context, World } from './receiver.ts';
import type { Sent, SentClaim, SentRecord } from './sent.ts';

export type Constraint = { readonly field: string; readonly op: string; readonly value: unknown };

/** What a person agreed to: bounds within which an agent may ask (a root grant), or one call with its args (an approval). */
export type Terms =
  | {
      readonly kind: 'open';
      readonly intent: unknown;
      readonly constraints: readonly Constraint[];
      readonly holder: string;
      readonly expires: string;
    }
  | { readonly kind: 'final'; readonly tool: unknown; readonly args: unknown; readonly isDisclosed: boolean };

/** An authority that a message rests on. `isGiven` when a person gave it: else nobody but the sender would sign that it was. */
export type Consent = {
  readonly isGiven: boolean;
  readonly person: string;
  readonly at: string;
  readonly terms: Terms;
};

/** What a receiver asks of a request, by the schema document that it has; null without one. */
export type Asked = { readonly tool: unknown; readonly isAuthorityNeeded: boolean };

export const askedOf = (sent: Sent, { schemas }: Context): Asked | null => {
  for (const bytes of schemas) {
    const document = JSON.parse(Buffer.from(bytes).toString()) as Readonly<Record<string, unknown>>;
    if (`${document.name as string}@${hashOf(document)}` !== sent.intent.type) continue;
    const listed = Array.isArray(document.claims) && document.claims.includes('approved_by');
    return { tool: document.tool, isAuthorityNeeded: document.grant === true || listed };
  }
  return null;
};

const grantConsent = (root: Readonly<Record<string, unknown>>, world: World): Consent => {
  const { person } = (root.issuer ?? {}) as Readonly<Record<string, unknown>>;
  const [at, expires, holder] = [root.ts, root.expires_at, root.subject].map((text) => `${text as string}`);
  const constraints = (Array.isArray(root.caveats) ? root.caveats : []).map((one) => ({
    ...one,
  })) as readonly Constraint[];
  return {
    isGiven: world.grants.has(hashOf(root)),
    person: `${person as string}`,
    at: at!,
    terms: { kind: 'open', intent: root.intent, constraints, holder: holder!, expires: expires! },
  };
};

/** A person's own answer that a pinned log holds, with the decision it answers. */
const answerOf = ({ args, records }: SentClaim, world: World) => {
  const held = records.filter(({ event }) => world.records.has(hashOf(event)));
  const approval = held.find(
    ({ event: { type, data } }) =>
      type === 'approval' &&
      data.tool_use_id === args.call &&
      data.decision === 'approve' &&
      data.person === args.person &&
      data.self_approved === false &&
      data.approver_kind !== 'agent',
  );
  const dataOf = (type: string, name: string, value: unknown): SentRecord | undefined =>
    held.find(({ event }) => event.type === type && event.data[name] === value);
  const request = approval && dataOf('approval.request', 'approval_id', approval.event.data.approval_id);
  const decision = request && dataOf('policy.decision', 'decision_id', request.event.data.decision_id);
  return approval && decision ? { approval, decision } : null;
};

/** The args of a call can be shown only if they are those of the commitment. */
const isOpened = ({ event: { data }, args, salt }: SentRecord): boolean => {
  if (args === undefined || !/^[0-9a-f]{64}$/.test(salt)) return false;
  const opened = createHmac('sha256', Buffer.from(salt, 'hex')).update(hashOf({ args, tool: data.tool }));
  return data.args_commitment === `hmac-sha256:${opened.digest('hex')}`;
};

const approvalConsent = (claim: SentClaim, sent: Sent, asked: Asked | null, world: World): Consent => {
  const answer = answerOf(claim, world);
  const person = `${claim.args.person as string}`;
  if (answer === null) {
    const terms = { kind: 'final', tool: asked?.tool, args: sent.intent.args, isDisclosed: true } as const;
    return { isGiven: false, person, at: sent.ts, terms };
  }
  const { approval, decision } = answer;
  const isDisclosed = isOpened(decision);
  const args = isDisclosed ? decision.args : null;
  const terms = { kind: 'final', tool: decision.event.data.tool, args, isDisclosed } as const;
  return { isGiven: true, person, at: approval.event.ts, terms };
};

/** Takes a message; returns each authority that it rests on: its root grant, and every approval but that of the grant itself, which is the grant. */
export const consentsOf = (sent: Sent, asked: Asked | null, world: World): readonly Consent[] => {
  const [root] = sent.grants;
  const approvals = sent.claims
    .filter(({ type }) => type === 'approved_by')
    .map((claim) => approvalConsent(claim, sent, asked, world))
    .filter(
      ({ isGiven, terms }) => root === undefined || !isGiven || terms.kind !== 'final' || terms.tool !== 'pcm.grant',
    );
  return root === undefined ? approvals : [grantConsent(root, world), ...approvals];
};

/** Whether args keep a constraint; one that is not known, or whose field is absent, is not kept (AP2, Verification and Processing Rules 3). */
export const keeps = (args: Readonly<Record<string, unknown>>, { field, op, value }: Constraint): boolean => {
  const arg = args[field];
  if (op === 'in') return Array.isArray(value) && value.includes(arg);
  if (op === '==') return arg !== undefined && arg === value;
  if (typeof arg !== typeof value || (typeof arg !== 'number' && typeof arg !== 'string')) return false;
  const bound = value as typeof arg;
  if (op === '<=') return arg <= bound;
  if (op === '>=') return arg >= bound;
  return op === '<' ? arg < bound : op === '>' && arg > bound;
};
