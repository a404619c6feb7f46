import type { ClaimResult, ClaimType } from '../claim-types.ts';
import type { Claim } from '../envelope.ts';
import { openEvidence, type Proven } from '../evidence.ts';
import { extend } from '../extensions/extend.ts';
import type { Extended } from '../extensions/options.ts';
import { ageInSeconds } from '../time.ts';
import { approvedBy } from './approved-by.ts';
import { fileWritten } from './file-written.ts';
import { type Approved, type ClaimContext, type ClaimRule, failed, type Judgement, unproven } from './judgement.ts';
import { reachedHost } from './reached-host.ts';
import { testsPassed } from './tests-passed.ts';

/** The closed vocabulary: a new type needs a rule and vectors for each result. */
const CLAIM_RULES: Readonly<Record<ClaimType, ClaimRule>> = {
  tests_passed: testsPassed,
  approved_by: approvedBy,
  reached_host: reachedHost,
  file_written: fileWritten,
};

/** How deep a verifier looks: level 1 reads no evidence, and so proves nothing. */
export type Level = 1 | 2;

export type JudgedClaim = Judgement & {
  readonly type: string;
  readonly result: ClaimResult;
  /** Of a proven claim: seconds from the oldest record of its evidence to the message. A claim says what happened, not that it still holds. */
  readonly evidence_age_s?: number;
  readonly approved?: Approved;
  /** What the extensions that the receiver asked for say; absent when it asked for none. */
  readonly extensions?: readonly Extended[];
};

const timesOf = (records: readonly Proven[]): readonly string[] => records.map(({ event }) => event.ts);

/** Takes a claim, its place and what it is judged against; returns its result, by the common order of docs/PCM.md section 8. */
export const judgeClaim = (claim: Claim, at: string, level: Level, context: ClaimContext): JudgedClaim => {
  const { type, args, evidence } = claim;
  if (!Object.hasOwn(CLAIM_RULES, type))
    return { type, ...failed('PCM_CLAIM_UNKNOWN_TYPE', 'PCM 0.1 has no such claim type') };
  const rule = CLAIM_RULES[type as ClaimType];
  const malformed = rule.malformed(args);
  if (malformed !== null) return { type, ...failed('PCM_CLAIM_MALFORMED', `malformed: ${malformed}`) };
  if (evidence === undefined || evidence === null) return { type, ...unproven('PCM_CLAIM_NO_EVIDENCE', 'no evidence') };
  if (level === 1) return { type, ...unproven('PCM_CLAIM_LEVEL_1', 'its evidence was not read (level 1)') };
  const opened = openEvidence(evidence, `${at}/evidence`, context);
  if (!opened.ok) {
    const [{ reason, detail }] = opened.findings;
    return { type, ...failed(reason, detail) };
  }
  const records = opened.value;
  const judged = rule.judge(args, records, context);
  const { extensions } = context;
  const judgement = extensions === null ? judged : extend(judged, { claim, records, context }, extensions);
  return judgement.result === 'proven'
    ? { type, ...judgement, evidence_age_s: ageInSeconds(timesOf(records), context.message.ts) }
    : { type, ...judgement };
};
