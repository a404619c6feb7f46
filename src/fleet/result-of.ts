import { neutraliseJson } from '../base/terminal.ts';
import { VERSION } from '../base/version.ts';
import { exitCodeOf } from '../report/exit-code.ts';
import { reportOf } from '../report/report.ts';
import { nativeCrypto } from '../store/native-crypto.ts';
import type { Outcome } from '../verify/outcome.ts';
import type { Pair } from './pair.ts';
import type { FleetReason } from './reasons.ts';
import { LISTED, RESULT_FORMAT, type Result } from './result.ts';

export type Digests = {
  readonly bundle: string;
  readonly receipt: string;
  readonly profile: string;
  readonly trust: string;
};

const MAX_DETAIL = 1000;
const shortened = (text: string): string => (text.length > MAX_DETAIL ? `${text.slice(0, MAX_DETAIL)}…` : text);

/** What a result follows from, as one digest: the same key, the same result. */
export const keyOf = ({ bundle, receipt, profile, trust }: Digests): string =>
  nativeCrypto.sha256Hex([RESULT_FORMAT, VERSION, bundle, receipt, profile, trust].join('\n'));

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

/** The result of a pair that no verifier judged: it could not be checked. */
export const uncheckedResult = (pair: Pair, reason: FleetReason, detail: string): Result => ({
  format: RESULT_FORMAT,
  verifier: VERSION,
  key: null,
  bundle: pair.bundle,
  receipt: pair.receipt,
  profile: pair.profile,
  bundle_sha256: null,
  receipt_sha256: null,
  profile_sha256: null,
  trust_sha256: null,
  verdict: 'COULD_NOT_CHECK',
  exit_code: exitCodeOf('COULD_NOT_CHECK'),
  refused_at: null,
  signature_accepted: false,
  incident_id: null,
  signer_id: null,
  key_id: null,
  issued_at: null,
  receipt_profile_id: null,
  records: null,
  edges: null,
  reasons: [reason],
  detail: shortened(detail),
  findings: [],
  findings_total: 0,
  agents: [],
  agents_total: 0,
});

/** A result as a line of NDJSON that a terminal can show: names of strangers are escaped, and nothing but its end is a line break. */
export const lineOf = (result: Result): string => `${neutraliseJson(JSON.stringify(result))}\n`;
