import type { PcmObject } from '../pcm/value.ts';
import type { Answer, Approval, Call, Decision, LogEvent, Run } from './state.ts';

/** All that the signer knows of runs: what the events of its log say, and nothing else, so that a restart knows the same. */
export type Known = {
  readonly runs: Map<string, Run>;
  /** By agent, those that have not ended. */
  readonly open: Map<string, Set<Run>>;
  readonly approvals: Map<string, Approval>;
  /** Those without an answer. */
  readonly waiting: Set<Approval>;
};

type Apply = (run: Run, data: PcmObject, event: LogEvent, known: Known) => void;

const text = (value: unknown): string => String(value);

const callOf = (run: Run, data: PcmObject): Call | undefined => run.calls.get(text(data.tool_use_id));

const answerOf = (data: PcmObject): Answer => ({
  decision: data.decision as Answer['decision'],
  approver: text(data.approver),
  person: typeof data.person === 'string' ? data.person : null,
  selfApproved: data.self_approved === true,
  byAgent: data.approver_kind === 'agent',
});

const decided: Apply = (run, data, { source }) => {
  const id = text(data.tool_use_id);
  run.calls.set(id, {
    id,
    tool: text(data.tool),
    decision: data.decision as Decision,
    decisionId: text(data.decision_id),
    commitment: text(data.args_commitment),
    runSeq: run.seqs.length,
    attested: source === 'gateway',
    approval: null,
    ended: false,
  });
};

const asked: Apply = (run, data, { ts }, { approvals, waiting }) => {
  const call = callOf(run, data)!;
  const approval: Approval = {
    id: text(data.approval_id),
    run,
    call,
    ruleIds: data.rule_ids as string[],
    askedAt: ts,
    expiresAt: text(data.expires_at),
    answer: null,
    consumed: false,
    granted: false,
  };
  call.approval = approval;
  approvals.set(approval.id, approval);
  waiting.add(approval);
};

/** Undefined when the run had ended: somebody answered late, or a call was still running. */
const approvalOf = (data: PcmObject, { approvals }: Known): Approval | undefined =>
  approvals.get(text(data.approval_id));

/** Of a run that has ended no call goes on: nothing of it is kept but where its records stand, or a signer's memory would grow with all that ever ran. */
const ended: Apply = (run, _, __, { approvals, waiting, open }) => {
  run.ended = true;
  for (const { approval } of run.calls.values()) {
    if (approval === null) continue;
    approvals.delete(approval.id);
    waiting.delete(approval);
  }
  run.calls.clear();
  const others = open.get(run.agent);
  others?.delete(run);
  if (others?.size === 0) open.delete(run.agent);
};

const APPLY: Readonly<Record<string, Apply>> = {
  'run.end': ended,
  'run.hold': (run, { state }) => {
    run.hold = state === 'released' ? null : (state as Run['hold']);
  },
  'policy.decision': decided,
  'approval.request': asked,
  approval: (_, data, __, known) => {
    // A refused self-approval answers nothing: another may still answer.
    if (data.decision === 'self_approval_refused') return;
    const approval = approvalOf(data, known);
    if (approval === undefined) return;
    approval.answer = answerOf(data);
    known.waiting.delete(approval);
  },
  'approval.consume': (_, data, __, known) => {
    const approval = approvalOf(data, known);
    if (approval !== undefined) approval.consumed = true;
  },
  'tool.result': (run, data) => {
    const call = callOf(run, data);
    if (call !== undefined) call.ended = true;
  },
  ext: (_, data, __, known) => {
    const approval = data.name === 'pcm.grant' ? approvalOf(data, known) : undefined;
    if (approval !== undefined) approval.granted = true;
  },
};

const begun = ({ run_id, tenant, data }: LogEvent): Run => ({
  id: run_id,
  name: text(data.name),
  agent: text(data.agent),
  tenant,
  hold: null,
  ended: false,
  seqs: [],
  lastHash: '',
  lastDeed: 0,
  calls: new Map(),
});

const begin = ({ runs, open }: Known, run: Run): void => {
  runs.set(run.id, run);
  open.set(run.agent, (open.get(run.agent) ?? new Set()).add(run));
};

/** Takes what is known, an event of the log and its hash; adds what the event says. */
export const applyEvent = (known: Known, event: LogEvent, hash: string): void => {
  if (event.type === 'run.start') begin(known, begun(event));
  const run = known.runs.get(event.run_id)!;
  APPLY[event.type]?.(run, event.data, event, known);
  if (event.type !== 'ext') run.lastDeed = run.seqs.length;
  run.seqs.push(event.seq);
  run.lastHash = hash;
};
