import type { Crypto } from '../base/crypto.ts';
import { bytesToHex } from './bytes.ts';
import type { ClaimType } from './claim-types.ts';
import { type JudgedClaim, judgeClaim, type Level } from './claims/claims.ts';
import { type Envelope, envelopeOf } from './envelope.ts';
import { type Finding, finding } from './finding.ts';
import { judgeGrants } from './grants.ts';
import { PCM_LIMITS } from './limits.ts';
import type { Offer, Replay, ReplayAnswer, SharedReplay } from './replay.ts';
import type { PcmJudged, PcmOutcome, Skipped } from './result.ts';
import { argsFaults, type PcmSchema } from './schema.ts';
import { pinnedKey, signatureFault } from './signature.ts';
import { readStrict } from './strict-json.ts';
import { microsOf } from './time.ts';
import type { PcmTrust } from './trust.ts';
import type { PcmObject, PcmValue } from './value.ts';
import type { VerifierKey } from './vkey.ts';

/** What a receiver brings to a message. */
export type Receiver = {
  readonly trust: PcmTrust;
  readonly schemas: readonly PcmSchema[];
  /** The receiver's own identity; without it the recipient is not checked. */
  readonly me?: string;
  /** Reject when a claim type that the schema lists is not proven. */
  readonly strict?: boolean;
  /** 1 reads no evidence and so proves nothing; default 2. */
  readonly level?: Level;
};

/** A receiver's memory and its clock, which replay needs together. */
export type Freshness<R> = { readonly replay: R; readonly now: string };

type Signed = { readonly message: Envelope; readonly key: VerifierKey };

const skippedOf = (receiver: Receiver, hasReplay: boolean): readonly Skipped[] => [
  ...(hasReplay ? [] : (['replay'] as const)),
  ...(receiver.me === undefined ? (['recipient'] as const) : []),
];

const told = (subject: string, { detail }: Finding): string => `${subject}: ${detail}`;

/** A forged message stops at the signature: nothing else of it is looked at. */
const unsigned = (findings: readonly Finding[], skipped: readonly Skipped[]): PcmJudged => ({
  signature: { ok: false, key: null },
  replay: { ok: null, detail: 'not checked' },
  schema: { ok: null, ref: null, errors: [] },
  grants: { result: 'skipped', steps: 0, root: null, problems: [] },
  claims: [],
  verdict: 'reject',
  reasons: findings.map((found) => told('signature', found)),
  skipped,
  findings,
});

const openSigned = (value: PcmValue, trust: PcmTrust, crypto: Crypto): Signed | readonly Finding[] => {
  const envelope = envelopeOf(value);
  if (!envelope.ok) return envelope.findings;
  const message = envelope.value;
  const key = pinnedKey(message.sig.key, trust);
  if (key === null) return [finding('PCM_SIGNATURE_KEY', '/sig/key', 'the key that it names is not pinned')];
  const fault = signatureFault(value as PcmObject, message.sig.sig, 'message', key, crypto);
  return fault === null ? { message, key } : [fault];
};

const judgeReplay = ({ message }: Signed, { me }: Receiver, answer: ReplayAnswer | null): readonly Finding[] => {
  if (me !== undefined && message.to.agent !== me)
    return [finding('PCM_REPLAY_RECIPIENT', '/to/agent', `addressed to ${message.to.agent}, not ${me}`)];
  return answer === null || answer.ok ? [] : [finding(answer.reason, '/nonce', answer.detail)];
};

const judgeSchema = ({ intent }: Envelope, schema: PcmSchema | null): readonly Finding[] =>
  schema === null
    ? [finding('PCM_SCHEMA_UNKNOWN', '/intent/type', `this receiver has no schema ${intent.type}`)]
    : argsFaults(intent.args, schema);

/** A type that the schema lists is met by a proven claim; `approved_by` only by one that covers this request. */
const isMet = (type: ClaimType, message: Envelope, claims: readonly JudgedClaim[]): boolean =>
  claims.some(
    (claim, i) =>
      claim.type === type &&
      claim.result === 'proven' &&
      (type !== 'approved_by' || message.claims![i]!.args.covers === true),
  );

const judgeListed = (message: Envelope, schema: PcmSchema | null, claims: readonly JudgedClaim[]): readonly Finding[] =>
  (schema?.claims ?? [])
    .filter((type) => !isMet(type, message, claims))
    .map((type) =>
      finding(
        'PCM_CLAIM_REQUIRED',
        '/claims',
        `${type}: required, not proven${type === 'approved_by' ? ' to cover this request: claim it with covers true' : ''}`,
      ),
    );

const judgeSigned = (signed: Signed, receiver: Receiver, answer: ReplayAnswer | null, crypto: Crypto): PcmJudged => {
  const { message, key } = signed;
  const { trust, strict = false, level = 2 } = receiver;
  const schema = schemaOf(message, receiver);
  const replay = judgeReplay(signed, receiver, answer);
  const broken = judgeSchema(message, schema);
  const grants = judgeGrants({ message, schema, key, crypto });
  const context = { message, schema, key, trust, crypto, root: grants.root };
  const claims = (message.claims ?? []).map((claim, i) => judgeClaim(claim, `/claims/${i}`, level, context));
  const short = claims.flatMap(({ type, result, reason, detail }, i) =>
    result === 'proven' ? [] : [{ result, found: finding(reason, `/claims/${i}`, `${type}: ${result} (${detail})`) }],
  );
  const unmet = judgeListed(message, schema, claims);
  const findings = [...replay, ...broken, ...grants.findings, ...short.map(({ found }) => found), ...unmet];
  const rejected =
    replay.length + broken.length + grants.findings.length > 0 ||
    short.some(({ result }) => result === 'failed') ||
    (strict && unmet.length > 0);
  return {
    signature: { ok: true, key: message.sig.key },
    replay: {
      ok: replay.length > 0 ? false : answer === null ? null : true,
      detail: replay[0]?.detail ?? (answer === null ? 'not checked' : 'fresh'),
    },
    schema: { ok: broken.length === 0, ref: message.intent.type, errors: broken.map(({ detail }) => detail) },
    grants: {
      result: grants.result,
      steps: grants.steps,
      root: grants.root === null ? null : { kind: 'person', id: grants.root.id, person: grants.root.person },
      problems: grants.findings.map(({ detail }) => detail),
    },
    claims,
    verdict: rejected ? 'reject' : findings.length > 0 ? 'accept-unproven' : 'accept',
    reasons: [
      ...replay.map((found) => told('replay', found)),
      ...broken.map((found) => told('schema', found)),
      ...grants.findings.map((found) => told('grant', found)),
      ...[...short.map(({ found }) => found), ...unmet].map(({ detail }) => detail),
    ],
    skipped: skippedOf(receiver, answer !== null),
    findings,
  };
};

const schemaOf = ({ intent }: Envelope, { schemas }: Receiver): PcmSchema | null =>
  schemas.find(({ ref }) => ref === intent.type) ?? null;

/** A nonce is spent only once the signature, the recipient and the schema have passed: a message that was not for us may still come to us. */
const offerOf = ({ message, key }: Signed, receiver: Receiver, now: string): Offer => ({
  sender: `${bytesToHex(key.key)} ${message.from.agent}`,
  ts: message.ts,
  nonce: message.nonce,
  now,
  spend:
    (receiver.me === undefined || receiver.me === message.to.agent) &&
    judgeSchema(message, schemaOf(message, receiver)).length === 0,
});

const openMessage = (
  bytes: Uint8Array,
  receiver: Receiver,
  hasReplay: boolean,
  crypto: Crypto,
): Signed | PcmOutcome => {
  const read = readStrict(bytes, { what: 'message', maxBytes: PCM_LIMITS.messageBytes });
  if (!read.ok) {
    const { findings } = read;
    return {
      verdict: 'bad-input',
      reasons: findings.map(({ at, detail }) => `input${at === '' ? '' : ` at ${at}`}: ${detail}`),
      findings,
    };
  }
  const signed = openSigned(read.value, receiver.trust, crypto);
  return 'message' in signed ? signed : unsigned(signed, skippedOf(receiver, hasReplay));
};

const requireTime = (now: string): void => {
  if (microsOf(now) === null) throw new RangeError(`no time of PCM: ${now}`);
};

/**
 * Takes the bytes of a message, as received, and what the receiver brings; returns what PCM 0.1 says of it (docs/PCM.md section 13). Never throws on a
 * message. Without `freshness` the result is for audit: its `skipped` says so. Throws RangeError on a clock that is no time of PCM.
 */
export const verifyMessage = (
  bytes: Uint8Array,
  receiver: Receiver,
  freshness: Freshness<Replay> | null,
  crypto: Crypto,
): PcmOutcome => {
  if (freshness !== null) requireTime(freshness.now);
  const opened = openMessage(bytes, receiver, freshness !== null, crypto);
  if ('verdict' in opened) return opened;
  const answer = freshness === null ? null : freshness.replay.offer(offerOf(opened, receiver, freshness.now));
  return judgeSigned(opened, receiver, answer, crypto);
};

/** As verifyMessage, with a replay state that replicas share. Rejects with what the state throws: a message that cannot be checked is not accepted. */
export const verifyMessageShared = async (
  bytes: Uint8Array,
  receiver: Receiver,
  { replay, now }: Freshness<SharedReplay>,
  crypto: Crypto,
): Promise<PcmOutcome> => {
  requireTime(now);
  const opened = openMessage(bytes, receiver, true, crypto);
  if ('verdict' in opened) return opened;
  return judgeSigned(opened, receiver, await replay.offer(offerOf(opened, receiver, now)), crypto);
};
