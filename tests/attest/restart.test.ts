import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../../src/attest/config.ts';
import { serveSigner } from '../../src/attest/serve.ts';
import type { JsonObject } from '../../src/base/json-value.ts';
import { inSeconds, Lab, POLICY, REF, refusalOf, untilGone } from './lab.ts';
import { type SignerProcess, serveAsProcess } from './process.ts';

const terms = (): JsonObject => ({
  subject: 'token:a',
  intent: REF,
  expires_at: inSeconds(3600),
  caveats: [],
  delegable: false,
});

it('goes on after a kill with what it knew: runs, calls, holds, and an approval that is used once', async () => {
  let signer!: SignerProcess;
  const lab = await Lab.make({}, POLICY, async (config) => {
    signer = await serveAsProcess(config);
    return signer;
  });
  onTestFinished(() => lab.end());
  const before = await lab.run();
  const args = terms();
  const { approval_id } = await before.call<{ approval_id: string }>('decide', { call: 'g', tool: 'pcm.grant', args });
  await lab.answer('alice', before);
  const held = await lab.run();
  await (await lab.client('ops')).hold(held.id, 'held');
  const events = await before.read();

  const vkey = signer.vkey;
  signer.child.kill('SIGKILL');
  await once(signer.child, 'exit');
  await lab.restart();
  expect(signer.vkey).toBe(vkey);

  const run = await (await lab.client('a')).resume(before.id);
  expect(await run.read()).toEqual(events);
  await run.call('approval_consume', { approval_id, args });
  const { grant } = await run.call<{ grant: JsonObject }>('pcm_grant', { call: 'g', args });
  const message = await run.send('token:b', REF, { amount: 1, order: 81 }, { grants: [grant] });
  expect(lab.judge(message).verdict).toBe('accept');
  expect(await refusalOf((await (await lab.client('a')).resume(held.id)).send('token:b', REF, {}))).toContain(
    'is held',
  );
});

it('shows args again after a restart, once the agent waits again, and lets nobody approve what cannot be seen', async () => {
  const lab = await Lab.start();
  const { id } = await lab.run();
  const args = { amount: 5, to: 'bob' };
  const { approval_id } = await (await lab.client('a')).call<{ approval_id: string }>('decide', {
    run: id,
    call: 'p',
    tool: 'pay',
    args,
  });
  expect(await (await lab.client('alice')).approvals()).toMatchObject([
    { tool: 'pay', args: '{"amount":5,"to":"bob"}' },
  ]);
  await lab.restart();
  const alice = await lab.client('alice');
  expect(await alice.approvals()).toMatchObject([{ approval_id, tool: 'pay', args: null }]);
  expect(await refusalOf(alice.answer(approval_id, 'approve'))).toContain('nobody approves what cannot be seen');
  const a = await lab.client('a');
  expect(await refusalOf(a.call('approval_wait', { run: id, approval_id, args: { ...args, amount: 6 } }))).toBe(
    'invalid_request: these are not the args that the call p was decided with',
  );
  await a.call('approval_wait', { run: id, approval_id, args });
  expect(await alice.approvals()).toMatchObject([{ args: '{"amount":5,"to":"bob"}' }]);
  await alice.answer(approval_id, 'approve');
  expect(await a.call('approval_wait', { run: id, approval_id, args })).toEqual({ answer: 'approve' });
});

it('does not run a call again that was running when it died', async () => {
  const lab = await Lab.start({ actions: [{ does: 'shell', name: 'Bash', cwd: '/', run_as: 'signer' }] });
  const run = await lab.run();
  const request = { call: 'c', tool: 'Bash', args: { command: `echo $$ > ${lab.path('pid')}; exec sleep 600` } };
  const running = run.call('execute', request).catch((error: Error) => error.message);
  while (!existsSync(lab.path('pid'))) await run.read();
  await lab.restart();
  expect(await running).toContain('ended the connection');
  const again = await (await lab.client('a')).resume(run.id);
  expect(await refusalOf(again.call('execute', request))).toBe(
    'invalid_request: the call c was begun before, and nobody knows how it ended: give a new call another id',
  );
  await untilGone(lab.path('pid'));
});

it('refuses a second signer of one folder, and serves the first on', async () => {
  const lab = await Lab.start();
  lab.configure({ socket: 'other' });
  await expect(serveSigner(readConfig(lab.path('signer.json')), () => {})).rejects.toThrow(
    /another signer has the log/,
  );
  expect((await (await lab.client('a')).status()).log.size).toBe(0);
});

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile());

it('writes no args down', async () => {
  const lab = await Lab.start({ actions: [{ does: 'shell', name: 'Bash', cwd: '/', run_as: 'signer' }] });
  const run = await lab.run();
  const planted = (n: number) => `planted-${n}-secret`;
  await run.complete(await run.decide('ls', { in: planted(1) }), true);
  const { runSeqs, result } = await run.execute('Bash', { command: `echo ${planted(2)}` });
  expect(result.output).toContain(planted(2));
  const deciding = run.decide('pay', { amount: 5, note: planted(3) });
  await Promise.all([deciding, lab.answer('alice', run)]);
  await lab.grant(run, { caveats: [{ field: 'note', op: '==', value: planted(4) }] });
  await run.evidence(runSeqs, { args: { [runSeqs[0]]: { command: `echo ${planted(2)}` } } });
  await run.send('token:b', REF, { amount: 1, note: planted(5) }, { payload: { kind: 'text', text: planted(6) } });
  await run.call('decide', { call: 'open', tool: 'pay', args: { amount: 1, note: planted(7) } });
  const pieces = [1, 2, 3, 4, 5, 6, 7].flatMap((n) => [
    planted(n),
    Buffer.from(planted(n)).toString('base64').slice(0, 12),
  ]);
  const files = filesBelow(lab.folder);
  expect(files.some((file) => file.endsWith('journal'))).toBe(true);
  const found = files.flatMap((file) => {
    const text = readFileSync(file, 'latin1');
    return pieces.filter((piece) => text.includes(piece)).map((piece) => [file, piece]);
  });
  expect(found).toEqual([]);
  expect(files.some((file) => readFileSync(file, 'latin1').includes('pcm.sent'))).toBe(true);
});

it('serves 100 clients at once, each its own run', async () => {
  const lab = await Lab.start();
  const clients = await Promise.all(Array.from({ length: 100 }, (_, i) => lab.connect(i % 2 === 0 ? 'a' : 'b')));
  onTestFinished(() => {
    for (const client of clients) client.close();
  });
  const sent = await Promise.all(
    clients.map(async (client, i) => {
      const run = await client.run(`run ${i}`);
      await run.complete(await run.decide('ls', { i }), true);
      const evidence = await run.evidence([1, 2], { args: { 1: { i } } });
      const message = await run.send(
        'token:b',
        REF,
        { amount: i, order: 81 },
        {
          claims: [{ type: 'reached_host', args: { host: 'x.example' }, evidence }],
        },
      );
      return { message, types: (await run.read()).map(({ type }) => type) };
    }),
  );
  for (const { message, types } of sent) {
    expect(types).toEqual(['run.start', 'policy.decision', 'tool.result', 'ext']);
    const { signature, claims } = lab.judge(message);
    expect([signature.ok, claims[0]!.reason]).toEqual([true, 'PCM_CLAIM_NOT_SAID']);
  }
  expect(new Set(sent.map(({ message }) => (message.from as JsonObject).run)).size).toBe(100);
});
