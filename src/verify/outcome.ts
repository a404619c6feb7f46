import type { Refusal } from '../base/result.ts';
import type { ReceiptBody } from '../seal/receipt.ts';
import type { Judgement } from './judge.ts';
import type { PcmParts } from './pcm-sightings.ts';

export const MODES = ['full', 'root-only', 'records-only'] as const;
export type Mode = (typeof MODES)[number];

/** The steps of FORMAT.md section 8, in order; the first that refuses decides. */
export const STAGES = [
  'read',
  'signature',
  'commitments',
  'identifiers',
  'edges',
  'profile',
  'admissibility',
  'rules',
] as const;
export type Stage = (typeof STAGES)[number];

export const VERDICTS = [
  'COULD_NOT_CHECK',
  'INTEGRITY_REFUSED',
  'NOT_PROFILE_ADMISSIBLE',
  'FORENSICALLY_INDICATED',
  'INCONCLUSIVE',
  'FORENSICALLY_CONSISTENT',
  'INTEGRITY_VERIFIED',
] as const;
export type Verdict = (typeof VERDICTS)[number];

/** An input file as the verifier received it. */
export type InputDigest = { readonly input: string; readonly sha256: string; readonly size: number };

/** All that a verification found; the report is a projection of it. */
export type Outcome = {
  readonly verdict: Verdict;
  readonly mode: Mode;
  readonly otherProfile: boolean;
  readonly inputs: readonly InputDigest[];
  /** The stage that refused; null when none did. */
  readonly refusedAt: Stage | null;
  readonly refusals: readonly Refusal[];
  /** What the receipt says of itself: a claim until the signature stage has passed. */
  readonly receipt: ReceiptBody | null;
  readonly signatureAccepted: boolean;
  readonly profileId: string | null;
  readonly counts: { readonly records: number; readonly edges: number } | null;
  readonly familiesChecked: boolean;
  readonly settingsChecked: boolean;
  readonly expectedIncidentChecked: boolean;
  readonly pcmChecked: boolean;
  /** Parts that say they carry a proof-carrying message; null where the rules were not reached. */
  readonly pcmParts: PcmParts | null;
  readonly judgement: Judgement | null;
};
