import { performance } from 'node:perf_hooks';
import {
  type Bundle,
  type Mode,
  type Report,
  readInput,
  reportOf,
  type Verdict,
  type Verifier,
} from '../../src/index.ts';
import { checkPropagation } from './evaluate-account.ts';
import { type Fault, type FaultReason, fault } from './evaluate-faults.ts';
import type { CompleteRun } from './evaluate-schedule.ts';
import { recordsAt } from './evaluate-target.ts';
import { incidentOf, type Layout, type Outcome } from './model.ts';

/** One verifier for each configuration: profile, trust store, families and settings are read once for all runs. */
export type Verifiers = Readonly<Record<Mode, Verifier>>;

/** One run as it was judged, beside what happened by the external account. */
export type JudgedRun = CompleteRun & {
  readonly verdicts: Readonly<Record<Mode, Verdict>>;
  readonly findings: readonly { readonly reason: string; readonly record: string }[];
  /** Whether each accepted the evidence, in full mode. */
  readonly accepted: { readonly receipt: boolean; readonly root: boolean };
  /** What the verifier should say, by what happened: not by what the run was meant to show. */
  readonly expected: Verdict;
  /** Whether the observation that the run was made for took place, or stayed away in a control. */
  readonly intended: boolean;
  /** Whether verdict and finding in full mode are what the external outcome calls for. */
  readonly agrees: boolean;
  /** Whether the one finding names the external target; null where that is not scored: in controls, and where nothing was observed. */
  readonly localised: boolean | null;
  /** Records and edges of an intact bundle, and bytes of its file. */
  readonly size: { readonly records: number; readonly edges: number; readonly bytes: number } | null;
};

/** What came of the evidence of one run, and what was refused of it. */
export type EvaluatedEvidence = { readonly evaluated: JudgedRun; readonly faults: readonly Fault[] };

/** A run with the milliseconds of one full verification, of bytes in memory: reading them as JSON is part of it. */
export type EvaluatedRun = JudgedRun & { readonly latency: number };

const REFUSED: Partial<Record<Verdict, FaultReason>> = {
  COULD_NOT_CHECK: 'EVIDENCE_UNREADABLE',
  INTEGRITY_REFUSED: 'EVIDENCE_REFUSED',
  NOT_PROFILE_ADMISSIBLE: 'EVIDENCE_NOT_ADMISSIBLE',
};

const refusalsOf = (
  run_id: string,
  { verdict, refusals, signature_accepted, incident_id }: Report,
): readonly Fault[] => {
  const reason = REFUSED[verdict];
  if (reason !== undefined)
    return refusals.map((refusal) => fault(reason, run_id, `${refusal.reason}: ${refusal.detail}`));
  const incident = incidentOf(run_id);
  return signature_accepted && incident_id !== incident
    ? [
        fault(
          'EVIDENCE_OF_ANOTHER_RUN',
          run_id,
          `the incident of this run is ${incident}, the receipt has ${incident_id}`,
        ),
      ]
    : [];
};

/** By the external account alone: what was observed, else whether anything happened that there could be evidence of. */
const expectedOf = ({ observed, sent }: Outcome): Verdict =>
  observed ? 'FORENSICALLY_INDICATED' : sent ? 'FORENSICALLY_CONSISTENT' : 'INCONCLUSIVE';

const isLocalised = ({ run, outcome }: CompleteRun, findings: JudgedRun['findings'], bundle: Bundle | null) =>
  run.side === 'control' || outcome.target === null
    ? null
    : bundle !== null && findings.length === 1 && recordsAt(bundle, outcome.target).includes(findings[0]!.record);

const evidenceOf = (runId: string, layout: Layout) => ({
  bundle: readInput(layout.bundleOf(runId), 'bundle'),
  receipt: readInput(layout.receiptOf(runId), 'receipt'),
});

/** One full verification of a run with a clock beside it, in milliseconds. */
export const latencyOf = (runId: string, layout: Layout, verifier: Verifier): number => {
  const evidence = evidenceOf(runId, layout);
  const started = performance.now();
  verifier.verifyFiles(evidence);
  return performance.now() - started;
};

/**
 * Reloads bundle and receipt of a run from disk, verifies them in the three configurations, and compares verdict and finding with the
 * external outcome. Returns that, and what was refused of the evidence.
 */
export const evaluateRun = (
  complete: CompleteRun,
  layout: Layout,
  verifiers: Verifiers,
  expectedFinding: string | undefined,
): EvaluatedEvidence => {
  const { run, outcome } = complete;
  const evidence = evidenceOf(run.run_id, layout);
  const full = verifiers.full.verifyFiles(evidence);
  const report = reportOf(full);
  const verdicts = {
    full: full.verdict,
    'root-only': verifiers['root-only'].verifyFiles(evidence).verdict,
    'records-only': verifiers['records-only'].verifyFiles(evidence).verdict,
  };
  const findings = report.findings.map(({ reason, affected }) => ({ reason, record: affected.id }));
  const bundle = full.judgement === null ? null : (JSON.parse(Buffer.from(evidence.bundle).toString()) as Bundle);
  const expected = expectedOf(outcome);
  const evaluated = {
    ...complete,
    verdicts,
    findings,
    accepted: { receipt: full.signatureAccepted, root: full.counts !== null },
    expected,
    intended: outcome.failure === null && outcome.observed === (run.side === 'condition'),
    agrees:
      full.verdict === expected &&
      (!outcome.observed || (findings.length === 1 && findings[0]?.reason === expectedFinding)),
    localised: isLocalised(complete, findings, bundle),
    size: full.counts === null ? null : { ...full.counts, bytes: evidence.bundle.length },
  };
  const propagation = bundle === null ? [] : checkPropagation(complete, bundle);
  return { evaluated, faults: [...refusalsOf(run.run_id, report), ...propagation] };
};
