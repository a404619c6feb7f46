import { describe, expect, it } from 'vitest';
import type { PcmJudged } from '../../src/pcm/result.ts';
import { verifyMessage } from '../../src/pcm/verify.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import {
  ATTESTED,
  approvalOf,
  bytesOf,
  callOf,
  eventOf,
  evidenceOf,
  grantOf,
  type Members,
  messageOf,
  receiverOf,
  refOf,
  SCHEMA,
  sha256Text,
} from './lab.ts';

const judge = (body: Members, schema: Members = SCHEMA): PcmJudged => {
  const outcome = verifyMessage(bytesOf(messageOf(body, schema)), receiverOf(schema), null, nativeCrypto);
  if (outcome.verdict === 'bad-input') throw new Error(outcome.reasons[0]);
  return outcome;
};
type Evidence = ReturnType<typeof evidenceOf> | null | undefined;
const claimOf = (type: string, args: Members, evidence: Evidence, more: Members = {}, schema: Members = SCHEMA) => {
  const claim = { type, args, ...(evidence === undefined ? {} : { evidence }) };
  const { claims } = judge({ claims: [claim], ...more }, schema);
  return [claims[0]!.result, claims[0]!.reason.replace(/^PCM_(?:CLAIM_)?/, '')];
};
const proof = ({ events, opened }: ReturnType<typeof callOf>) => evidenceOf(events, opened);
const PYTEST = { suite: 'pytest -q' };
const ran = (tool = 'Bash', command = 'pytest -q', result: Members = ATTESTED, more = {}) =>
  callOf(tool, { command }, result, more);

describe('tests_passed', () => {
  it.each<[string, Evidence, string, string]>([
    ['an attested run', proof(ran()), 'proven', 'PROVEN'],
    ["the agent's own report", proof(ran('Bash', 'pytest -q', {})), 'unproven', 'AGENT_WORD'],
    ['a tier the agent wrote into its data', proof(ran('Bash', 'pytest -q', { tier: 'T2' })), 'unproven', 'AGENT_WORD'],
    ['a gateway that states no tier', proof(ran('Bash', 'pytest -q', { source: 'gateway' })), 'unproven', 'AGENT_WORD'],
    ['a tool that is not placed', proof(ran('my_shell')), 'unproven', 'UNPLACED_TOOL'],
    ['a tool placed as http', proof(ran('WebFetch')), 'unproven', 'UNPLACED_TOOL'],
    ['another command', proof(ran('Bash', 'pytest -q x')), 'failed', 'NOT_SAID'],
    ['a run that failed', proof(ran('Bash', 'pytest -q', ATTESTED, { ok: false })), 'failed', 'NOT_SAID'],
    ['a run that was denied', proof(ran('Bash', 'pytest -q', ATTESTED, { decision: 'deny' })), 'failed', 'NOT_SAID'],
    ['a decision that is not opened', evidenceOf(ran().events), 'failed', 'NOT_SAID'],
    ['a decision alone', evidenceOf(ran().events.slice(0, 1), ran().opened), 'failed', 'NOT_SAID'],
    ['no evidence', undefined, 'unproven', 'NO_EVIDENCE'],
    ['null evidence', null, 'unproven', 'NO_EVIDENCE'],
  ])('%s: %s', (_, evidence, result, reason) => {
    expect(claimOf('tests_passed', PYTEST, evidence)).toEqual([result, reason]);
  });

  it('the age is from the oldest record, also of one that says nothing', () => {
    const { events, opened } = ran();
    const old = { ...eventOf(2, 'note', {}), ts: '2026-11-30T11:59:00.500000Z' };
    const { claims } = judge({
      claims: [{ type: 'tests_passed', args: PYTEST, evidence: evidenceOf([...events, old], opened) }],
    });
    expect(claims[0]!.evidence_age_s).toBe(69.5);
  });
});

describe('file_written', () => {
  const digest = sha256Text('hello');
  const wrote = (args: Members, tool = 'Write', result: Members = ATTESTED) =>
    proof(callOf(tool, { content: 'hello', ...args }, result));
  const path = '/repo/a.py';
  it.each<[string, Evidence, string, string]>([
    ['an attested write', wrote({ file_path: path }), 'proven', 'PROVEN'],
    ['a path under its other name', wrote({ path }), 'proven', 'PROVEN'],
    ['file_path before path', wrote({ file_path: '/x', path }), 'failed', 'NOT_SAID'],
    ["the agent's own report", wrote({ file_path: path }, 'Write', {}), 'unproven', 'AGENT_WORD'],
    ['a relative path', wrote({ file_path: 'a.py' }), 'unproven', 'PATH_UNTOLD'],
    ['another path', wrote({ file_path: '/repo/b.py' }), 'failed', 'NOT_SAID'],
    ['no path', wrote({}), 'failed', 'NOT_SAID'],
    ['other bytes', wrote({ file_path: path, content: 'hellO' }), 'failed', 'NOT_SAID'],
    ['another tool', wrote({ file_path: path }, 'Edit'), 'failed', 'NOT_SAID'],
  ])('%s: %s', (_, evidence, result, reason) => {
    expect(claimOf('file_written', { path, digest }, evidence)).toEqual([result, reason]);
  });
});

describe('reached_host', () => {
  const host = 'api.example.com';
  const effect = (data: Members, more: Members = { source: 'signer' }) =>
    evidenceOf([eventOf(0, 'effect.observed', { port: 443, host, ...data }, more)]);
  const fetched = (url: string, tool = 'WebFetch', result: Members = ATTESTED, more = {}) =>
    proof(callOf(tool, { url }, result, more));
  it.each<[string, Evidence, string, string]>([
    ['a connection', effect({ kind: 'net', connections: 2 }), 'proven', 'PROVEN'],
    ['no connection', effect({ kind: 'net', connections: 0 }), 'unproven', 'NO_CONNECTION'],
    ['an effect the signer did not write', effect({ kind: 'net', connections: 2 }, {}), 'failed', 'NOT_SAID'],
    ['an attempt', effect({ kind: 'connect', sensor: 'tetragon' }), 'unproven', 'ATTEMPT'],
    ['an attempt that was denied', effect({ kind: 'connect', sensor: 'tetragon', denied: true }), 'failed', 'NOT_SAID'],
    ['a connection to another', effect({ kind: 'net', connections: 2, host: 'b.example' }), 'failed', 'NOT_SAID'],
    [
      'a connection to a host that cannot be told',
      effect({ kind: 'net', connections: 2, host: '0127.0.0.1' }),
      'unproven',
      'HOST_UNTOLD',
    ],
    ['a fetch', fetched('https://api.example.com/x'), 'proven', 'PROVEN'],
    ['a fetch the agent reports', fetched('https://api.example.com/x', 'WebFetch', {}), 'unproven', 'AGENT_WORD'],
    ['a fetch by another tool', fetched('https://api.example.com/x', 'curl'), 'unproven', 'UNPLACED_TOOL'],
    [
      'a fetch that failed',
      fetched('https://api.example.com/x', 'WebFetch', ATTESTED, { ok: false }),
      'failed',
      'NOT_SAID',
    ],
    ['a fetch of a URL that cannot be told', fetched('api.example.com/x'), 'unproven', 'HOST_UNTOLD'],
    ['a fetch of a file', fetched('file://api.example.com/x'), 'failed', 'NOT_SAID'],
    ['a fetch of another', fetched('https://api.example.com.evil.example/'), 'failed', 'NOT_SAID'],
  ])('%s: %s', (_, evidence, result, reason) => {
    expect(claimOf('reached_host', { host }, evidence)).toEqual([result, reason]);
  });

  it('a claimed host that cannot be told is doubt', () => {
    expect(claimOf('reached_host', { host: '0127.0.0.1' }, effect({ kind: 'net', connections: 2 }))).toEqual([
      'unproven',
      'HOST_UNTOLD',
    ]);
  });
});

describe('approved_by', () => {
  const args = { amount: 5 };
  const claim = { person: 'alice', call: 'c1', covers: true };
  const TOOLED = { ...SCHEMA, tool: 'pay' };
  const granted = { grants: [grantOf()] };
  const approved = (tool = 'pay', given: Members = args, options = {}) =>
    evidenceOf(approvalOf(tool, given, options), { 0: given });
  it.each<[string, Evidence, Members, string, string]>([
    ["the schema's tool with the request's args", approved(), TOOLED, 'proven', 'PROVEN'],
    [
      'args in another order and kind',
      evidenceOf(approvalOf('pay', { amount: 5 }), { 0: { amount: 5 } }),
      TOOLED,
      'proven',
      'PROVEN',
    ],
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

it.each<[string, Members]>([
  ['tests_passed', {}],
  ['tests_passed', { suite: 1 }],
  ['tests_passed', { suite: 'true' }],
  ['tests_passed', { suite: 'pytest', x: 1 }],
  ['approved_by', { person: 'alice' }],
  ['approved_by', { person: 'alice', call: 'c', covers: 'yes' }],
  ['approved_by', { person: 'alice', call: 'c', covers: null }],
  ['reached_host', { host: 'A.example' }],
  ['file_written', { path: 'a', digest: `sha256:${'0'.repeat(64)}` }],
  ['file_written', { path: '/a', digest: `sha256:${'A'.repeat(64)}` }],
])('%s %j is malformed, with and without evidence', (type, args) => {
  expect(claimOf(type, args, undefined)).toEqual(['failed', 'MALFORMED']);
  expect(claimOf(type, args, proof(ran()))).toEqual(['failed', 'MALFORMED']);
});

it.each(['ran_fast', '__proto__', 'toString'])('the claim type %s is unknown', (type) => {
  expect(claimOf(type, {}, proof(ran()))).toEqual(['failed', 'UNKNOWN_TYPE']);
});

it('one proof of a listed type is enough; one doubt keeps the verdict from accept; strict asks for the proof alone', () => {
  const schema = { ...SCHEMA, claims: ['tests_passed'] };
  const claims = [
    { type: 'tests_passed', args: PYTEST, evidence: proof(ran()) },
    { type: 'tests_passed', args: PYTEST },
  ];
  const verdict = (body: Members, strict: boolean) =>
    verifyMessage(bytesOf(messageOf(body, schema)), { ...receiverOf(schema), strict }, null, nativeCrypto).verdict;
  expect([verdict({ claims }, true), verdict({ claims: claims.slice(0, 1) }, true)]).toEqual([
    'accept-unproven',
    'accept',
  ]);
  expect([verdict({ claims: claims.slice(1) }, true), verdict({}, true), verdict({}, false)]).toEqual([
    'reject',
    'reject',
    'accept-unproven',
  ]);
});

it('level 1 proves nothing, and still refuses what is malformed', () => {
  const claims = [
    { type: 'tests_passed', args: PYTEST, evidence: proof(ran()) },
    { type: 'tests_passed', args: { suite: 'true' } },
  ];
  const outcome = verifyMessage(
    bytesOf(messageOf({ claims })),
    { ...receiverOf(), level: 1 },
    null,
    nativeCrypto,
  ) as PcmJudged;
  expect(outcome.claims.map(({ result, reason }) => [result, reason])).toEqual([
    ['unproven', 'PCM_CLAIM_LEVEL_1'],
    ['failed', 'PCM_CLAIM_MALFORMED'],
  ]);
});

it('the schema ref printed by the sources is that of its document', () => {
  const document = {
    pcm_schema: 0,
    name: 'refund.request',
    fields: {
      amount: { type: 'money', currency: 'USD', max: 1000000 },
      order: { type: 'int', min: 1, max: 999999999 },
    },
    claims: ['approved_by'],
    grant: true,
  };
  const ref = 'refund.request@sha256:d8636b6fbbd07430d057ea9ead9c27f0df1b918b10d34ab9257a4971d487846c';
  expect([receiverOf(document).schemas[0]!.ref, refOf(document)]).toEqual([ref, ref]);
});
