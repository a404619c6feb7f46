import { describe, expect, it } from 'vitest';
import { claimOf, type Evidence, judge } from './judged.ts';
import { approvalOf, eventOf, evidenceOf, grantOf, type Members, SCHEMA } from './lab.ts';

describe('approved_by', () => {
  const args = { amount: 5 };
  const claim = { person: 'alice', call: 'c1', covers: true };
  const TOOLED = { ...SCHEMA, tool: 'pay' };
  const granted = { grants: [grantOf()] };
  const approved = (tool = 'pay', given: Members = args, options = {}) =>
    evidenceOf(approvalOf(tool, given, options), { 0: given });
  it.each<[string, Evidence, Members, string, string]>([
    ["the schema's tool with the request's args", approved(), TOOLED, 'proven', 'PROVEN'],
    ['other args', approved('pay', { amount: 6 }), TOOLED, 'failed', 'APPROVAL_OTHER_ARGS'],
    ['another tool', approved('read_file'), TOOLED, 'failed', 'APPROVAL_OTHER_TOOL'],
    ['a decision that is not opened', evidenceOf(approvalOf('pay', args)), TOOLED, 'unproven', 'APPROVAL_NOT_OPENED'],
    ['a schema without a tool', approved(), SCHEMA, 'unproven', 'APPROVAL_NO_TOOL'],
    ['an approval of a grant this message has not', approved('pcm.grant'), TOOLED, 'failed', 'APPROVAL_OTHER_GRANT'],
    [
      'a schema of the tool pcm.grant itself',
      approved('pcm.grant'),
      { ...SCHEMA, tool: 'pcm.grant' },
      'proven',
      'PROVEN',
    ],
    ['another person', approved('pay', args, { person: 'bob' }), TOOLED, 'failed', 'APPROVAL_NONE'],
    ['another call', approved('pay', args, { call: 'c2' }), TOOLED, 'failed', 'APPROVAL_NONE'],
    ['an agent', approved('pay', args, { approval: { approver_kind: 'agent' } }), TOOLED, 'failed', 'APPROVAL_NONE'],
    ['itself', approved('pay', args, { approval: { self_approved: true } }), TOOLED, 'failed', 'APPROVAL_NONE'],
    ['a rejection', approved('pay', args, { approval: { decision: 'reject' } }), TOOLED, 'failed', 'APPROVAL_NONE'],
    [
      'no request',
      evidenceOf(approvalOf('pay', args).toSpliced(1, 1, eventOf(1, 'note', {}))),
      TOOLED,
      'failed',
      'APPROVAL_UNLINKED',
    ],
    [
      'no decision',
      evidenceOf(approvalOf('pay', args).toSpliced(0, 1, eventOf(0, 'note', {}))),
      TOOLED,
      'failed',
      'APPROVAL_UNLINKED',
    ],
    [
      'a decision of another call',
      evidenceOf(
        approvalOf('pay', args).toSpliced(
          0,
          1,
          eventOf(0, 'policy.decision', { tool_use_id: 'c9', tool: 'pay', decision_id: 'd0' }),
        ),
      ),
      TOOLED,
      'failed',
      'APPROVAL_UNLINKED',
    ],
    [
      'two requests of one approval',
      evidenceOf([
        ...approvalOf('pay', args),
        eventOf(3, 'approval.request', { approval_id: 'a0', decision_id: 'd9' }),
      ]),
      TOOLED,
      'failed',
      'APPROVAL_AMBIGUOUS',
    ],
    [
      'approvals of two tools',
      evidenceOf([...approvalOf('pay', args), ...approvalOf('read', args, { n: 3 })]),
      TOOLED,
      'failed',
      'APPROVAL_AMBIGUOUS',
    ],
    [
      'approvals of true and of 1',
      evidenceOf([...approvalOf('pay', { x: true }), ...approvalOf('pay', { x: 1 }, { n: 3 })], {
        0: { x: true },
        3: { x: 1 },
      }),
      TOOLED,
      'failed',
      'APPROVAL_AMBIGUOUS',
    ],
  ])('%s: %s', (_, evidence, schema, result, reason) => {
    expect(claimOf('approved_by', claim, evidence, {}, schema)).toEqual([result, reason]);
  });

  it('covers by the root grant it issued, and by no other', () => {
    const evidence = evidenceOf(approvalOf('pcm.grant', args));
    expect(claimOf('approved_by', claim, evidence, granted)).toEqual(['proven', 'PROVEN']);
    const other = {
      grants: [
        grantOf({
          issuer: { kind: 'person', id: 'uid:9', run: 'run-2', tenant: 'default', approval_id: 'a0', person: 'alice' },
        }),
      ],
    };
    expect(claimOf('approved_by', claim, evidence, other)).toEqual(['failed', 'APPROVAL_OTHER_GRANT']);
  });

  it('says what was approved exactly when it is proven', () => {
    const approvedOf = (covers: boolean, given: Members) =>
      judge({ claims: [{ type: 'approved_by', args: { ...claim, covers }, evidence: approved('pay', given) }] }, TOOLED)
        .claims[0]!.approved;
    expect(approvedOf(true, args)).toEqual({ tool: 'pay', args });
    expect(approvedOf(true, { amount: 6 })).toBeUndefined();
    expect(approvedOf(false, { amount: 6 })).toEqual({ tool: 'pay', args: { amount: 6 } });
  });
});
