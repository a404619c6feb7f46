import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import { jcs } from '../../pcm/jcs.ts';
import { Members } from '../../pcm/shapes.ts';
import type { PcmObject } from '../../pcm/value.ts';
import { endedRun, ownRun, requireOpen } from '../access.ts';
import { approversFor, expire, mayAnswer, record } from '../approvals.ts';
import type { Identity } from '../identity.ts';
import { forbidden, invalid } from '../refused.ts';
import { paramsOf } from '../shape.ts';
import type { Signer } from '../signer.ts';
import type { Approval } from '../state.ts';
import type { Method } from './method.ts';
import { ApprovalId, RunId } from './params.ts';

const WAIT_MS = 1000;
const STEP_MS = 20;

const ownApproval = (signer: Signer, caller: Identity, runId: string, id: string): Approval => {
  const run = ownRun(signer, caller, runId);
  const approval = signer.book.approvals.get(id);
  if (approval?.run === run) return approval;
  throw run.ended ? endedRun(run) : forbidden(`the run ${runId} has no approval ${id}`);
};

/** The args that were decided, and no other: what a person is shown must be what the decision commits to. */
const requireDecided = ({ salts }: Signer, { call }: Approval, args: PcmObject): void => {
  if (salts.commit(call.decisionId, call.tool, args) !== call.commitment)
    throw invalid(`these are not the args that the call ${call.id} was decided with`);
};

const Wait = z.strictObject({ run: RunId, approval_id: ApprovalId, args: Members });
/** Waits up to a second for an answer. The args come along, since the signer keeps none on the disk: after a restart they can be shown again. */
export const approvalWait: Method = {
  counts: false,
  call: async (signer, caller, params) => {
    const { run, approval_id, args } = paramsOf(Wait, params);
    const approval = ownApproval(signer, caller, run, approval_id);
    requireDecided(signer, approval, args);
    if (approval.answer === null) signer.shown.set(approval.id, args);
    for (let waited = 0; approval.answer === null && waited < WAIT_MS; waited += STEP_MS) {
      await expire(signer, approval);
      if (approval.answer === null) await wait(STEP_MS);
    }
    return { answer: approval.answer?.decision ?? null };
  },
};

const Consume = z.strictObject({ run: RunId, approval_id: ApprovalId, args: Members });
/** Takes up an approval, once, with exactly the args that were approved: from then on the call may be made. */
export const approvalConsume: Method = {
  counts: true,
  call: async (signer, caller, params) => {
    const { run, approval_id, args } = paramsOf(Consume, params);
    const approval = ownApproval(signer, caller, run, approval_id);
    requireOpen(approval.run);
    requireDecided(signer, approval, args);
    if (approval.call.attested)
      throw forbidden(`the call ${approval.call.id} is the executor's: execute it again, which consumes the approval`);
    return { run_seq: await consume(signer, approval) };
  },
};

/** Marks an approval as taken up; refuses one that was not given, or that was taken up before. */
export const consume = async (signer: Signer, approval: Approval): Promise<number> => {
  await expire(signer, approval);
  const { id, answer, call, consumed, run } = approval;
  if (answer?.decision !== 'approve')
    throw forbidden(`the approval ${id} was not given (${answer?.decision ?? 'no answer yet'})`);
  if (consumed) throw forbidden(`the approval ${id} was consumed already: ask again for another call`);
  const data = { approval_id: id, decision_id: call.decisionId, tool_use_id: call.id };
  const { runSeq } = await signer.book.record(run, { type: 'approval.consume', source: 'signer', data });
  return runSeq;
};

const List = z.strictObject({});
/** The calls that wait for an answer of this caller, with their args in canonical text; null where the signer was restarted and has not got them again. */
export const approvalsList: Method = {
  counts: false,
  call: async (signer, caller, params) => {
    paramsOf(List, params);
    const open = [...signer.book.waiting].filter((approval) => mayAnswer(signer, caller, approval));
    for (const approval of open) await expire(signer, approval);
    const approvals = open
      .filter(({ answer, run }) => answer === null && !run.ended)
      .map(({ id, run, call, ruleIds, askedAt, expiresAt }) => {
        const args = signer.shown.get(id);
        return {
          approval_id: id,
          run: run.id,
          agent: run.agent,
          call: call.id,
          tool: call.tool,
          rule_ids: [...ruleIds],
          asked_at: askedAt,
          expires_at: expiresAt,
          args: args === undefined ? null : jcs(args),
        };
      });
    return { approvals };
  },
};

const AnswerParams = z.strictObject({ approval_id: ApprovalId, decision: z.enum(['approve', 'reject']) });
/** Answers a call that waits. */
export const approvalAnswer: Method = {
  counts: true,
  call: async (signer, caller, params) => {
    const { approval_id, decision } = paramsOf(AnswerParams, params);
    const approval = signer.book.approvals.get(approval_id);
    if (approval === undefined || !mayAnswer(signer, caller, approval))
      throw forbidden(`${caller.id} has no approval ${approval_id} to answer${approversFor(signer)}`);
    await expire(signer, approval);
    if (approval.answer !== null)
      throw invalid(`the approval ${approval_id} has its answer already: ${approval.answer.decision}`);
    if (decision === 'approve' && !signer.shown.has(approval_id))
      throw invalid(
        `the signer was restarted and cannot show the args of ${approval_id}: nobody approves what cannot be seen; let the agent wait for it again, or reject it`,
      );
    return record(signer, caller, approval, decision);
  },
};
