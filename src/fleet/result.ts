import * as z from 'zod';
import { REPORT_FAMILIES } from '../base/reasons/entry.ts';
import { REASONS, type Reason } from '../base/reasons.ts';
import { STAGES, VERDICTS } from '../verify/outcome.ts';
import { FLEET_REASONS, type FleetReason } from './reasons.ts';
import { LISTED, RESULT_FORMAT } from './result-format.ts';

export type AnyReason = Reason | FleetReason;
const Code = z.enum(Object.keys({ ...REASONS, ...FLEET_REASONS }) as [AnyReason, ...AnyReason[]]);
const Digest = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .nullable();
const Count = z.int().min(0);

/** One line of the results of `forensictrace verify-all` (`schemas/result.schema.json`). */
export const Result = z.strictObject({
  format: z.literal(RESULT_FORMAT),
  verifier: z.string().describe('version of this program'),
  key: Digest.describe(
    'of the digests of bundle, receipt, profile, trust store and documents of PCM and the version: what the result follows from; null: it is not kept for another run',
  ),
  bundle: z.string().nullable().describe('file as it was named; null: there is none'),
  receipt: z.string().nullable().describe('file as it was named; null: there is none'),
  profile: z.string().nullable().describe('file as it was named; null: none was'),
  bundle_sha256: Digest.describe('of the file as received; null: not read'),
  receipt_sha256: Digest.describe('of the file as received; null: not read'),
  profile_sha256: Digest.describe('of the file as received; null: not read'),
  trust_sha256: Digest.describe('of the trust store as received; null: not used'),
  verdict: z.enum(VERDICTS),
  exit_code: z.int().min(0).max(5),
  refused_at: z.enum(STAGES).nullable().describe('the stage that refused; null: none did, or none was reached'),
  signature_accepted: z.boolean().describe('false: incident, signer, key and time are claims of the receipt'),
  incident_id: z.string().nullable(),
  signer_id: z.string().nullable(),
  key_id: z.string().nullable(),
  issued_at: z.string().nullable().describe("the signer's claim"),
  receipt_profile_id: z.string().nullable(),
  records: Count.nullable().describe('null: integrity was not reached or refused'),
  edges: Count.nullable(),
  reasons: z.array(Code).describe('every code of the report, sorted, each once: findings and observations too'),
  detail: z.string().nullable().describe('the first refusal in words'),
  findings: z
    .array(
      z.strictObject({ reason: Code, family: z.enum(REPORT_FAMILIES).nullable(), type: z.string(), id: z.string() }),
    )
    .max(LISTED)
    .describe('the affected record of each finding'),
  findings_total: Count,
  agents: z.array(z.string()).max(LISTED).describe('agents in the records of an intact bundle, sorted'),
  agents_total: Count,
});
export type Result = Readonly<z.infer<typeof Result>>;
