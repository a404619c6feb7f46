import { describe, expect, it } from 'vitest';
import type { SignerRun } from '../../src/attest/client/run.ts';
import type { JsonObject } from '../../src/base/json-value.ts';
import { inSeconds, Lab, POLICY, REF, refusalOf, sharedLab, type Who } from './lab.ts';

const TERMS = {
  subject: 'token:a',
  intent: REF,
  caveats: [
    { field: 'amount', op: '<=', value: 20_000 },
    { field: 'order', op: '==', value: 81 },
  ],
  delegable: false,
};
const termsOf = (more: object = {}): JsonObject => ({ ...TERMS, expires_at: inSeconds(3600), ...more }) as JsonObject;

type Steps = { readonly args?: JsonObject; readonly tool?: string; readonly by?: Who; readonly consume?: boolean };

/** A call of the run as far as the steps say: asked for, answered, consumed. Returns the args. */
const asked = async (
  lab: Lab,
  run: SignerRun,
  { args = termsOf(), tool = 'pcm.grant', by = 'alice', consume = true }: Steps = {},
) => {
  const { approval_id } = await run.call<{ approval_id: string }>('decide', { call: 'g', tool, args });
  await lab.answer(by, run);
  if (consume) await run.call('approval_consume', { approval_id, args });
  return args;
};
const grant = (run: SignerRun, args: JsonObject, call = 'g') =>
  run.call<{ grant: JsonObject }>('pcm_grant', { call, args });

const shared = sharedLab();

describe('pcm_grant', () => {
  it('signs what a person approved, and writes down that it did without the terms', async () => {
    const lab = shared();
    const run = await lab.run();
    const args = await asked(lab, run);
    const { grant: signed } = await grant(run, args);
    const approval = (await run.read()).find(({ type }) => type === 'approval')!;
    expect(signed).toMatchObject({
      ...args,
      pcm_grant: 0,
      parent: null,
      issuer: {
        kind: 'person',
        id: 'token:alice',
        person: 'alice',
        run: run.id,
        tenant: 'default',
        approval_id: approval.data.approval_id,
      },
    });
    const judged = lab.judge(await run.send('token:b', REF, { amount: 1, order: 81 }, { grants: [signed] }));
    expect([judged.verdict, judged.grants]).toMatchObject(['accept', { result: 'ok', root: { person: 'alice' } }]);
    const over = lab.judge(await run.send('token:b', REF, { amount: 20_001, order: 81 }, { grants: [signed] }));
    expect(over.reasons).toEqual(['grant: grant 0: amount 20001 breaks amount <= 20000']);
    expect((await run.read()).map(({ data }) => data).filter(({ name }) => name === 'pcm.grant')).toEqual([
      expect.not.objectContaining({ caveats: expect.anything() }),
    ]);
  });

  it.each<[string, (lab: Lab, run: SignerRun) => Promise<unknown>, string, object?]>([
    [
      'without an approvals section',
      async (lab, run) => grant(run, await asked(lab, run)),
      'forbidden: the signer configuration has no approvals section: without it any identity of the tenant may answer, and none is a person',
      { approvals: undefined },
    ],
    [
      'of a call that was not made',
      (_, run) => grant(run, termsOf()),
      'invalid_request: the run has no call g: ask for its decision first',
    ],
    [
      'of a call of another tool',
      async (lab, run) => grant(run, await asked(lab, run, { tool: 'pay', args: { amount: 1 } })),
      'forbidden: the call g is of pay: a root grant needs an approved call of pcm.grant',
    ],
    [
      'that nobody answered',
      async (_, run) => {
        const args = termsOf();
        await run.call('decide', { call: 'g', tool: 'pcm.grant', args });
        return grant(run, args);
      },
      'forbidden: the call g was not approved (no answer yet)',
    ],
    [
      'that was rejected',
      async (lab, run) => {
        const args = termsOf();
        await run.call('decide', { call: 'g', tool: 'pcm.grant', args });
        await lab.answer('alice', run, 'reject');
        return grant(run, args);
      },
      'forbidden: the call g was not approved (reject)',
    ],
    [
      'that was approved and not consumed',
      async (lab, run) => grant(run, await asked(lab, run, { consume: false })),
      'forbidden: the approval of the call g was not consumed',
    ],
    [
      'of other terms than were approved',
      async (lab, run) => grant(run, { ...(await asked(lab, run)), delegable: true }),
      'forbidden: the call g was approved with other args: a grant has exactly the terms that were approved',
    ],
    [
      'with a member that no grant has',
      async (lab, run) => grant(run, await asked(lab, run, { args: termsOf({ parent: null }) })),
      'invalid_request: /args/parent: there is no such member',
    ],
    [
      'with a caveat that no schema could read',
      async (lab, run) =>
        grant(run, await asked(lab, run, { args: termsOf({ caveats: [{ field: 'order', op: '~', value: 1 }] }) })),
      'invalid_request: caveat on order: ~ is no operator of int',
    ],
    [
      'that an agent approved',
      async (lab, run) => grant(run, await asked(lab, run, { by: 'bot' })),
      'forbidden: token:bot is an agent approver: a root grant needs the approval of a person',
    ],
    [
      "that the run's own agent approved",
      async (lab, run) => grant(run, await asked(lab, run, { by: 'a' })),
      'forbidden: token:a approved its own call: a root grant needs the approval of another',
      { approvals: { approvers: ['token:a'], persons: {}, self_approval: true } },
    ],
    [
      'that its subject approved',
      async (lab, run) => grant(run, await asked(lab, run, { args: termsOf({ subject: 'token:alice' }) })),
      'forbidden: token:alice approved a grant to itself: another person must',
    ],
    [
      'that an identity of no person approved',
      async (lab, run) => grant(run, await asked(lab, run, { by: 'nobody' })),
      "forbidden: a root grant needs the approval of a person the signer configuration's approvals.persons names: token:nobody maps to none",
    ],
    [
      'that has expired',
      async (lab, run) =>
        grant(run, await asked(lab, run, { args: termsOf({ expires_at: '2020-01-01T00:00:00.000000Z' }) })),
      'invalid_request: expires_at 2020-01-01T00:00:00.000000Z is not within the next 24 hours',
    ],
    [
      'for more than 24 hours',
      async (lab, run) => grant(run, await asked(lab, run, { args: termsOf({ expires_at: inSeconds(86_460) }) })),
      'is not within the next 24 hours',
    ],
    [
      'for a second time',
      async (lab, run) => {
        const args = await asked(lab, run);
        await grant(run, args);
        return grant(run, args);
      },
      'forbidden: the approval of the call g issued its grant already: one grant per approval',
    ],
    [
      'for a second time after a restart',
      async (lab, run) => {
        const args = await asked(lab, run);
        await grant(run, args);
        await lab.restart();
        return grant(await (await lab.client('a')).resume(run.id), args);
      },
      'forbidden: the approval of the call g issued its grant already: one grant per approval',
    ],
    [
      'once the call has its result',
      async (lab, run) => {
        const args = await asked(lab, run);
        await run.complete('g', true);
        return grant(run, args);
      },
      'forbidden: the call g has its result already: one grant per approval',
    ],
    [
      'in a held run',
      async (lab, run) => {
        const args = await asked(lab, run);
        await (await lab.client('ops')).hold(run.id, 'held');
        return grant(run, args);
      },
      'is held: the signer signs nothing for it until an operator releases it',
    ],
    [
      'in a quarantined run',
      async (lab, run) => {
        const args = await asked(lab, run);
        await (await lab.client('ops')).hold(run.id, 'quarantined');
        return grant(run, args);
      },
      'is quarantined: the signer signs nothing for it until an operator releases it',
    ],
  ])('refuses a grant %s', async (_, work, text, config) => {
    const lab = config === undefined ? shared() : await Lab.start(config);
    expect(await refusalOf(work(lab, await lab.run()))).toContain(text);
  });

  it('refuses a grant of a call that the policy did not ask for', async () => {
    const lab = await Lab.start({}, { ...POLICY, ask: [] });
    const run = await lab.run();
    const args = termsOf();
    await run.decide('pcm.grant', args, { call: 'g' });
    expect(await refusalOf(grant(run, args))).toBe(
      'forbidden: the policy did not ask for the call g (allow): it needs an ask rule for pcm.grant',
    );
  });

  it('issues one grant of 50 calls that come together', async () => {
    const lab = shared();
    const run = await lab.run();
    const args = await asked(lab, run);
    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => grant(run, args)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await run.read()).filter(({ data }) => data.name === 'pcm.grant')).toHaveLength(1);
  });

  it('lets one of 50 consume an approval', async () => {
    const lab = shared();
    const run = await lab.run();
    const args = termsOf();
    const { approval_id } = await run.call<{ approval_id: string }>('decide', { call: 'g', tool: 'pcm.grant', args });
    await lab.answer('alice', run);
    const consuming = Array.from({ length: 50 }, () => run.call('approval_consume', { approval_id, args }));
    expect((await Promise.allSettled(consuming)).filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

describe('the grant of the client', () => {
  it('comes with a person, and ends its call', async () => {
    const lab = shared();
    const run = await lab.run();
    const signed = await lab.grant(run);
    expect(lab.judge(await run.send('token:b', REF, { amount: 1, order: 81 }, { grants: [signed] })).verdict).toBe(
      'accept',
    );
    expect((await run.read()).at(-2)).toMatchObject({ type: 'tool.result', source: 'sdk', data: { ok: true } });
  });

  const wanted = { subject: 'token:a', intent: REF, expiresAt: inSeconds(3600) };
  it('is refused when the policy does not ask', async () => {
    const lab = await Lab.start({}, { ...POLICY, ask: [] });
    expect(await refusalOf((await lab.run()).grant(wanted))).toBe(
      'forbidden: the policy does not ask for pcm.grant (allow): nobody can grant',
    );
  });

  it('is refused when the person rejects', async () => {
    const run = await shared().run();
    const [refusal] = await Promise.all([refusalOf(run.grant(wanted)), shared().answer('alice', run, 'reject')]);
    expect(refusal).toMatch(/^forbidden: the approval apr-\w+ was not given: reject$/);
  });

  it('is refused when nobody answers in time', async () => {
    const lab = shared();
    expect(await refusalOf((await lab.run()).grant(wanted, { timeoutS: 0 }))).toMatch(
      /^forbidden: nobody answered the approval apr-\w+ within 0 s$/,
    );
  });

  it('is refused when the approval times out at the signer', async () => {
    const lab = await Lab.start({ approvals: { approvers: ['token:alice'], persons: {}, timeout_s: 1 } });
    expect(await refusalOf((await lab.run()).grant(wanted))).toMatch(/was not given: timeout$/);
  });
});
