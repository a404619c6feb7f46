import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { answer } from '../../src/attest/answer.ts';
import { readConfig } from '../../src/attest/config.ts';
import type { Identity } from '../../src/attest/identity.ts';
import { openSigner } from '../../src/attest/open-signer.ts';
import type { Signer } from '../../src/attest/signer.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { Lab, POLICY, refusalOf } from './lab.ts';

const A: Identity = { id: 'token:a', role: 'agent', tenant: 'default' };

/** A signer without its socket, on a folder of its own, and how it is opened again. */
const withSigner = async (clock = Date.now) => {
  const folder = mkdtempSync(join(tmpdir(), 'ft-ended-'));
  writeFileSync(join(folder, 'policy.json'), JSON.stringify(POLICY));
  writeFileSync(
    join(folder, 'signer.json'),
    JSON.stringify({
      origin: 'log.example',
      data_dir: 'data',
      socket: 's',
      policy: 'policy.json',
      identities: [{ name: 'a', role: 'agent', token_file: 'a' }],
      event_quota: { events: 1_000_000, window_s: 60 },
    }),
  );
  let signer = await openSigner(readConfig(join(folder, 'signer.json')), nativeCrypto, clock);
  onTestFinished(async () => {
    await signer.log.close();
    rmSync(folder, { recursive: true });
  });
  const reopen = async (): Promise<Signer> => {
    await signer.log.close();
    signer = await openSigner(readConfig(join(folder, 'signer.json')), nativeCrypto, clock);
    return signer;
  };
  return { signer, reopen };
};
const begin = async (signer: Signer): Promise<string> =>
  (await answer(signer, A, 'run_begin', { name: 'x' })).run as string;
const asking = (run: string, call: string) => ({ run, call, tool: 'pay', args: { amount: 1 } });

/** What a signer has in its memory of runs but for where their records stand. */
const kept = ({ book, shown }: Signer) => ({
  open: [...book.open.values()].map(({ size }) => size),
  calls: [...book.runs.values()].map(({ calls }) => calls.size),
  approvals: book.approvals.size,
  waiting: book.waiting.size,
  shown: shown.size,
});
const NOTHING = { open: [], calls: [0], approvals: 0, waiting: 0, shown: 0 };

describe('of a run that has ended', () => {
  it('nothing is kept but where its records stand, also after a restart', async () => {
    const { signer, reopen } = await withSigner();
    const run = await begin(signer);
    const { approval_id } = await answer(signer, A, 'decide', asking(run, 'answered'));
    await answer(signer, A, 'decide', asking(run, 'waits'));
    await answer(signer, A, 'decide', { run, call: 'own', tool: 'ls', args: {} });
    await answer(signer, { ...A, id: 'token:p', role: 'person' }, 'approval_answer', {
      approval_id: approval_id!,
      decision: 'approve',
    });
    expect(kept(signer)).toEqual({ open: [1], calls: [3], approvals: 2, waiting: 1, shown: 1 });
    await answer(signer, A, 'run_end', { run });
    expect(kept(signer)).toEqual(NOTHING);
    const again = await reopen();
    expect(kept(again)).toEqual(NOTHING);
    expect((await answer(again, A, 'read', { run })).events).toHaveLength(8);
    expect((await answer(again, A, 'pcm_evidence', { run, run_seqs: [1, 7] })).records).toHaveLength(2);
  });

  it('no approval is answered, waited for or taken up, and none is listed', async () => {
    const lab = await Lab.start();
    const run = await lab.run();
    const args = { amount: 1 };
    const { approval_id } = await run.call<{ approval_id: string }>('decide', { call: 'p', tool: 'pay', args });
    await run.end();
    const alice = await lab.client('alice');
    expect(await alice.approvals()).toEqual([]);
    expect(await refusalOf(alice.answer(approval_id, 'approve'))).toContain(`has no approval ${approval_id} to answer`);
    for (const method of ['approval_wait', 'approval_consume'])
      expect(await refusalOf(run.call(method, { approval_id, args }))).toBe(
        `invalid_request: the run ${run.id} has ended: begin another`,
      );
  });

  it('a call of the executor that was running has its result, and the log is opened again', async () => {
    const lab = await Lab.start({ actions: [{ does: 'shell', name: 'Bash', cwd: '/', run_as: 'signer' }] });
    const run = await lab.run();
    const command = `echo > ${lab.path('on')}; until [ -e ${lab.path('go')} ]; do :; done`;
    const running = run.execute('Bash', { command });
    while ((await run.read()).length < 2);
    await run.end();
    writeFileSync(lab.path('go'), '');
    expect((await running).ok).toBe(true);
    await lab.restart();
    const events = await (await (await lab.client('a')).resume(run.id)).read();
    expect(events.map(({ type }) => type)).toEqual(['run.start', 'policy.decision', 'run.end', 'tool.result']);
  });

  it('a run token still reads, until its time is over, and is then forgotten', async () => {
    let ms = Date.UTC(2026, 10, 30, 12);
    const { signer } = await withSigner(() => ms);
    const run = await begin(signer);
    const { run_token } = await answer(signer, A, 'run_token', { run, ttl_s: 60 });
    await answer(signer, A, 'run_end', { run });
    const b: Identity = { ...A, id: 'token:b' };
    const read = () => answer(signer, b, 'read', { run, run_token: run_token! });
    ms += 59_999;
    expect((await read()).events).toHaveLength(2);
    ms += 1;
    expect(await refusalOf(read())).toBe(`forbidden: token:b has no run ${run}`);
    ms -= 3_600_000;
    expect(await refusalOf(read())).toBe(`forbidden: token:b has no run ${run}`);
    await answer(signer, A, 'run_token', { run: await begin(signer), ttl_s: 60 });
    expect(signer.runTokens.size).toBe(1);
  });
});

describe('an agent has at most', () => {
  it('1024 open runs', async () => {
    const { signer } = await withSigner();
    const [first] = await Promise.all(Array.from({ length: 1024 }, () => begin(signer)));
    expect(await refusalOf(begin(signer))).toBe(
      `invalid_request: 1024 runs of token:a are open: end one, such as the oldest, ${first}`,
    );
    expect((await answer(signer, { ...A, id: 'token:b' }, 'run_begin', { name: 'x' })).agent).toBe('token:b');
    await answer(signer, A, 'run_end', { run: first! });
    await begin(signer);
  });

  it('65,536 calls in them', async () => {
    const { signer } = await withSigner();
    const [one, two] = [await begin(signer), await begin(signer)];
    await answer(signer, A, 'decide', { run: one, call: 'c', tool: 'ls', args: {} });
    const { calls } = signer.book.runs.get(one)!;
    for (let i = 1; i < 65_536; i++) calls.set(`c${i}`, calls.get('c')!);
    const deciding = () => answer(signer, A, 'decide', { run: two, call: 'd', tool: 'ls', args: {} });
    expect(await refusalOf(deciding())).toBe(
      'invalid_request: the open runs of token:a have 65536 calls: end one, and begin another',
    );
    await answer(signer, A, 'run_end', { run: one });
    expect((await deciding()).decision).toBe('allow');
  });
});
