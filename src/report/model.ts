import * as z from 'zod';
import { REPORT_FAMILIES } from '../base/reasons/entry.ts';
import { REASONS, type Reason } from '../base/reasons.ts';
import { MODES, STAGES, VERDICTS } from '../verify/outcome.ts';
import { REPORT_FORMAT } from './report.ts';

const Code = z.enum(Object.keys(REASONS) as [Reason, ...Reason[]]);
const RecordName = z.strictObject({ type: z.string(), id: z.string() }).describe('a record, by type and id');
const EdgeName = z
  .strictObject({ edge_id: z.string(), relation: z.string(), source: RecordName, destination: RecordName })
  .describe('an edge, by its label, relation and ends');
const PathElement = z.union([RecordName, EdgeName]);

const Statement = z.strictObject({
  reason: Code,
  family: z.enum(REPORT_FAMILIES).nullable().describe('null: about the exchange, no family'),
  affected: RecordName,
  evidence_path: z.array(PathElement).describe('from the exchange to the affected record, in order'),
  explanation: z.string().describe('what was seen, with the actual values'),
  missing: z.array(z.string()).describe('relations or fields whose absence keeps the record from being judged'),
  minimal_evidence: z
    .array(PathElement)
    .describe('alone it still gives this statement, and without any one element it no longer does'),
});

const Refusal = z.strictObject({
  reason: Code,
  at: z
    .strictObject({
      input: z.string().optional(),
      pointer: z.string().optional(),
      offset: z.int().optional(),
      collection: z.string().optional(),
      id: z.string().nullable().optional(),
    })
    .describe('input file, JSON pointer, byte offset, collection (or edges) and record id, as far as they apply'),
  detail: z.string(),
});

/** The normative report (`schemas/report.schema.json`); every other face is derived from it. */
export const Report = z.strictObject({
  format: z.literal(REPORT_FORMAT),
  verifier: z.strictObject({ name: z.literal('forensictrace'), version: z.string(), confusables_unicode: z.string() }),
  verdict: z.enum(VERDICTS),
  exit_code: z.int().min(0).max(5),
  mode: z.enum(MODES),
  other_profile: z.boolean().describe('judged under another profile than the receipt names, because the user said so'),
  signature_accepted: z.boolean().describe('false: everything the receipt says of itself is a claim'),
  incident_id: z.string().nullable(),
  signer_id: z.string().nullable(),
  key_id: z.string().nullable(),
  issued_at: z.string().nullable().describe("the signer's claim"),
  capture_backend: z.string().nullable(),
  receipt_profile_id: z.string().nullable(),
  profile_id: z.string().nullable().describe('the profile it was judged under'),
  inputs: z
    .array(z.strictObject({ input: z.string(), sha256: z.string(), size: z.int() }))
    .describe('each input file as received'),
  records: z.int().nullable(),
  edges: z.int().nullable(),
  stages: z.array(
    z.strictObject({ stage: z.enum(STAGES), status: z.enum(['passed', 'refused', 'not_reached', 'not_in_mode']) }),
  ),
  refusals: z.array(Refusal),
  verdict_reasons: z
    .array(z.strictObject({ reason: Code, detail: z.string() }))
    .describe('what about the trace as a whole keeps it from being called consistent'),
  families: z.array(
    z.strictObject({
      family: z.enum(REPORT_FAMILIES),
      status: z.enum(['INDICATED', 'CONSISTENT', 'INCONCLUSIVE', 'NOT_OBSERVED']),
      triggers: z.int().describe('records the rule had to judge'),
    }),
  ),
  findings: z.array(Statement),
  inconclusive: z.array(Statement),
  observations: z.array(Statement),
  unlinked: z.array(RecordName).describe('records that no edge touches'),
  checked: z.array(z.string()),
  not_checked: z.array(z.string()).describe('what this verification did not check'),
  not_provable: z.array(z.string()).describe('what no receipt can prove'),
  reasons: z
    .record(
      z.string(),
      z.strictObject({
        level: z.string(),
        title: z.string(),
        means: z.string(),
        not: z.string(),
        next: z.string(),
        false_positives: z.string(),
        techniques: z.array(z.string()),
      }),
    )
    .describe('the registry entry of each code used in this report'),
});
export type Report = z.infer<typeof Report>;
export type ReportStatement = z.infer<typeof Statement>;
export type ReportElement = z.infer<typeof PathElement>;
