import type { Proven } from '../evidence.ts';
import { TOOL_CLASSES, type ToolClass } from '../tools.ts';
import type { PcmObject } from '../value.ts';
import { type Judgement, proven, unproven } from './judgement.ts';

/** A call that the policy did not deny, whose args the evidence opens, and that ended well. */
export type OpenedCall = {
  readonly tool: string;
  readonly args: PcmObject;
  /** The place of the result in its log. */
  readonly seq: number;
  /** True when a gateway or an executor wrote the result; else it is the agent's own word. */
  readonly attested: boolean;
};

/** The signer sets both marks from the caller's identity; what the agent sent stands in `data`, which is never asked. */
const isAttested = ({ event }: Proven): boolean => event.source === 'gateway' && event.tier === 'T2';

/** Takes records; returns every opened decision joined to each of its results that are ok. */
export const openedCalls = (records: readonly Proven[]): readonly OpenedCall[] => {
  const results = records.filter(({ event }) => event.type === 'tool.result' && event.data.ok === true);
  return records.flatMap(({ event: { type, data }, args }) => {
    const { tool, decision_id, decision } = data;
    if (type !== 'policy.decision' || args === null || decision === 'deny') return [];
    if (typeof tool !== 'string' || typeof decision_id !== 'string') return [];
    return results
      .filter(({ event }) => event.data.decision_id === decision_id)
      .map((result) => ({ tool, args, seq: result.event.seq, attested: isAttested(result) }));
  });
};

const T1 = "the result is the agent's own report (T1)";

/** Takes a call that says what the claim says; proven when another party than the agent saw it, and the tool is of the class. */
export const judgeCall = (call: OpenedCall, placed: ToolClass, what: string): Judgement => {
  const [tool, seq] = [JSON.stringify(call.tool), `seq ${call.seq}`];
  if (TOOL_CLASSES.get(call.tool) !== placed)
    return unproven(
      'PCM_CLAIM_UNPLACED_TOOL',
      `${what} by ${tool}, a tool the verifier can't place as a ${placed} tool (${seq})`,
    );
  return call.attested
    ? proven(`${what} by ${tool}, result ${seq}`)
    : unproven('PCM_CLAIM_AGENT_WORD', `${what}, but ${T1} (${seq})`);
};

/** As judgeCall, of a tool that is named exactly. */
export const judgeAttested = (call: OpenedCall, what: string): Judgement =>
  call.attested
    ? proven(`${what}, result seq ${call.seq}`)
    : unproven('PCM_CLAIM_AGENT_WORD', `${what}, but ${T1} (seq ${call.seq})`);
