import { describe, expect, it } from 'vitest';
import { createOnce } from '../../src/a2a-pcm/once.ts';
import type { Received } from '../../src/a2a-pcm/receiver.ts';
import { call, evidenceFrom, head, host, note, type Step, suite, TESTS } from '../pcm/extensions/lab.ts';
import {
  ATTESTED,
  approvalOf,
  bytesOf,
  callOf,
  evidenceOf,
  grantOf,
  type Members,
  ROOT_ISSUER,
  receiverOf,
  refOf,
  SCHEMA,
} from '../pcm/lab.ts';
import { fresh, receiverB, requireLevel } from './lab.ts';

/** `accepted`, or each reason with its place. */
const told = (received: Received): readonly string[] => {
  if (!('findings' in received)) return ['accepted'];
  for (const { reason } of received.findings) requireLevel(reason, received.verdict);
  return received.findings.map(({ reason, at }) => `${reason} ${at}`);
};
type Receiver = ReturnType<typeof receiverB>;
const receive = async (receiver: Receiver, body: Members, schema?: Members) =>
  told(await receiver.receive(bytesOf(fresh(body, schema))));

const testsPassed = (suite: string, result: Members = ATTESTED): Members => {
  const { events, opened } = callOf('Bash', { command: suite }, result);
  return { type: 'tests_passed', args: { suite }, evidence: evidenceOf(events, opened) };
};
const PASSED = testsPassed('pytest');
const WORD: Members = { type: 'tests_passed', args: { suite: 'pytest' } };
const LISTING: Members = { ...SCHEMA, claims: ['tests_passed'] };

describe('what is asked beyond PCM 0.1', () => {
  const ranOnce = [...note('run.start'), ...suite(), ...head()];
  const claims = (steps: readonly Step[]): Members[] => [
    { ...TESTS, evidence: evidenceFrom(steps) as unknown as Members },
  ];
  const asking = (max_head_age_s: number) => receiverB({ fresh: { max_head_age_s } });
  it('fresh: a whole range, whose head is young', async () => {
    expect(await receive(asking(7), { claims: claims(ranOnce) })).toEqual(['accepted']);
    expect(await receive(asking(6), { claims: claims(ranOnce) })).toEqual(['PCM_POLICY_UNPROVEN /claims/0']);
    expect(await receive(asking(7), { claims: claims(ranOnce.slice(0, -1)) })).toEqual([
      'PCM_POLICY_UNPROVEN /claims/0',
    ]);
    expect(await receive(receiverB(), { claims: claims(ranOnce.slice(0, -1)) })).toEqual(['accepted']);
  });
  it('fresh: a later failure', async () => {
    const failed = [...note('run.start'), ...suite(), ...suite({ ok: false }), ...head()];
    expect(await receive(asking(60), { claims: claims(failed) })).toEqual(['PCM_FRESH_LATER_RUN /claims/0']);
    expect(await receive(receiverB(), { claims: claims(failed) })).toEqual(['accepted']);
  });
  it('any_response: a 404', async () => {
    const fetched = call('fetch', { url: 'https://api.example/' }, { ok: false, result: { status: 404 } });
    const evidence = evidenceFrom([...note('run.start'), ...fetched]) as unknown as Members;
    const body = { claims: [{ ...host(), evidence }] };
    expect(await receive(receiverB({ any_response: true }), body)).toEqual(['accepted']);
    expect(await receive(receiverB({ any_response: false }), body)).toEqual(['PCM_CLAIM_NOT_SAID /claims/0']);
  });
  it('of one intent is not asked of another, nor of a message without one', async () => {
    const other: Members = { ...SCHEMA, name: 'other' };
    const schemas = [SCHEMA, other].map((schema) => receiverOf(schema).schemas[0]!);
    const intents = [{ schema: schemas[0]!, fresh: { max_head_age_s: 1 } }, { schema: schemas[1]! }];
    const receiver = receiverB({}, SCHEMA, { intents });
    expect(await receive(receiver, { claims: claims(ranOnce) }, other)).toEqual(['accepted']);
    expect(await receive(receiver, { claims: claims(ranOnce) })).toEqual(['PCM_POLICY_UNPROVEN /claims/0']);
    expect(told(await receiver.receive(bytesOf('{"intent":7}')))).toEqual(['PCM_ENVELOPE /pcm']);
    expect(told(await receiver.receive(bytesOf('[]')))).toEqual(['PCM_ENVELOPE ']);
  });
});

describe('root_persons', () => {
  const receiver = receiverB({ root_persons: ['alice', 'bob'] });
  it.each<[string, Members, string]>([
    ['a grant of one of them', { grants: [grantOf()] }, 'accepted'],
    [
      'a grant of another',
      { grants: [grantOf({ issuer: { ...ROOT_ISSUER, person: 'mallory' } })] },
      'PCM_POLICY_ROOT_PERSON /grants',
    ],
    ['no grant', {}, 'PCM_POLICY_ROOT_PERSON /grants'],
    ['a grant that fails', { grants: [grantOf({ subject: 'uid:3' })] }, 'PCM_GRANT_SUBJECT /grants/0'],
  ])('with %s', async (_, body, said) => {
    expect(await receive(receiver, body)).toEqual([said]);
  });
  it('absent, whoever issued the grant', async () => {
    const grants = [grantOf({ issuer: { ...ROOT_ISSUER, person: 'mallory' } })];
    expect(await receive(receiverB(), { grants })).toEqual(['accepted']);
  });
});

describe('suites', () => {
  const receiver = receiverB({ suites: ['pytest', 'vitest'], strictness: 'unproven' });
  it.each<[string, Members[], string]>([
    ['a proven claim of one of them', [PASSED], 'accepted'],
    ['a proven claim of another', [testsPassed('pytest -q')], 'PCM_POLICY_SUITE /claims'],
    ['both', [testsPassed('pytest -q'), PASSED], 'accepted'],
    ['an unproven claim of one of them', [WORD], 'PCM_POLICY_SUITE /claims'],
    ['no claim', [], 'PCM_POLICY_SUITE /claims'],
  ])('with %s', async (_, claims, said) => {
    expect(await receive(receiver, { claims })).toEqual([said]);
  });
});

describe('max_age_s', () => {
  it.each<[string, number, string]>([
    ['of its edge', 10, 'accepted'],
    ['below the age', 9.999999, 'PCM_POLICY_AGE /claims/0'],
    ['of nothing', 0, 'PCM_POLICY_AGE /claims/0'],
  ])('%s', async (_, max_age_s, said) => {
    expect(await receive(receiverB({ max_age_s }), { claims: [PASSED] })).toEqual([said]);
  });
  it('judges every proven claim, and no other', async () => {
    const approved: Members = {
      type: 'approved_by',
      args: { person: 'alice', call: 'c1' },
      evidence: evidenceOf(approvalOf('pay', {})),
    };
    const receiver = receiverB({ max_age_s: 1, strictness: 'unproven' });
    expect(await receive(receiver, { claims: [WORD, approved, PASSED] })).toEqual([
      'PCM_POLICY_AGE /claims/1',
      'PCM_POLICY_AGE /claims/2',
    ]);
    expect(await receive(receiver, { claims: [WORD] })).toEqual(['accepted']);
  });
});

describe('once_field', () => {
  const pay = (amount: number, schema?: Members): Members => ({
    intent: { type: refOf(schema ?? SCHEMA), args: { amount } },
  });
  it('acts once on a value, whoever sends it and however often', async () => {
    const receiver = receiverB({ once_field: 'amount' });
    expect(await receive(receiver, pay(5))).toEqual(['accepted']);
    expect(await receive(receiver, pay(5))).toEqual(['PCM_POLICY_ONCE /intent/args/amount']);
    expect(await receive(receiver, pay(6))).toEqual(['accepted']);
  });
  it('spends nothing on what the policy does not accept', async () => {
    const receiver = receiverB({ once_field: 'amount' });
    expect(await receive(receiver, { ...pay(5), claims: [WORD] })).toEqual(['PCM_POLICY_UNPROVEN /claims/0']);
    expect(await receive(receiver, pay(5))).toEqual(['accepted']);
  });
  it('outlives an edit of the schema, and is shared by who shares the memory', async () => {
    const edited: Members = { ...SCHEMA, tool: 'pay' };
    const once = createOnce();
    const [before, after] = [SCHEMA, edited].map((schema) => receiverB({ once_field: 'amount' }, schema, { once }));
    expect(await receive(before!, pay(5))).toEqual(['accepted']);
    expect(await receive(after!, pay(5, edited), edited)).toEqual(['PCM_POLICY_ONCE /intent/args/amount']);
  });
  it('refuses what its memory cannot hold rather than forget', async () => {
    const receiver = receiverB({ once_field: 'amount' }, SCHEMA, { once: createOnce(1) });
    expect(await receive(receiver, pay(1))).toEqual(['accepted']);
    expect(await receive(receiver, pay(2))).toEqual(['PCM_POLICY_ONCE_FULL /intent/args/amount']);
    expect(await receive(receiver, pay(1))).toEqual(['PCM_POLICY_ONCE /intent/args/amount']);
  });
  it('lets one of many at a time through', async () => {
    const receiver = receiverB({ once_field: 'amount' });
    const said = await Promise.all(Array.from({ length: 20 }, () => receive(receiver, pay(5))));
    expect(said.filter(([one]) => one === 'accepted')).toHaveLength(1);
  });
});

describe('strictness', () => {
  const T1 = testsPassed('pytest', {});
  it.each<[string, Members[], readonly [string, string, string]]>([
    ['every claim proven', [PASSED], ['accepted', 'accepted', 'accepted']],
    ['one more that is not', [PASSED, WORD], ['PCM_POLICY_UNPROVEN /claims/1', 'accepted', 'accepted']],
    [
      'a listed type that only the agent reports',
      [T1],
      ['PCM_POLICY_UNPROVEN /claims/0', 'PCM_POLICY_UNPROVEN /claims', 'accepted'],
    ],
    ['no claim of a listed type', [], ['PCM_POLICY_UNPROVEN /claims', 'PCM_POLICY_UNPROVEN /claims', 'accepted']],
    [
      'a claim that fails',
      [{ type: 'tests_passed', args: { suite: 'rm' } }],
      ['PCM_CLAIM_MALFORMED /claims/0', 'PCM_CLAIM_MALFORMED /claims/0', 'PCM_CLAIM_MALFORMED /claims/0'],
    ],
  ])('with %s', async (_, claims, said) => {
    const levels = ['all-proven', 'listed-proven', 'unproven'] as const;
    const first = await Promise.all(
      levels.map(async (strictness) => (await receive(receiverB({ strictness }, LISTING), { claims }, LISTING))[0]),
    );
    expect(first).toEqual(said);
    expect((await receive(receiverB({}, LISTING), { claims }, LISTING))[0]).toBe(said[0]);
  });
});

describe('a receiver', () => {
  it('refuses an intent that it has no policy for, and a message to another', async () => {
    const other: Members = { ...SCHEMA, name: 'other' };
    expect(await receive(receiverB(), {}, other)).toEqual(['PCM_SCHEMA_UNKNOWN /intent/type']);
    expect(await receive(receiverB(), { to: { agent: 'uid:3' } })).toEqual(['PCM_REPLAY_RECIPIENT /to/agent']);
  });

  it.each([
    ['accepts nobody', { root_persons: [] }, /root_persons is empty/],
    ['accepts no suite', { suites: [] }, /suites is empty/],
    ['names a suite that no claim can prove', { suites: ['rm -rf x'] }, /rm -rf x is no test command/],
    ['has an age that is none', { max_age_s: -1 }, /max_age_s/],
    ['has an age that is no number', { max_age_s: Number.NaN }, /max_age_s/],
    ['has a head’s age that is none', { fresh: { max_head_age_s: -1 } }, /max_head_age_s/],
    ['acts once on a field that is not there', { once_field: 'order' }, /once_field order/],
    ['acts once on a field that may be missing', { once_field: 'note' }, /once_field note/],
  ])('is not made of a policy that %s', (_, policy, why) => {
    expect(() => receiverB(policy)).toThrow(why);
  });

  it('is not made of two policies of one intent', () => {
    const [schema] = receiverOf().schemas;
    expect(() => receiverB({}, SCHEMA, { intents: [{ schema: schema! }, { schema: schema! }] })).toThrow(
      /an intent has two policies/,
    );
  });
});
