import { execFile, spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { SignerClient } from '../../src/attest/client/client.ts';
import { COMMAND, serveAsProcess } from './process.ts';

const run = promisify(execFile);
const TSX = ['--import', 'tsx'];

it('the example gets a refund accepted once alice approves it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ft-example-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of ['signer.json', 'policy.json']) copyFileSync(`docs/examples/pcm/${name}`, join(folder, name));
  const signer = await serveAsProcess(join(folder, 'signer.json'));
  onTestFinished(() => signer.close());
  expect(signer.pid).toBe(signer.child.pid);
  const trust = join(folder, 'pcm-trust.json');
  await run(process.execPath, [...COMMAND, 'signer', 'trust', '--config', join(folder, 'signer.json'), '-o', trust]);
  expect(JSON.parse(readFileSync(trust, 'utf8'))).toEqual({ logs: [signer.vkey] });

  const script = spawn(process.execPath, [...TSX, 'docs/examples/pcm-refund.ts', trust], {
    env: {
      ...process.env,
      // What is not built is not what the package's name leads to.
      ...(COMMAND.includes('tsx') ? { TSX_TSCONFIG_PATH: 'docs/examples/tsconfig.json' } : {}),
      FORENSICTRACE_SIGNER: join(folder, 'signer.sock'),
      FORENSICTRACE_SIGNER_TOKEN: join(folder, 'tokens/agent-a'),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  script.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const ended = new Promise((done) => script.once('close', done));

  const place = ['--socket', join(folder, 'signer.sock'), '--token', join(folder, 'tokens/alice')];
  const alice = await SignerClient.connect({ socket: place[1]!, tokenFile: place[3]! });
  onTestFinished(() => alice.close());
  while ((await alice.approvals()).length === 0 && script.exitCode === null);
  const listed = (await run(process.execPath, [...COMMAND, 'approvals', 'list', ...place])).stdout;
  expect(listed).toMatch(
    /^(apr-\w{32})\n {2}token:agent-a asks for pcm\.grant \(call pcm-grant-\w+, run \w+, rule PCM-GRANT\), until /,
  );
  expect(listed).toContain(
    '  args {"caveats":[{"field":"amount","op":"<=","value":20000},{"field":"order","op":"==","value":81}],"delegable":false,',
  );
  const answered = await run(process.execPath, [...COMMAND, 'approvals', 'approve', listed.slice(0, 36), ...place]);
  expect(answered.stdout).toBe(`${listed.slice(0, 36)}: approve\n`);

  expect([await ended, said]).toEqual([
    0,
    expect.stringMatching(
      /^accept \[\]\napproval seq \d+ by alice of "pcm\.grant" call pcm-grant-\w+, which issued this message's root grant\n$/,
    ),
  ]);
});

it('pcm demo ends with 0 once each outcome is the expected one', async () => {
  const { stdout } = await run(process.execPath, [...COMMAND, 'pcm', 'demo']);
  const told = stdout.split('\n').filter((line) => line.startsWith('      '));
  const starts = [
    'B: ACCEPT           signature ok · replay ok · schema ok · grant ok (alice, 1 step) · approved_by proven (approval seq ',
    'B: ACCEPT-UNPROVEN  tests_passed: unproven (no evidence)',
    'B: REJECT           approved_by: failed (record 1: hash does not match the event)',
    'B: REJECT           grant: grant 0: amount 50000 breaks amount <= 20000',
    "signer: forbidden: the signer signs only as the calling run's own agent (token:agent-a, run ",
  ];
  expect(told.map((line, i) => line.trim().slice(0, starts[i]?.length))).toEqual(starts);
  expect(stdout).toMatch(/\nAll as expected\.\n$/);
});

it('the command shows what an agent wrote in no way that moves a cursor', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ft-escape-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'policy.json'), JSON.stringify({ tools: {}, unknown_tools: 'ask' }));
  const config = JSON.parse(readFileSync('docs/examples/pcm/signer.json', 'utf8'));
  writeFileSync(join(folder, 'signer.json'), JSON.stringify(config));
  const signer = await serveAsProcess(join(folder, 'signer.json'));
  onTestFinished(() => signer.close());
  const socket = join(folder, 'signer.sock');
  const agent = await SignerClient.connect({ socket, tokenFile: join(folder, 'tokens/agent-a') });
  onTestFinished(() => agent.close());
  const { id } = await agent.run('a\u001b[2J');
  await agent.call('decide', {
    run: id,
    call: 'c',
    tool: 'pay\u001b[2J\nrm',
    args: { to: 'x\u202e\u009b', '\u001b[1A': '\\u001b' },
  });
  const { stdout } = await run(process.execPath, [
    ...COMMAND,
    'approvals',
    'list',
    '--socket',
    socket,
    '--token',
    join(folder, 'tokens/alice'),
  ]);
  expect(stdout).not.toMatch(/[\u001b\u009b\u202e]/);
  expect(stdout).toContain('asks for pay\\u001b[2J\\nrm (call c,');
  expect(stdout).toContain('\\u202e\\u009b');
  expect(stdout.trimEnd().split('\n')).toHaveLength(3);
});
