import { REASONS, type Reason } from '../base/reasons.ts';
import { VERSION } from '../base/version.ts';
import { type Element, isEdge } from '../relate/nodes.ts';
import { UNICODE_VERSION } from '../rules/detectors/names/confusable.ts';
import type { Judged } from '../verify/judge.ts';
import { type Outcome, STAGES, type Stage } from '../verify/outcome.ts';
import { exitCodeOf } from './exit-code.ts';
import { checkedBy, NOT_PROVABLE, uncheckedBy } from './limits.ts';
import type { Report, ReportElement, ReportStatement } from './model.ts';

export const REPORT_FORMAT = 'a2aft.report.v1';

const nameOf = (element: Element): ReportElement =>
  isEdge(element)
    ? {
        edge_id: element.edge_id,
        relation: element.relation,
        source: { type: element.source_type, id: element.source_id },
        destination: { type: element.destination_type, id: element.destination_id },
      }
    : { type: element.type, id: element.id };

const statementOf = (judged: Judged): ReportStatement => ({
  reason: judged.reason,
  family: judged.family,
  affected: { type: judged.affected.type, id: judged.affected.id },
  evidence_path: judged.path.map(nameOf),
  explanation: judged.explanation,
  missing: [...(judged.missing ?? [])],
  minimal_evidence: judged.minimal.map(nameOf),
});

const stagesOf = (outcome: Outcome): Report['stages'] => {
  const last: Stage = outcome.mode === 'root-only' ? 'edges' : 'rules';
  const refused = outcome.refusedAt === null ? STAGES.length : STAGES.indexOf(outcome.refusedAt);
  return STAGES.map((stage, at) => {
    if (at > STAGES.indexOf(last)) return { stage, status: 'not_in_mode' };
    if (at === refused) return { stage, status: 'refused' };
    return { stage, status: at < refused ? 'passed' : 'not_reached' };
  });
};

const entriesOf = (codes: Iterable<Reason>): Report['reasons'] =>
  Object.fromEntries(
    [...new Set(codes)].sort().map((code) => {
      const { level, title, means, not, next, falsePositives, techniques } = REASONS[code];
      return [code, { level, title, means, not, next, false_positives: falsePositives, techniques: [...techniques] }];
    }),
  );

/** The report of a verification: a pure projection of its outcome. */
export const reportOf = (outcome: Outcome): Report => {
  const stages = stagesOf(outcome);
  const passed = stages.filter(({ status }) => status === 'passed').map(({ stage }) => stage);
  const missed = stages
    .filter(({ status }) => status === 'not_reached' || status === 'not_in_mode')
    .map(({ stage }) => stage);
  const judgement = outcome.judgement;
  const statements = judgement?.statements ?? [];
  const ofLevel = (...levels: readonly string[]): ReportStatement[] =>
    statements.filter(({ reason }) => levels.includes(REASONS[reason].level)).map(statementOf);
  const verdictReasons = judgement?.verdictReasons ?? [];
  return {
    format: REPORT_FORMAT,
    verifier: { name: 'forensictrace', version: VERSION, confusables_unicode: UNICODE_VERSION },
    verdict: outcome.verdict,
    exit_code: exitCodeOf(outcome.verdict),
    mode: outcome.mode,
    other_profile: outcome.otherProfile,
    signature_accepted: outcome.signatureAccepted,
    incident_id: outcome.receipt?.incident_id ?? null,
    signer_id: outcome.receipt?.signer_id ?? null,
    key_id: outcome.receipt?.key_id ?? null,
    issued_at: outcome.receipt?.issued_at ?? null,
    capture_backend: outcome.receipt?.capture_backend ?? null,
    receipt_profile_id: outcome.receipt?.profile_id ?? null,
    profile_id: outcome.profileId,
    inputs: outcome.inputs.map((input) => ({ ...input })),
    records: outcome.counts?.records ?? null,
    edges: outcome.counts?.edges ?? null,
    stages,
    refusals: outcome.refusals.map(({ reason, at, detail }) => ({ reason, at: { ...at }, detail })),
    verdict_reasons: verdictReasons.map((reason) => ({ ...reason })),
    families: (judgement?.families ?? []).map((family) => ({ ...family })),
    findings: ofLevel('finding'),
    inconclusive: ofLevel('inconclusive'),
    observations: ofLevel('warning', 'note'),
    unlinked: (judgement?.unlinked ?? []).map(({ type, id }) => ({ type, id })),
    checked: checkedBy(outcome, passed),
    not_checked: uncheckedBy(outcome, missed),
    not_provable: [...NOT_PROVABLE],
    reasons: entriesOf([...outcome.refusals, ...verdictReasons, ...statements].map(({ reason }) => reason)),
  };
};
