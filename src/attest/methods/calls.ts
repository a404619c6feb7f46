import * as z from 'zod';
import { Members } from '../../pcm/shapes.ts';
import { reportedRun, requireOpen } from '../access.ts';
import { forbidden, invalid } from '../refused.ts';
import { paramsOf } from '../shape.ts';
import type { Call, Run } from '../state.ts';
import { decideCall } from './decide.ts';
import type { Method } from './method.ts';
import { CallId, RunId, RunTokenText, Tool } from './params.ts';

const Decide = z.strictObject({ run: RunId, run_token: RunTokenText, call: CallId, tool: Tool, args: Members });
/** Asks the policy whether the agent may make a call of its own. */
export const decide: Method = {
  counts: true,
  call: async (signer, caller, params) => {
    const { run: id, run_token, ...asked } = paramsOf(Decide, params);
    const run = reportedRun(signer, caller, id, run_token);
    requireOpen(run);
    return decideCall(signer, run, asked, 'sdk');
  },
};

/** The call of a run by its id. */
export const callOf = (run: Run, id: string): Call => {
  const call = run.calls.get(id);
  if (call === undefined) throw invalid(`the run has no call ${id}: ask for its decision first`);
  return call;
};

const requireMayEnd = ({ id, decision, attested, ended, approval }: Call): void => {
  if (attested) throw forbidden(`the call ${id} is the executor's, which writes its result itself`);
  if (ended) throw invalid(`the call ${id} has its result already`);
  if (decision === 'deny') throw forbidden(`the policy denied the call ${id}: it has no result`);
  if (decision === 'ask' && approval?.consumed !== true)
    throw forbidden(`the call ${id} waits for an approval: consume it before the call is made`);
};

const Complete = z.strictObject({ run: RunId, run_token: RunTokenText, call: CallId, ok: z.boolean() });
/** The agent's own report of how a call ended: T1, its word alone. */
export const complete: Method = {
  counts: true,
  call: async (signer, caller, params) => {
    const { run: id, run_token, call: callId, ok } = paramsOf(Complete, params);
    const run = reportedRun(signer, caller, id, run_token);
    requireOpen(run);
    const call = callOf(run, callId);
    requireMayEnd(call);
    const data = { tool_use_id: call.id, ok, decision_id: call.decisionId };
    const { runSeq } = await signer.book.record(run, { type: 'tool.result', source: 'sdk', data });
    return { run_seq: runSeq };
  },
};
