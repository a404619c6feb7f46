import * as z from 'zod';
import { Members } from '../../pcm/shapes.ts';
import type { PcmObject } from '../../pcm/value.ts';
import { ownRun, requireOpen } from '../access.ts';
import type { Outcome } from '../executor/action.ts';
import { forbidden, invalid } from '../refused.ts';
import { paramsOf } from '../shape.ts';
import type { Signer } from '../signer.ts';
import type { Call, Run } from '../state.ts';
import { consume } from './approvals.ts';
import { type Asked, decideCall } from './decide.ts';
import type { Method } from './method.ts';
import { CallId, RunId, Tool } from './params.ts';

/** A call that was decided before may run once, when the policy asked and a person has approved it. */
const approvedOf = (signer: Signer, call: Call, { tool, args }: Asked): NonNullable<Call['approval']> => {
  const { id, attested, ended, approval } = call;
  if (!attested) throw forbidden(`the call ${id} is the agent's own: its result is the agent's word`);
  if (call.tool !== tool || signer.salts.commit(call.decisionId, tool, args) !== call.commitment)
    throw forbidden(`the call ${id} was decided with another tool or other args`);
  if (call.decision === 'deny') throw forbidden(`the policy denied the call ${id}`);
  if (ended) throw invalid(`the call ${id} has its result already`);
  if (approval === null || approval.consumed)
    throw invalid(`the call ${id} was begun before, and nobody knows how it ended: give a new call another id`);
  return approval;
};

const finish = async (signer: Signer, run: Run, call: Call, outcome: Outcome): Promise<PcmObject> => {
  const data = { tool_use_id: call.id, ok: outcome.ok, decision_id: call.decisionId, via: 'executor', ...outcome.seen };
  const { runSeq } = await signer.book.record(run, { type: 'tool.result', source: 'gateway', data });
  return { decision: call.decision, ran: true, ok: outcome.ok, result: outcome.told, run_seqs: [call.runSeq, runSeq] };
};

const Execute = z.strictObject({ run: RunId, call: CallId, tool: Tool, args: Members });
/**
 * Has the executor make a call, so that its result is T2. Where the policy asks, the answer names the approval, and the same call is sent again once
 * that is given. A call runs at most once: one that was running when the signer died is not run again.
 */
export const execute: Method = {
  counts: true,
  call: async (signer, caller, params) => {
    const { run: id, ...asked } = paramsOf(Execute, params);
    const run = ownRun(signer, caller, id);
    requireOpen(run);
    const action = signer.actions.get(asked.tool);
    if (action === undefined)
      throw forbidden(
        `the executor has no action ${JSON.stringify(asked.tool)}; it has: ${[...signer.actions.keys()].join(', ') || 'none'}`,
      );
    const go = action.prepare(asked.args);
    const known = run.calls.get(asked.call);
    if (known === undefined) {
      const decided = await decideCall(signer, run, asked, 'gateway');
      if (decided.decision === 'deny' || decided.decision === 'ask') return { ...decided, ran: false };
    } else {
      const approval = approvedOf(signer, known, asked);
      if (approval.answer === null) return { decision: 'ask', approval_id: approval.id, ran: false };
      await consume(signer, approval);
    }
    // The run may have ended, or been quarantined, while that was written down.
    requireOpen(run);
    const call = run.calls.get(asked.call)!;
    return finish(signer, run, call, await go());
  },
};
