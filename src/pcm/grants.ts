import * as z from 'zod';
import type { Crypto } from '../base/crypto.ts';
import { type Caveat, caveatOf, implies, passes } from './caveats.ts';
import type { Envelope } from './envelope.ts';
import { type Finding, finding } from './finding.ts';
import { jcs, jcsHash } from './jcs.ts';
import { PCM_LIMITS } from './limits.ts';
import type { PcmReason } from './reasons.ts';
import type { PcmSchema } from './schema.ts';
import { AnyValue, HASH, misshapen, Name, Signature, Time } from './shapes.ts';
import { signatureFault } from './signature.ts';
import type { PcmObject, PcmValue } from './value.ts';
import type { VerifierKey } from './vkey.ts';

const Person = z.strictObject({
  kind: z.literal('person'),
  id: Name,
  run: Name,
  tenant: Name,
  approval_id: Name,
  person: Name,
});
const Agent = z.strictObject({ kind: z.literal('agent'), id: Name, run: Name, tenant: Name });

/** A grant (docs/PCM.md section 7). Members it does not list refuse it. */
export const Grant = z.strictObject({
  pcm_grant: z.literal(0),
  ts: Time,
  issuer: z.discriminatedUnion('kind', [Person, Agent]),
  subject: Name,
  intent: z.string(),
  caveats: z.array(z.strictObject({ field: z.string(), op: z.string(), value: AnyValue })).max(PCM_LIMITS.caveats),
  expires_at: Time,
  delegable: z.boolean(),
  parent: z.string().regex(HASH).nullable(),
  sig: Signature,
});
export type Grant = Readonly<z.infer<typeof Grant>>;
export type RootIssuer = Readonly<z.infer<typeof Person>>;

export type GrantChain = {
  readonly result: 'ok' | 'none' | 'failed';
  readonly steps: number;
  /** Who issued the root grant, when it is well formed and a person did: reported, never judged. */
  readonly root: RootIssuer | null;
  readonly findings: readonly Finding[];
};

/** What a chain is judged for. */
export type GrantContext = {
  readonly message: Envelope;
  readonly schema: PcmSchema | null;
  /** The key that signed the message. */
  readonly key: VerifierKey;
  readonly crypto: Crypto;
};

type Fault = readonly [PcmReason, string];
type Link = { readonly grant: Grant; readonly caveats: readonly Caveat[] };

const signingFaults = (grant: Grant, { message, key, crypto }: GrantContext): readonly Fault[] => {
  if (grant.sig.key !== message.sig.key)
    return [['PCM_GRANT_SIGNATURE', 'another key than that of the message signs it']];
  const fault = signatureFault(grant as unknown as PcmObject, grant.sig.sig, 'grant', key, crypto);
  return fault === null ? [] : [['PCM_GRANT_SIGNATURE', fault.detail]];
};

/** What each grant must be by itself. */
const ownFaults = (grant: Grant, context: GrantContext): readonly Fault[] => {
  const { message } = context;
  const faults: Fault[] = [...signingFaults(grant, context)];
  if (grant.intent !== message.intent.type) faults.push(['PCM_GRANT_INTENT', 'it is for another intent']);
  if (grant.issuer.tenant !== message.from.tenant)
    faults.push(['PCM_GRANT_TENANT', `it was issued in the tenant ${grant.issuer.tenant}`]);
  if (message.ts >= grant.expires_at) faults.push(['PCM_GRANT_EXPIRED', `it expired at ${grant.expires_at}`]);
  return faults;
};

const rootFaults = (grant: Grant): readonly Fault[] => {
  const faults: Fault[] = [];
  if (grant.issuer.kind !== 'person') faults.push(['PCM_GRANT_ROOT', 'no person issued the root']);
  if (grant.parent !== null) faults.push(['PCM_GRANT_ROOT', 'the root names a parent']);
  if (grant.issuer.id === grant.subject) faults.push(['PCM_GRANT_ROOT', 'the root is issued to its own issuer']);
  return faults;
};

const linkFaults = (grant: Grant, parent: Grant, crypto: Crypto): readonly Fault[] => {
  const faults: Fault[] = [];
  if (grant.parent !== jcsHash(parent as unknown as PcmValue, crypto))
    faults.push(['PCM_GRANT_LINK', 'its parent is not the grant before it']);
  if (!parent.delegable) faults.push(['PCM_GRANT_LINK', 'the grant before it cannot be passed on']);
  if (grant.issuer.kind !== 'agent' || grant.issuer.id !== parent.subject)
    faults.push(['PCM_GRANT_LINK', `${grant.issuer.id} issues it, and the grant before it is ${parent.subject}'s`]);
  if (grant.expires_at > parent.expires_at)
    faults.push(['PCM_GRANT_WIDER', `it outlives the grant before it, which ends at ${parent.expires_at}`]);
  return faults;
};

const caveatFaults = (
  { caveats }: Link,
  parent: Link | undefined,
  { message, schema }: GrantContext,
): readonly Fault[] => {
  const widened = (parent?.caveats ?? []).filter((wanted) => !caveats.some((caveat) => implies(caveat, wanted)));
  const broken = caveats.filter((caveat) => !passes(caveat, message.intent.args, schema!));
  return [
    ...widened.map(({ text }): Fault => ['PCM_GRANT_WIDER', `${text}: dropped or widened`]),
    ...broken.map(({ field, text }): Fault => {
      const value = Object.hasOwn(message.intent.args, field) ? jcs(message.intent.args[field]!) : '(absent)';
      return ['PCM_GRANT_ARGS', `${field} ${value} breaks ${text}`];
    }),
  ];
};

const linkOf = (grant: Grant, schema: PcmSchema | null): Link | Fault => {
  if (schema === null) return ['PCM_GRANT_CAVEAT', 'its caveats cannot be read without the schema'];
  const caveats = grant.caveats.map((caveat) => caveatOf(caveat, schema));
  const fault = caveats.find((caveat) => typeof caveat === 'string');
  return fault === undefined ? { grant, caveats: caveats as Caveat[] } : ['PCM_GRANT_CAVEAT', fault];
};

const isLink = (link: Link | Fault): link is Link => 'grant' in link;

/** Every fault of every grant, once all are well formed. */
const chainFaults = (grants: readonly Grant[], context: GrantContext): readonly (readonly Fault[])[] => {
  const links = grants.map((grant) => linkOf(grant, context.schema));
  return grants.map((grant, i) => {
    const [link, before] = [links[i]!, links[i - 1]];
    return [
      ...ownFaults(grant, context),
      ...(i === 0 ? rootFaults(grant) : linkFaults(grant, grants[i - 1]!, context.crypto)),
      ...(isLink(link)
        ? caveatFaults(link, before !== undefined && isLink(before) ? before : undefined, context)
        : [link]),
      ...(i === grants.length - 1 && grant.subject !== context.message.from.agent
        ? ([['PCM_GRANT_SUBJECT', `the last grant is for ${grant.subject}, not for the sender`]] as const)
        : []),
    ];
  });
};

const told = (faults: readonly Fault[], i: number): readonly Finding[] =>
  faults.map(([reason, detail]) => finding(reason, `/grants/${i}`, `grant ${i}: ${detail}`));

/** Takes a message that its key signed, and the schema of its intent; returns the chain of its grants as judged, root first (docs/PCM.md section 7). */
export const judgeGrants = (context: GrantContext): GrantChain => {
  const values = context.message.grants ?? [];
  const failed = (findings: readonly Finding[], root: RootIssuer | null = null): GrantChain => ({
    result: 'failed',
    steps: values.length,
    root,
    findings,
  });
  if (values.length === 0) {
    return context.schema?.grant === true
      ? failed([finding('PCM_GRANT_MISSING', '/grants', 'the schema requires a grant, and the message has none')])
      : { result: 'none', steps: 0, root: null, findings: [] };
  }
  if (values.length > PCM_LIMITS.grants)
    return failed([finding('PCM_GRANT_TOO_MANY', '/grants', `more than ${PCM_LIMITS.grants} grants`)]);
  const faults = values.map((value, i) => misshapen(Grant, value, 'PCM_GRANT_SHAPE', `/grants/${i}`));
  const shapeless = faults.flatMap((fault, i) =>
    fault === null ? [] : [{ ...fault, detail: `grant ${i}: ${fault.detail}` }],
  );
  const first = values[0] as unknown as Grant;
  const root = faults[0] === null && first.issuer.kind === 'person' ? first.issuer : null;
  if (shapeless.length > 0) return failed(shapeless, root);
  const findings = chainFaults(values as unknown as Grant[], context).flatMap(told);
  return findings.length > 0 ? failed(findings, root) : { result: 'ok', steps: values.length, root, findings };
};
