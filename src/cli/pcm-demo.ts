import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { SignerClient } from '../attest/client/client.ts';
import { encodeUtf8 } from '../base/utf8.ts';
import { createReplay } from '../pcm/replay.ts';
import type { PcmOutcome } from '../pcm/result.ts';
import { escapeLine, pcmLine } from '../pcm/text.ts';
import { pcmTime } from '../pcm/time.ts';
import { readPcmTrust } from '../pcm/trust.ts';
import { verifyMessage } from '../pcm/verify.ts';
import { EnvironmentFault } from '../store/fault.ts';
import { nativeCrypto } from '../store/native-crypto.ts';
import { emit, json } from './output.ts';
import { playRefund, SCHEMA, type Story } from './pcm-demo-story.ts';

const NAMES = ['agent-a', 'agent-b', 'alice'] as const;

const CONFIG = {
  origin: 'demo.example/agents',
  data_dir: 'data',
  socket: 'signer.sock',
  policy: 'policy.json',
  identities: NAMES.map((name) => ({ name, role: name === 'alice' ? 'person' : 'agent', token_file: name })),
  approvals: { approvers: ['token:alice'], persons: { 'token:alice': 'alice' } },
};
const POLICY = { tools: { 'pcm.grant': 'app' }, ask: [{ id: 'PCM-GRANT', tool: 'pcm.grant', pattern: '^' }] };

/** What each outcome has to be: the verdict, and the words that stand first in its line. */
const EXPECTED: readonly (readonly [PcmOutcome['verdict'], RegExp])[] = [
  [
    'accept',
    /^ACCEPT {2}signature ok · replay ok · schema ok · grant ok \(alice, 1 step\) · approved_by proven \(approval seq \d+ by alice of "pcm\.grant" call grant-1, which issued this message's root grant\)$/,
  ],
  ['accept-unproven', /^ACCEPT-UNPROVEN {2}tests_passed: unproven \(no evidence\)(?: ·|$)/],
  ['reject', /^REJECT {2}approved_by: failed \(record 1: hash does not match the event\)(?: ·|$)/],
  ['reject', /^REJECT {2}grant: grant 0: amount 50000 breaks amount <= 20000(?: ·|$)/],
];
const asBExpected = ({ run }: Story): string =>
  `forbidden: the signer signs only as the calling run's own agent (token:agent-a, run ${run.id}, tenant default)`;

/** A signer in a process of its own, by the command of this very program. */
const startSigner = async (folder: string): Promise<{ readonly child: ChildProcess; readonly vkey: string }> => {
  writeFileSync(join(folder, 'signer.json'), JSON.stringify(CONFIG));
  writeFileSync(join(folder, 'policy.json'), JSON.stringify(POLICY));
  const main = fileURLToPath(new URL(`main${extname(import.meta.url)}`, import.meta.url));
  const args = [...process.execArgv, main, 'signer', 'serve', '--config', join(folder, 'signer.json'), '--json'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), once(child, 'exit')]);
  if (typeof line !== 'string') throw new EnvironmentFault('the signer of the demo did not start');
  return { child, vkey: (JSON.parse(line) as { vkey: string }).vkey };
};

/** B: the signer's log pinned, the schema, one replay state made before A sends anything. */
const receiverOf = (vkey: string): ((message: object) => PcmOutcome) => {
  const trust = readPcmTrust(encodeUtf8(JSON.stringify({ logs: [vkey] })), nativeCrypto);
  if (!trust.ok) throw new Error(trust.findings[0].detail);
  const receiver = { trust: trust.value, schemas: [SCHEMA], me: 'token:agent-b' };
  const replay = createReplay(pcmTime(Date.now()));
  return (message) =>
    verifyMessage(encodeUtf8(JSON.stringify(message)), receiver, { replay, now: pcmTime(Date.now()) }, nativeCrypto);
};

const play = async (folder: string, vkey: string): Promise<readonly [Story, readonly PcmOutcome[]]> => {
  const judge = receiverOf(vkey);
  const connect = (name: string) =>
    SignerClient.connect({ socket: join(folder, CONFIG.socket), tokenFile: join(folder, name) });
  const [a, alice] = await Promise.all([connect('agent-a'), connect('alice')]);
  try {
    const story = await playRefund(a, alice, 'token:agent-b');
    return [story, story.requests.map(([, message]) => judge(message))];
  } finally {
    a.close();
    alice.close();
  }
};

const textOf = (folder: string, story: Story, lines: readonly string[], asExpected: boolean): string =>
  [
    `forensictrace pcm demo: two agents negotiate a refund (a signer process in ${folder})`,
    `  alice approves agent A's grant: refund.request, amount <= $200.00, order == 81, until ${story.until.slice(11, 16)}Z, can be passed on: no`,
    ...story.requests.flatMap(([told], i) => [
      `  A -> B  ${told}`,
      `      B: ${lines[i]!.replace('  ', ' '.repeat(17 - lines[i]!.indexOf('  ')))}`,
    ]),
    '  A asks the signer to sign as B',
    `      signer: ${escapeLine(story.asB)}`,
    '',
    asExpected ? 'All as expected.' : 'NOT as expected.',
    '',
  ].join('\n');

/** `forensictrace pcm demo`: returns 0 when every outcome is the expected one, else 2. */
export const runPcmDemo = async (options: { readonly json?: boolean }): Promise<number> => {
  const folder = mkdtempSync(join(tmpdir(), 'forensictrace-pcm-'));
  try {
    const { child, vkey } = await startSigner(folder);
    try {
      const [story, outcomes] = await play(folder, vkey);
      const lines = outcomes.map(pcmLine);
      const asExpected =
        outcomes.length === EXPECTED.length &&
        EXPECTED.every(([verdict, told], i) => outcomes[i]!.verdict === verdict && told.test(lines[i]!)) &&
        story.asB === asBExpected(story);
      emit(
        options.json
          ? json({ approved: story.seen, outcomes, as_b: story.asB, as_expected: asExpected })
          : textOf(folder, story, lines, asExpected),
      );
      return asExpected ? 0 : 2;
    } finally {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
};
