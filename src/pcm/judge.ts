import type { Crypto } from '../base/crypto.ts';
import type { ClaimType } from './claim-types.ts';
import { type JudgedClaim, judgeClaim } from './claims/claims.ts';
import type { Envelope } from './envelope.ts';
import { unclaimed } from './extensions/extend.ts';
import { namesOf } from './extensions/options.ts';
import { type Finding, finding } from './finding.ts';
import { judgeGrants } from './grants.ts';
import type { Signed } from './open.ts';
import { isAddressed, type Receiver, schemaOf, skippedOf } from './receiver.ts';
import type { ReplayAnswer } from './replay.ts';
import type { PcmJudged } from './result.ts';
import { argsFaults, type PcmSchema } from './schema.ts';

const told = (subject: string, { detail }: Finding): string => `${subject}: ${detail}`;

const judgeReplay = ({ message }: Signed, receiver: Receiver, answer: ReplayAnswer | null): readonly Finding[] => {
  if (!isAddressed(message, receiver))
    return [finding('PCM_REPLAY_RECIPIENT', '/to/agent', `addressed to ${message.to.agent}, not ${receiver.me}`)];
  return answer === null || answer.ok ? [] : [finding(answer.reason, '/nonce', answer.detail)];
};

/** Takes a message and the schema of its intent; returns what is wrong with its args. */
export const judgeSchema = ({ intent }: Envelope, schema: PcmSchema | null): readonly Finding[] =>
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

/** Takes a message whose signature has verified, and what replay says of it; returns the result, every check made (docs/PCM.md section 13). */
export const judgeSigned = (
  signed: Signed,
  receiver: Receiver,
  answer: ReplayAnswer | null,
  crypto: Crypto,
): PcmJudged => {
  const { message, key } = signed;
  const { trust, strict = false, level = 2, extensions } = receiver;
  const schema = schemaOf(message, receiver);
  const replay = judgeReplay(signed, receiver, answer);
  const broken = judgeSchema(message, schema);
  const grants = judgeGrants({ message, schema, key, crypto });
  const context = { message, schema, key, trust, crypto, root: grants.root, extensions: extensions ?? null };
  const claims = (message.claims ?? []).map((claim, i) => judgeClaim(claim, `/claims/${i}`, level, context));
  const short = claims.flatMap(({ type, result, reason, detail }, i) =>
    result === 'proven' ? [] : [{ result, found: finding(reason, `/claims/${i}`, `${type}: ${result} (${detail})`) }],
  );
  const unmet = judgeListed(message, schema, claims);
  const bare = extensions === undefined ? [] : unclaimed(message, extensions);
  const findings = [...replay, ...broken, ...grants.findings, ...short.map(({ found }) => found), ...unmet, ...bare];
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
      ...[...short.map(({ found }) => found), ...unmet, ...bare].map(({ detail }) => detail),
    ],
    skipped: skippedOf(receiver, answer !== null),
    ...(extensions === undefined ? {} : { extensions: namesOf(extensions) }),
    findings,
  };
};
