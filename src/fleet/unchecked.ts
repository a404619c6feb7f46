import { neutraliseJson } from '../base/terminal.ts';
import { VERSION } from '../base/version.ts';
import { exitCodeOf } from '../report/exit-code.ts';
import type { Pair } from './pair.ts';
import type { FleetReason } from './reasons.ts';
import type { Result } from './result.ts';
import { RESULT_FORMAT } from './result-format.ts';

const MAX_DETAIL = 1000;
/** A detail as far as a line has room for it. */
export const shortened = (text: string): string => (text.length > MAX_DETAIL ? `${text.slice(0, MAX_DETAIL)}…` : text);

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
