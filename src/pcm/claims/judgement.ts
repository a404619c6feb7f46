import type { JsonValue } from '../../base/json-value.ts';
import type { ClaimResult } from '../claim-types.ts';
import type { EvidenceContext, Proven } from '../evidence.ts';
import type { Extensions } from '../extensions/options.ts';
import type { RootIssuer } from '../grants.ts';
import type { PcmReason } from '../reasons.ts';
import type { PcmSchema } from '../schema.ts';
import type { PcmObject } from '../value.ts';

/** What a person approved: every verifier must return it alike. */
export type Approved = { readonly tool: string; readonly args: JsonValue };

/** What the evidence says of a claim: the level, the reason as a code, and the detail for people. */
export type Judgement = {
  readonly result: ClaimResult;
  readonly reason: PcmReason;
  readonly detail: string;
  readonly approved?: Approved;
};

export const proven = (detail: string): Judgement => ({ result: 'proven', reason: 'PCM_CLAIM_PROVEN', detail });
export const unproven = (reason: PcmReason, detail: string): Judgement => ({ result: 'unproven', reason, detail });
export const failed = (reason: PcmReason, detail: string): Judgement => ({ result: 'failed', reason, detail });

/** What a claim is judged against besides its records. */
export type ClaimContext = EvidenceContext & {
  readonly schema: PcmSchema | null;
  /** The issuer of the message's root grant, if a person issued one. */
  readonly root: RootIssuer | null;
  /** What the receiver asks beyond PCM 0.1; null: nothing. */
  readonly extensions: Extensions | null;
};

/** One claim type: which args are well formed, whether records are needed at all, and what they say. */
export type ClaimRule = {
  /** Takes the args; returns in words why they are malformed, or null. A malformed claim fails with or without evidence. */
  readonly malformed: (args: PcmObject) => string | null;
  readonly judge: (args: PcmObject, records: readonly Proven[], context: ClaimContext) => Judgement;
};

/** True when an object has these members, each a string, and no other. */
export const isOfStrings = (args: PcmObject, ...names: readonly string[]): boolean =>
  Object.keys(args).length === names.length && names.every((name) => typeof args[name] === 'string');

/** The best that any record says: one proof proves, doubt is no proof, and records that say nothing fail the claim. */
export const best = (said: readonly Judgement[], nothing: string): Judgement =>
  said.find(({ result }) => result === 'proven') ??
  said.find(({ result }) => result === 'unproven') ??
  failed('PCM_CLAIM_NOT_SAID', nothing);
