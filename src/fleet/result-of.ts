import { VERSION } from '../base/version.ts';
import { reportOf } from '../report/report.ts';
import { nativeCrypto } from '../store/native-crypto.ts';
import type { Outcome } from '../verify/outcome.ts';
import type { Pair } from './pair.ts';
import type { Result } from './result.ts';
import { LISTED, RESULT_FORMAT } from './result-format.ts';
import { shortened } from './unchecked.ts';

export type Digests = {
  readonly bundle: string;
  readonly receipt: string;
  readonly profile: string;
  readonly trust: string;
  /** Of the documents of proof-carrying messages, the keys' first; absent: none were given. */
  readonly pcm?: readonly string[];
};

/** What a result follows from, as one digest: the same key, the same result. */
export const keyOf = ({ bundle, receipt, profile, trust, pcm = [] }: Digests): string =>
  nativeCrypto.sha256Hex([RESULT_FORMAT, VERSION, bundle, receipt, profile, trust, ...pcm].join('\n'));

/** The result of a verification. */
export const resultOf = (pair: Pair, digests: Digests, outcome: Outcome, agents: readonly string[]): Result => {
  const report = reportOf(outcome);
  const [refusal] = [...report.refusals, ...report.verdict_reasons];
  return {
    format: RESULT_FORMAT,
    verifier: VERSION,
    key: keyOf(digests),
    bundle: pair.bundle,
    receipt: pair.receipt,
    profile: pair.profile,
    bundle_sha256: digests.bundle,
    receipt_sha256: digests.receipt,
    profile_sha256: digests.profile,
    trust_sha256: digests.trust,
    verdict: report.verdict,
    exit_code: report.exit_code,
    refused_at: outcome.refusedAt,
    signature_accepted: report.signature_accepted,
    incident_id: report.incident_id,
    signer_id: report.signer_id,
    key_id: report.key_id,
    issued_at: report.issued_at,
    receipt_profile_id: report.receipt_profile_id,
    records: report.records,
    edges: report.edges,
    reasons: Object.keys(report.reasons).sort() as Result['reasons'],
    detail: refusal === undefined ? null : shortened(refusal.detail),
    findings: report.findings
      .slice(0, LISTED)
      .map(({ reason, family, affected: { type, id } }) => ({ reason, family, type, id })),
    findings_total: report.findings.length,
    agents: agents.slice(0, LISTED),
    agents_total: agents.length,
  };
};
