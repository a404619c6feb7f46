import { chmodSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { generateKey } from '../../src/store/keys.ts';
import { Lab, REF, refusalOf } from './lab.ts';

const decided = async () => {
  const lab = await Lab.start();
  const run = await lab.run();
  await run.decide('ls', { path: '/' }, { call: 'c' });
  await lab.stop();
  return { lab, run };
};

describe('a signer whose folder has lost', () => {
  it.each<[string, string, string]>([
    ['its secret of salts', 'data/salts.secret', 'the secret of salts {} is lost, and the log has 2 records'],
    ['its key', 'data/log.key.pem', 'the key {} is lost, and the folder has a log'],
    ['its log', 'data/log', 'the log {} is lost, and its key is there'],
  ])('%s does not start, and goes on once it is back', async (_, name, told) => {
    const { lab, run } = await decided();
    renameSync(lab.path(name), lab.path('away'));
    await expect(lab.serve()).rejects.toThrow(told.replace('{}', lab.path(name)));
    expect(existsSync(lab.path(name))).toBe(false);
    renameSync(lab.path('away'), lab.path(name));
    await lab.serve();
    expect(await (await (await lab.client('a')).resume(run.id)).read()).toHaveLength(2);
  });

  it.each(['data/log/checkpoint', 'data/log/journal'])('%s does not start, and makes none', async (name) => {
    const { lab } = await decided();
    rmSync(lab.path(name));
    await expect(lab.serve()).rejects.toThrow(/has records and no checkpoint|has a checkpoint and no journal/);
    expect(existsSync(lab.path(name))).toBe(false);
  });

  it('says what a loss costs, and how to go on without', async () => {
    const { lab } = await decided();
    rmSync(lab.path('data/salts.secret'));
    const fault: unknown = await lab.serve().catch((error: unknown) => error);
    expect(fault).toMatchObject({
      advice: [
        expect.stringContaining('no decision of these records can be opened any more'),
        expect.stringContaining('to go on so: (umask 077; openssl rand -hex 32 > '),
      ],
    });
  });
});

describe('a signer goes on under another', () => {
  it('secret of salts that its operator made, which opens no decision of before', async () => {
    const { lab, run } = await decided();
    writeFileSync(lab.path('data/salts.secret'), `${'5a'.repeat(32)}\n`, { mode: 0o600 });
    await lab.serve();
    const again = await (await lab.client('a')).resume(run.id);
    const evidence = await again.evidence([1], { args: { 1: { path: '/' } } });
    expect(await lab.claim(again, { type: 'tests_passed', args: { suite: 'pytest' }, evidence })).toEqual([
      'failed',
      'PCM_EVIDENCE_OPENING',
    ]);
    const { approval_id } = await again.call<{ approval_id: string }>('decide', {
      call: 'p',
      tool: 'pay',
      args: { amount: 1 },
    });
    await lab.answer('alice', again);
    await again.call('approval_consume', { approval_id, args: { amount: 1 } });
  });

  it('key that its operator made, and passes on no grant of the old one', async () => {
    const lab = await Lab.start();
    const run = await lab.run();
    const grant = await lab.grant(run);
    await lab.stop();
    rmSync(lab.path('data/log.key.pem'));
    generateKey(lab.path('data/log.key.pem'), lab.path('data/log.key.pub.pem'));
    await lab.serve();
    const again = await (await lab.client('a')).resume(run.id);
    const child = { subject: 'token:b', expiresAt: grant.expires_at as string, caveats: [] };
    expect(await refusalOf(again.delegate(grant, child))).toContain('this signer did not issue this grant');
    const message = await again.send('token:b', REF, { amount: 1, order: 81 });
    expect(lab.judge(message).verdict).toBe('accept');
  });
});

it.each<[string, readonly string[]]>([
  ['the key alone', ['data/salts.secret', 'data/log']],
  ['the key and an empty log', ['data/salts.secret']],
])('a first start that was cut short goes on from %s', async (_, missing) => {
  const lab = await Lab.start();
  const { key } = (await (await lab.client('a')).status()).log;
  await lab.stop();
  for (const name of missing) rmSync(lab.path(name), { recursive: true });
  await lab.serve();
  expect((await (await lab.client('a')).status()).log).toMatchObject({ key, size: 0 });
});

it('a folder in which others can write is refused', async () => {
  const { lab } = await decided();
  chmodSync(lab.path('data'), 0o770);
  await expect(lab.serve()).rejects.toThrow(`others can write in the folder ${lab.path('data')}`);
});
