import type { Event, Proven } from '../evidence.ts';
import { equalInJcs, jcs } from '../jcs.ts';
import { type PcmObject, plainOf } from '../value.ts';
import {
  type Approved,
  type ClaimContext,
  type ClaimRule,
  failed,
  isOfStrings,
  type Judgement,
  unproven,
} from './judgement.ts';

/** The tool through which a person is asked for a root grant. */
const GRANT_TOOL = 'pcm.grant';

/** An approval, joined through the request it answers to the decision that says what was approved. */
type Linked = { readonly approval: Event; readonly tool: string; readonly args: PcmObject | null };

const approvalsOf = (records: readonly Proven[], person: string, call: string): readonly Event[] =>
  records
    .map(({ event }) => event)
    .filter(
      ({ type, data }) =>
        type === 'approval' &&
        data.tool_use_id === call &&
        data.decision === 'approve' &&
        data.person === person &&
        data.approver_kind !== 'agent' &&
        data.self_approved === false,
    )
    .sort((a, b) => a.seq - b.seq);

/** The ids of the decisions that the requests of one approval name. */
const decisionIdsOf = ({ data }: Event, records: readonly Proven[]): ReadonlySet<string> => {
  const { approval_id } = data;
  const named = records.flatMap(({ event }) => {
    const { decision_id } = event.data;
    const answers =
      event.type === 'approval.request' && typeof approval_id === 'string' && event.data.approval_id === approval_id;
    return answers && typeof decision_id === 'string' ? [decision_id] : [];
  });
  return new Set(named);
};

const linkedOf = (
  approval: Event,
  ids: ReadonlySet<string>,
  call: string,
  records: readonly Proven[],
): readonly Linked[] =>
  records.flatMap(({ event: { type, data }, args }) => {
    const { tool, decision_id } = data;
    const named = type === 'policy.decision' && typeof decision_id === 'string' && ids.has(decision_id);
    return named && data.tool_use_id === call && typeof tool === 'string' ? [{ approval, tool, args }] : [];
  });

const differs = (a: Linked, b: Linked): boolean => a.tool !== b.tool || !equalInJcs(a.args, b.args);

/** The person's approvals of the call, joined; or why they say no one thing. */
const linkAll = (
  records: readonly Proven[],
  person: string,
  call: string,
): readonly [Linked, ...Linked[]] | Judgement => {
  const approvals = approvalsOf(records, person, call);
  if (approvals.length === 0) return failed('PCM_APPROVAL_NONE', `no approval of call ${call} by ${person}`);
  const named = approvals.map((approval) => ({ approval, ids: decisionIdsOf(approval, records) }));
  const several = named.find(({ ids }) => ids.size > 1);
  if (several !== undefined)
    return failed(
      'PCM_APPROVAL_AMBIGUOUS',
      `the evidence holds ${several.ids.size} requests of one approval that name different decisions`,
    );
  const linked = named.flatMap(({ approval, ids }) => linkedOf(approval, ids, call, records));
  const [first, ...others] = linked;
  if (first === undefined)
    return failed(
      'PCM_APPROVAL_UNLINKED',
      'the approval.request it answers, or the policy.decision that names, is not there',
    );
  if (others.some((other) => differs(first, other)))
    return failed(
      'PCM_APPROVAL_AMBIGUOUS',
      `the evidence holds different decisions approved as call ${call} by ${person}: send the records of one approval`,
    );
  return [first, ...others];
};

const toldOf = ({ approval, tool, args }: Linked, person: string, call: string): string =>
  `approval seq ${approval.seq} by ${person} of ${JSON.stringify(tool)} call ${call}${args === null ? '' : ` with args ${jcs(args)}`}`;

const issuedRoot = ({ approval: { data, run_id, tenant } }: Linked, { root }: ClaimContext): boolean =>
  root !== null && data.approval_id === root.approval_id && run_id === root.run && tenant === root.tenant;

/** Whether the approval stands for this message's request: it issued the root grant, or it is of the schema's tool with the intent's args. */
const covers = (
  linked: readonly [Linked, ...Linked[]],
  tell: (one: Linked) => string,
  context: ClaimContext,
): Judgement | string => {
  const [first] = linked;
  const { tool, args } = first;
  const told = tell(first);
  const wanted = context.schema?.tool ?? null;
  if (tool === GRANT_TOOL) {
    const issuing = linked.find((one) => issuedRoot(one, context));
    if (issuing !== undefined) return `${tell(issuing)}, which issued this message's root grant`;
    if (wanted !== GRANT_TOOL)
      return failed('PCM_APPROVAL_OTHER_GRANT', `${told}: it did not issue this message's root grant`);
  }
  if (wanted === null)
    return unproven(
      'PCM_APPROVAL_NO_TOOL',
      `${told}: name the tool in the schema document, or cite the approval that issued the message's root grant`,
    );
  if (tool !== wanted)
    return failed('PCM_APPROVAL_OTHER_TOOL', `${told}: the schema's tool is ${JSON.stringify(wanted)}`);
  if (args === null) return unproven('PCM_APPROVAL_NOT_OPENED', `${told}: open the decision`);
  const asked = context.message.intent.args;
  return equalInJcs(args, asked)
    ? `${told}: this request's tool and args`
    : failed(
        'PCM_APPROVAL_OTHER_ARGS',
        `${told}: not this request's args ${jcs(asked)}, so it does not cover this request`,
      );
};

/** `approved_by {person, call, covers?}`: this person approved this call (docs/PCM.md section 9). */
export const approvedBy: ClaimRule = {
  malformed: ({ covers: asked, ...args }) => {
    if (asked !== undefined && typeof asked !== 'boolean') return 'covers is neither true nor false';
    return isOfStrings(args, 'person', 'call') ? null : 'its args are person and call, strings, and covers';
  },
  judge: (claim, records, context) => {
    const [person, call] = [claim.person as string, claim.call as string];
    const linked = linkAll(records, person, call);
    if ('result' in linked) return linked;
    const [first] = linked;
    const tell = (one: Linked): string => toldOf(one, person, call);
    const detail = claim.covers === true ? covers(linked, tell, context) : tell(first);
    if (typeof detail !== 'string') return detail;
    const approved: Approved = { tool: first.tool, args: plainOf(first.args) };
    return { result: 'proven', reason: 'PCM_CLAIM_PROVEN', detail, approved };
  },
};
