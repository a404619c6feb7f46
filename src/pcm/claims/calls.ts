import type { Event, Proven } from '../evidence.ts';
import { TOOL_CLASSES, type ToolClass } from '../tools.ts';
import type { PcmObject } from '../value.ts';
import { type Judgement, proven, unproven } from './judgement.ts';

/** A call that the policy did not deny, whose args the evidence opens, and that ended. */
export type OpenedCall = {
  readonly tool: string;
  readonly args: PcmObject;
  readonly decision: Event;
  readonly result: Event;
  /** True when a gateway or an executor wrote the result; else it is the agent's own word. */
  readonly attested: boolean;
};

/** The signer sets both marks from the caller's identity; what the agent sent stands in `data`, which is never asked. */
const isAttested = ({ source, tier }: Event): boolean => source === 'gateway' && tier === 'T2';

/** Takes records; returns every opened decision joined to each of its results. */
export const endedCalls = (records: readonly Proven[]): readonly OpenedCall[] => {
  const results = records.map(({ event }) => event).filter(({ type }) => type === 'tool.result');
  return records.flatMap(({ event: decision, args }) => {
    const { type, data } = decision;
    const { tool, decision_id } = data;
    if (type !== 'policy.decision' || args === null || data.decision === 'deny') return [];
    if (typeof tool !== 'string' || typeof decision_id !== 'string') return [];
    return results
      .filter((result) => result.data.decision_id === decision_id)
      .map((result) => ({ tool, args, decision, result, attested: isAttested(result) }));
  });
};

/** Those of them that ended well. */
export const openedCalls = (records: readonly Proven[]): readonly OpenedCall[] =>
  endedCalls(records).filter(({ result }) => result.data.ok === true);

/** The path of a call that reads or writes a file. */
export const pathOf = (args: PcmObject): string | null => {
  const path = Object.hasOwn(args, 'file_path') ? args.file_path : args.path;
  return typeof path === 'string' ? path : null;
};

const T1 = "the result is the agent's own report (T1)";

/** Takes a call that says what the claim says; proven when another party than the agent saw it, and the tool is of the class. */
export const judgeCall = (call: OpenedCall, placed: ToolClass, what: string): Judgement => {
  const [tool, seq] = [JSON.stringify(call.tool), `seq ${call.result.seq}`];
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
    ? proven(`${what}, result seq ${call.result.seq}`)
    : unproven('PCM_CLAIM_AGENT_WORD', `${what}, but ${T1} (seq ${call.result.seq})`);
