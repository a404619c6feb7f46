import type { PendingApproval } from '../attest/client/types.ts';
import { escapeLine } from '../pcm/text.ts';
import { emit, json } from './output.ts';
import { atSigner, type ConnectionOptions } from './signer-connection.ts';

const NO_ARGS = '(the signer was restarted and has not got them again: wait until the agent asks again, or reject)';

/** What a person is asked: everything the agent wrote is escaped, the args whole. */
const shown = ({ approval_id, run, agent, tool, call, rule_ids, expires_at, args }: PendingApproval): string =>
  [
    approval_id,
    `  ${agent} asks for ${tool} (call ${call}, run ${run}, ${rule_ids.length === 0 ? 'an unknown tool' : `rule ${rule_ids.join(', ')}`}), until ${expires_at}`,
    `  args ${args ?? NO_ARGS}`,
  ]
    .map((line) => `${escapeLine(line)}\n`)
    .join('');

/** `forensictrace approvals list`. */
export const runApprovalsList = async (options: ConnectionOptions): Promise<number> => {
  const approvals = await atSigner(options, (client) => client.approvals());
  const text = approvals.length === 0 ? 'nothing waits for your answer\n' : approvals.map(shown).join('\n');
  emit(options.json ? json({ approvals }) : text);
  return 0;
};

/** `forensictrace approvals approve` and `reject`. */
export const answerAs =
  (decision: 'approve' | 'reject') =>
  async (approval: string, options: ConnectionOptions): Promise<number> => {
    await atSigner(options, (client) => client.answer(approval, decision));
    emit(options.json ? json({ approval_id: approval, decision }) : `${approval}: ${decision}\n`);
    return 0;
  };
