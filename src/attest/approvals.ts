import type { PcmObject } from '../pcm/value.ts';
import { type Identity, SCHEME } from './identity.ts';
import { forbidden } from './refused.ts';
import type { Signer } from './signer.ts';
import type { Approval } from './state.ts';

/** Who may answer: the approvers of the configuration; without that section any identity of the run's tenant. */
export const mayAnswer = ({ config }: Signer, { id, tenant }: Identity, { run }: Approval): boolean =>
  tenant === run.tenant && (config.approvals === undefined || config.approvals.approvers.includes(id));

export const approversFor = ({ config }: Signer): string =>
  config.approvals === undefined ? '' : ': approvals.approvers of the configuration says who answers';

const PERSON: readonly string[] = ['person', 'operator'];

/** Gives an approval that nobody answered in time its end. */
export const expire = async (signer: Signer, approval: Approval): Promise<void> => {
  const { id, run, call, answer, expiresAt } = approval;
  if (answer !== null || run.ended || signer.book.now() < expiresAt) return;
  signer.shown.delete(id);
  const data = { tool_use_id: call.id, approval_id: id, decision: 'timeout', approver: 'signer', self_approved: false };
  await signer.book.record(run, { type: 'approval', source: 'signer', data });
};

/** Writes down what an approver said. The run's own agent is refused, unless the configuration lets it, and then it says so. */
export const record = async (
  signer: Signer,
  { id, role }: Identity,
  approval: Approval,
  answer: 'approve' | 'reject',
): Promise<PcmObject> => {
  const { approvals } = signer.config;
  const { run, call } = approval;
  const own = id === run.agent;
  const refused = own && answer === 'approve' && approvals?.self_approval !== true;
  const person = approvals?.persons[id];
  const data = {
    tool_use_id: call.id,
    approval_id: approval.id,
    decision: refused ? 'self_approval_refused' : answer,
    approver: id,
    approver_identity: { scheme: SCHEME, subject: id.slice(SCHEME.length + 1), attested: true },
    channel: 'rpc',
    self_approved: own,
    ...(person === undefined ? {} : { person }),
    ...(PERSON.includes(role) ? {} : { approver_kind: 'agent' }),
  };
  const written = signer.book.record(run, { type: 'approval', source: 'signer', data });
  if (!refused) signer.shown.delete(approval.id);
  const { runSeq } = await written;
  if (refused) throw forbidden(`${id} is the run's own agent: another approver must answer ${approval.id}`);
  return { approval_id: approval.id, decision: answer, run_seq: runSeq };
};
