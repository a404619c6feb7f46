import { expect, it } from 'vitest';
import type { SignerRun } from '../../src/attest/client/run.ts';
import type { PcmGrant } from '../../src/attest/client/types.ts';
import { inSeconds, Lab, REF, refusalOf, sharedLab } from './lab.ts';

const shared = sharedLab();
const LESS = [
  { field: 'amount', op: '<=', value: 15_000 },
  { field: 'order', op: '==', value: 81 },
];
const child = (more: object = {}) => ({ subject: 'token:b', expiresAt: inSeconds(60), caveats: LESS, ...more });

it('passes a grant on, narrower, and the receiver holds the sender to both', async () => {
  const lab = shared();
  const run = await lab.run();
  const grant = await lab.grant(run);
  const passed = await run.delegate(grant, child());
  expect(passed).toMatchObject({
    issuer: { kind: 'agent', id: 'token:a', run: run.id },
    subject: 'token:b',
    delegable: false,
  });
  const b = await lab.run('b');
  const judged = async (amount: number) =>
    lab.judge(await b.send('token:b', REF, { amount, order: 81 }, { grants: [grant, passed] }));
  expect((await judged(15_000)).verdict).toBe('accept');
  expect((await judged(18_000)).reasons).toEqual(['grant: grant 1: amount 18000 breaks amount <= 15000']);
  const { data } = (await run.read()).at(-1)!;
  expect(data).toEqual({
    name: 'pcm.grant',
    grant: expect.any(String),
    parent: passed.parent,
    subject: 'token:b',
    intent: REF,
  });
});

it.each<[string, (lab: Lab, run: SignerRun, grant: PcmGrant) => Promise<unknown>, string]>([
  [
    'that drops or widens a caveat',
    (_, run, grant) => run.delegate(grant, child({ caveats: [{ field: 'amount', op: '<=', value: 30_000 }] })),
    'invalid_request: amount <= 20000: dropped or widened',
  ],
  [
    'whose caveat is of another type than the parent’s',
    (_, run, grant) => run.delegate(grant, child({ caveats: [{ field: 'amount', op: '==', value: '1' }] })),
    'invalid_request: caveat on amount ==: the value is none of int',
  ],
  [
    "that can't be passed on",
    async (_, run, grant) => {
      const last = await run.delegate(grant, child({ subject: 'token:a' }));
      return run.delegate(last, child());
    },
    "forbidden: this grant can't be passed on",
  ],
  [
    'that this signer did not issue',
    (_, run, grant) => run.delegate({ ...grant, expires_at: inSeconds(7200) }, child()),
    'forbidden: this signer did not issue this grant: only what it signed is passed on',
  ],
  [
    'of what is no grant',
    (_, run, grant) => run.delegate({ ...grant, extra: 1 }, child()),
    'invalid_request: /parent/extra: there is no such member',
  ],
  [
    'of another subject',
    async (_, run, grant) => {
      const passed = await run.delegate(grant, child({ subject: 'token:b', delegable: true }));
      return run.delegate(passed, child());
    },
    "forbidden: this grant is token:b's: only its subject passes it on",
  ],
  [
    'that has expired',
    (_, run, grant) => run.delegate(grant, child({ expiresAt: '2020-01-01T00:00:00.000000Z' })),
    'invalid_request: expires_at 2020-01-01T00:00:00.000000Z is past',
  ],
  [
    'that outlives its parent',
    (_, run, grant) => run.delegate(grant, child({ expiresAt: inSeconds(7200) })),
    "is after the parent's, ",
  ],
  [
    'in a held run',
    async (lab, run, grant) => {
      await (await lab.client('ops')).hold(run.id, 'held');
      return run.delegate(grant, child());
    },
    'is held: the signer signs nothing for it until an operator releases it',
  ],
  [
    'in a quarantined run',
    async (lab, run, grant) => {
      await (await lab.client('ops')).hold(run.id, 'quarantined');
      return run.delegate(grant, child());
    },
    'is quarantined: the signer signs nothing for it until an operator releases it',
  ],
  [
    'in a run that has ended',
    async (_, run, grant) => {
      await run.end();
      return run.delegate(grant, child());
    },
    'has ended: begin another',
  ],
])('refuses a child %s', async (_, work, text) => {
  const run = await shared().run();
  expect(await refusalOf(work(shared(), run, await shared().grant(run)))).toContain(text);
});

it('refuses a child of a grant that another tenant issued', async () => {
  const roles = { a: 'agent', b: 'agent', alice: 'person' };
  const lab = await Lab.start({
    approvals: { approvers: ['token:alice'], persons: { 'token:alice': 'alice' } },
    identities: Object.entries(roles).map(([name, role]) => ({
      name,
      role,
      token_file: `tokens/${name}`,
      tenant: name === 'b' ? 'other' : 'default',
    })),
  });
  const grant = await lab.grant(await lab.run(), { subject: 'token:b' });
  expect(await refusalOf((await lab.run('b')).delegate(grant, child()))).toBe(
    'forbidden: this grant was issued in the tenant default, and this run is of other',
  );
});
