import { jcs } from '../../pcm/jcs.ts';
import type { PcmObject } from '../../pcm/value.ts';
import { newId } from '../ids.ts';
import { invalid } from '../refused.ts';
import type { Signer } from '../signer.ts';
import type { Call, Run, Source } from '../state.ts';

/** Characters of args that a person can be asked to read, and that a pattern is held to. */
const MAX_ASKED = 16_384;
/** Of one agent: their args are kept in memory until a person has seen them. */
const MAX_WAITING = 64;

/** In the open runs of one agent: each is known until its run ends, so that none is made twice. */
const MAX_CALLS = 65_536;

/** A call of an agent as it comes: the agent's own id for it, the tool, the args. */
export type Asked = { readonly call: string; readonly tool: string; readonly args: PcmObject };

/** What the agent is told of a decision. */
export type Decided = {
  readonly decision: Call['decision'];
  readonly decision_id: string;
  readonly rule_ids: string[];
  readonly run_seq: number;
  readonly approval_id?: string;
};

const requireNew = (run: Run, id: string): void => {
  if (run.calls.has(id)) throw invalid(`the run has a call ${id} already: give each call an id of its own`);
};

const requireRoom = ({ book }: Signer, { agent }: Run): void => {
  let calls = 0;
  for (const run of book.open.get(agent) ?? []) calls += run.calls.size;
  if (calls >= MAX_CALLS)
    throw invalid(`the open runs of ${agent} have ${MAX_CALLS} calls: end one, and begin another`);
};

const waitingOf = ({ book }: Signer, agent: string): number =>
  [...book.waiting].filter(({ run }) => run.agent === agent).length;

const request = (signer: Signer, run: Run, decided: PcmObject, args: PcmObject, source: Source) => {
  const approval_id = `apr-${newId()}`;
  const timeoutMs = (signer.config.approvals?.timeout_s ?? 3600) * 1000;
  const { tool_use_id, tool, decision_id, policy_hash, rule_ids } = decided;
  signer.shown.set(approval_id, args);
  return signer.book.record(run, {
    type: 'approval.request',
    source,
    data: {
      approval_id,
      decision_id: decision_id!,
      tool_use_id: tool_use_id!,
      tool: tool!,
      policy_hash: policy_hash!,
      rule_ids: rule_ids!,
      requester: run.agent,
      expires_at: signer.book.later(timeoutMs),
    },
  });
};

/**
 * Decides a call by the policy and writes the decision down, with the request of an approval when the policy asks. Source `gateway` says that the
 * executor runs the call. The args stand in the log as a salted commitment alone.
 */
export const decideCall = async (
  signer: Signer,
  run: Run,
  asked: Asked,
  source: 'sdk' | 'gateway',
): Promise<Decided> => {
  const { call, tool, args } = asked;
  requireNew(run, call);
  requireRoom(signer, run);
  const text = jcs(args);
  const { mayAsk, decide, hash } = signer.config.rules;
  if (mayAsk(tool) && text.length > MAX_ASKED)
    throw invalid(`the args of ${tool} are longer than ${MAX_ASKED} characters, and nobody can be asked to read them`);
  const { decision, ruleIds } = decide(tool, text);
  if (decision === 'ask' && waitingOf(signer, run.agent) >= MAX_WAITING)
    throw invalid(`${MAX_WAITING} calls of ${run.agent} wait for an answer: wait for one`);
  const decision_id = `dec-${newId()}`;
  const data = {
    tool_use_id: call,
    tool,
    decision,
    decision_id,
    rule_ids: [...ruleIds],
    policy_hash: hash,
    args_commitment: signer.salts.commit(decision_id, tool, args),
  };
  const decided = signer.book.record(run, { type: 'policy.decision', source, data });
  const requested = decision === 'ask' ? request(signer, run, data, args, source) : null;
  const [{ runSeq }, asking] = await Promise.all([decided, requested]);
  return {
    decision,
    decision_id,
    rule_ids: [...ruleIds],
    run_seq: runSeq,
    ...(asking === null ? {} : { approval_id: asking.event.data.approval_id as string }),
  };
};
