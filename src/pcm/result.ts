import type { JudgedClaim } from './claims/claims.ts';
import type { ExtensionName } from './extensions/options.ts';
import type { Finding } from './finding.ts';

export const PCM_VERDICTS = ['accept', 'accept-unproven', 'reject', 'bad-input'] as const;
export type PcmVerdict = (typeof PCM_VERDICTS)[number];

/** A check that the caller did not ask for: a result with one is for audit, never to act on. */
export type Skipped = 'replay' | 'recipient';

export type RootPerson = { readonly kind: 'person'; readonly id: string; readonly person: string };

/**
 * What a verifier says of one message: the members of the sources, and of ours `findings`, a claim's `reason` and its `evidence_age_s`. `ok` is null
 * where a check was not made.
 */
export type PcmJudged = {
  readonly signature: { readonly ok: boolean; readonly key: string | null };
  readonly replay: { readonly ok: boolean | null; readonly detail: string };
  readonly schema: { readonly ok: boolean | null; readonly ref: string | null; readonly errors: readonly string[] };
  readonly grants: {
    readonly result: 'ok' | 'none' | 'failed' | 'skipped';
    readonly steps: number;
    readonly root: RootPerson | null;
    readonly problems: readonly string[];
  };
  readonly claims: readonly JudgedClaim[];
  readonly verdict: 'accept' | 'accept-unproven' | 'reject';
  /** Why the verdict is not accept, for people. */
  readonly reasons: readonly string[];
  readonly skipped: readonly Skipped[];
  /** The extensions beyond PCM 0.1 that the receiver asked for; absent without the option. */
  readonly extensions?: readonly ExtensionName[];
  /** The same with code and place. */
  readonly findings: readonly Finding[];
};

/** Text that does not parse strictly: refused before any check, so there is nothing else to tell. */
export type PcmBadInput = {
  readonly verdict: 'bad-input';
  readonly reasons: readonly string[];
  readonly findings: readonly Finding[];
};

export type PcmOutcome = PcmJudged | PcmBadInput;
