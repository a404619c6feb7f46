import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { answer } from '../../src/attest/answer.ts';
import { readConfig } from '../../src/attest/config.ts';
import { openSigner } from '../../src/attest/open-signer.ts';
import { serveSigner } from '../../src/attest/serve.ts';
import { main } from '../../src/cli/program.ts';
import { notesOf } from '../../src/cli/signer.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { runMain } from '../support/run-main.ts';
import { POLICY, REF, refusalOf, sharedLab, type Who } from './lab.ts';

const shared = sharedLab({}, { ...POLICY, unknown_tools: 'ask' });

/** Runs the command in this process, beside the signer. */
const run = (...args: readonly string[]) => runMain(main, args);
const as = (who: Who) => ['--socket', shared().path('s'), '--token', shared().path(`tokens/${who}`)];

describe('signer hold, quarantine, release', () => {
  it.each([
    ['hold', 'held'],
    ['quarantine', 'quarantined'],
  ])('%s a run until it is released', async (command, state) => {
    const one = await shared().run();
    expect(await run('signer', command, one.id, ...as('ops'))).toEqual({
      code: 0,
      stdout: `${one.id} is ${state}\n`,
      stderr: '',
    });
    expect(await refusalOf(one.send('token:b', REF, {}))).toContain(`the run ${one.id} is ${state}`);
    const released = await run('signer', 'release', one.id, ...as('ops'), '--json');
    expect([released.code, JSON.parse(released.stdout)]).toEqual([0, { run: one.id, state: 'released' }]);
    await one.send('token:b', REF, {});
  });

  it('say why they are refused', async () => {
    const one = await shared().run();
    expect(await run('signer', 'hold', one.id, ...as('a'))).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'forensictrace: the signer refuses: forbidden: token:a has the role agent: runs are held and released by an operator\n',
    });
    expect((await run('signer', 'hold', 'x', ...as('ops'))).stderr).toContain(
      'invalid_request: /run: a run is 32 hex digits',
    );
    const nowhere = await run(
      'signer',
      'hold',
      one.id,
      '--socket',
      shared().path('none'),
      '--token',
      shared().path('tokens/ops'),
    );
    expect([nowhere.code, nowhere.stderr]).toEqual([2, expect.stringContaining('no signer answers at ')]);
  });
});

describe('approvals', () => {
  it('lists what waits, answers it, and has then nothing', async () => {
    const one = await shared().run();
    const ask = (call: string) =>
      one.call<{ approval_id: string }>('decide', { call, tool: 'rm', args: { path: '/' } });
    const [first, second] = [await ask('c1'), await ask('c2')];
    const { stdout } = await run('approvals', 'list', ...as('alice'));
    expect(stdout).toContain(
      `${first.approval_id}\n  token:a asks for rm (call c1, run ${one.id}, an unknown tool), until 20`,
    );
    expect(stdout).toContain('\n  args {"path":"/"}\n');
    const listed = JSON.parse((await run('approvals', 'list', ...as('alice'), '--json')).stdout);
    expect(listed.approvals).toMatchObject([{ call: 'c1', args: '{"path":"/"}' }, { call: 'c2' }]);
    expect((await run('approvals', 'approve', first.approval_id, ...as('alice'))).stdout).toBe(
      `${first.approval_id}: approve\n`,
    );
    expect((await run('approvals', 'reject', second.approval_id, ...as('alice'), '--json')).code).toBe(0);
    expect((await run('approvals', 'list', ...as('alice'))).stdout).toBe('nothing waits for your answer\n');
    expect((await run('approvals', 'approve', first.approval_id, ...as('alice'))).stderr).toContain(
      'has its answer already: approve',
    );
    const answers = (await one.read()).filter(({ type }) => type === 'approval').map(({ data }) => data.decision);
    expect(answers).toEqual(['approve', 'reject']);
  });
});

describe('signer trust', () => {
  it('writes the current key and no other', async () => {
    const out = shared().path('trust.json');
    expect((await run('signer', 'trust', '--config', shared().path('signer.json'), '-o', out)).code).toBe(0);
    const { logs } = JSON.parse(readFileSync(out, 'utf8'));
    expect(logs).toHaveLength(1);
    expect(logs[0]).toMatch(/^log\.example\/agents\+[0-9a-f]{8}\+/);
    expect(logs[0].startsWith((await (await shared().client('a')).status()).log.key)).toBe(true);
  });

  it('makes no key where there is none', async () => {
    shared().write('fresh.json', {
      ...JSON.parse(readFileSync(shared().path('signer.json'), 'utf8')),
      data_dir: 'fresh',
    });
    const ran = await run('signer', 'trust', '--config', shared().path('fresh.json'));
    expect([ran.code, ran.stderr]).toEqual([
      2,
      expect.stringMatching(/there is no key .+log\.key\.pem yet\nsigner serve makes it on its first start\n$/),
    ]);
    expect(existsSync(shared().path('fresh'))).toBe(false);
  });
});

it.each([
  'signer serve',
  'signer trust',
  'signer hold',
  'signer quarantine',
  'signer release',
  'approvals list',
  'approvals approve',
  'approvals reject',
  'pcm demo',
])('%s --help shows an example', async (command) => {
  const ran = await run(...command.split(' '), '--help');
  expect([ran.code, ran.stderr]).toEqual([0, '']);
  expect(ran.stdout).toMatch(new RegExp(`Example:\\n {2}forensictrace ${command}`));
});

describe('signer serve', () => {
  it('says of a command that runs as the signer that it can read the key, and of a log that is ahead of the clock that nobody takes its messages', async () => {
    const folder = shared().folder;
    shared().write('ahead.json', {
      ...JSON.parse(readFileSync(shared().path('signer.json'), 'utf8')),
      data_dir: 'ahead',
      socket: 'ahead.sock',
      actions: [{ does: 'shell', name: 'Bash', cwd: folder, run_as: 'signer' }],
    });
    const config = readConfig(shared().path('ahead.json'));
    const before = await openSigner(config, nativeCrypto, () => Date.now() + 3_600_000);
    await answer(before, { id: 'token:a', role: 'agent', tenant: 'default' }, 'run_begin', { name: 'x' });
    await before.log.close();
    const { aheadMs, close } = await serveSigner(config, () => {});
    await close();
    expect(notesOf(config, aheadMs)).toEqual([
      "what the action Bash runs can read the signer's key: it runs as the signer's own user (run_as)",
      expect.stringMatching(/^the newest record of the log is 3[56]\d\d s ahead of this clock, /),
    ]);
    expect(notesOf({ actions: [] }, 300_000)).toEqual([]);
  });

  it('says what is wrong with its configuration', async () => {
    writeFileSync(shared().path('wrong.json'), '{"origin": "x", "uid": 1}');
    const ran = await run('signer', 'serve', '--config', shared().path('wrong.json'));
    expect([ran.code, ran.stdout]).toEqual([2, '']);
    expect(ran.stderr).toMatch(
      /the signer configuration .+wrong\.json is refused at .+\ndocs\/PCM-SIGNER\.md shows one that works\n$/,
    );
  });

  it('does not serve a folder that another has', async () => {
    const ran = await run('signer', 'serve', '--config', shared().path('signer.json'));
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining('another signer has the log ')]);
  });
});
