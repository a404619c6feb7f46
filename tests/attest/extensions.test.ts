import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SignerRun } from '../../src/attest/client/run.ts';
import type { PcmClaim, PcmEvidence } from '../../src/attest/client/types.ts';
import type { JsonObject } from '../../src/base/json-value.ts';
import type { Extensions } from '../../src/pcm/extensions/options.ts';
import { pcmTime } from '../../src/pcm/time.ts';
import { POLICY, REF, refusalOf, sharedLab } from './lab.ts';
import { serveAsProcess } from './process.ts';

/** A repository with a real suite of vitest, and a file beside it that the suite reads. */
const work = mkdtempSync(join(tmpdir(), 'ft-beyond-'));
afterAll(() => rmSync(work, { recursive: true }));
const git = (...args: string[]): string => execFileSync('git', args, { cwd: work, encoding: 'utf8' }).trim();
const put = (name: string, text: string): void => writeFileSync(join(work, name), text);
git('init', '--quiet');
put('.gitignore', 'node_modules\nout/\n');
symlinkSync(resolve('node_modules'), join(work, 'node_modules'));
put('sum.mjs', 'export const sum = (a, b) => a + b;\n');
put(
  'sum.test.mjs',
  "import { expect, it } from 'vitest';\nimport { sum } from './sum.mjs';\nit('adds', () => expect(sum(40, 2)).toBe(42));\n",
);
put(
  'leaves.test.mjs',
  "import { writeFileSync } from 'node:fs';\nimport { it } from 'vitest';\nit('leaves', () => writeFileSync('left.txt', 'left'));\n",
);
mkdirSync(join(work, 'out'));

const site = createServer((_, response) => response.writeHead(404).end('no order'));
beforeAll(() => new Promise<void>((done) => void site.listen(0, '127.0.0.1', done)));
afterAll(() => void site.close());

const PATH = `${resolve('node_modules/.bin')}:${process.env.PATH}`;
const shared = sharedLab(
  {
    actions: [
      { does: 'shell', name: 'Bash', cwd: work, run_as: 'signer', env: { PATH }, git_tree: true },
      { does: 'http', name: 'WebFetch', hosts: ['127.0.0.1'] },
      { does: 'write', name: 'Write', root: join(work, 'out') },
    ],
  },
  POLICY,
  (config) => serveAsProcess(config),
);

/** Has the executor make a call; returns the `run_seq` of its records, and the args that open it. */
const made = async (run: SignerRun, tool: string, args: JsonObject) => {
  const { runSeqs, ok } = await run.execute(tool, args);
  return { runSeqs, ok, opens: { [runSeqs[0]]: args } };
};
const tree = (): string => {
  git('add', '-A');
  return git('write-tree');
};
const send = (run: SignerRun, claim: Omit<PcmClaim, 'evidence'>, evidence: PcmEvidence) =>
  run.send('token:b', REF, { amount: 1, order: 81 }, { claims: [{ ...claim, evidence }] });
/** What B says of one claim, and of which reason. */
const judged = async (run: SignerRun, claim: Omit<PcmClaim, 'evidence'>, evidence: PcmEvidence, asked?: Extensions) => {
  const { verdict, claims } = shared().judge(await send(run, claim, evidence), undefined, asked);
  return [verdict, claims[0]!.reason];
};
const FRESH = (): Extensions => ({ fresh: { maxAge: { seconds: 60, now: pcmTime(Date.now()) } } });

const SUITE = { command: 'vitest run sum.test.mjs' };
const passes = { type: 'tests_passed', args: { suite: SUITE.command } };

it('a suite that passed and then failed: the pass alone is accepted by 0.1, and by nobody who asks for fresh evidence', async () => {
  const run = await shared().run();
  const first = await made(run, 'Bash', SUITE);
  expect(first.ok).toBe(true);
  const acting = tree();
  const early = await run.evidence(first.runSeqs, { fresh: true, args: first.opens });
  expect(await judged(run, passes, early, { ...FRESH(), tree: acting })).toEqual(['accept', 'PCM_CLAIM_PROVEN']);

  put('sum.mjs', 'export const sum = (a, b) => a - b;\n');
  const second = await made(run, 'Bash', SUITE);
  expect(second.ok).toBe(false);
  expect(await refusalOf(send(run, passes, early))).toContain('ask for fresh evidence again');
  const plain = await run.evidence(first.runSeqs, { args: first.opens });
  expect(await judged(run, passes, plain)).toEqual(['accept', 'PCM_CLAIM_PROVEN']);
  expect(await judged(run, passes, plain, FRESH())).toEqual(['accept-unproven', 'PCM_FRESH_NO_HEAD']);
  const hidden = await run.evidence(first.runSeqs, { fresh: true, args: first.opens });
  expect(await judged(run, passes, hidden, FRESH())).toEqual(['accept-unproven', 'PCM_FRESH_UNTOLD']);
  const shown = await run.evidence(first.runSeqs, { fresh: true, args: { ...first.opens, ...second.opens } });
  expect(await judged(run, passes, shown, FRESH())).toEqual(['reject', 'PCM_FRESH_LATER_RUN']);
  expect(await judged(run, passes, shown, { tree: tree() })).toEqual(['accept-unproven', 'PCM_TREE_OTHER']);
}, 60_000);

it('a suite that leaves a file behind ran on no one tree', async () => {
  const run = await shared().run();
  const command = 'vitest run leaves.test.mjs';
  const { runSeqs, opens } = await made(run, 'Bash', { command });
  const evidence = await run.evidence(runSeqs, { args: opens });
  const claim = { type: 'tests_passed', args: { suite: command } };
  expect(await judged(run, claim, evidence, { tree: tree() })).toEqual(['accept-unproven', 'PCM_TREE_CHANGED']);
  rmSync(join(work, 'left.txt'));
}, 60_000);

it('a file that was written again is not the claimed one, in the log and on the disk', async () => {
  const run = await shared().run();
  const path = join(work, 'out/a.py');
  const digestOf = (bytes: string | Uint8Array) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  const claim = { type: 'file_written', args: { path, digest: digestOf('first\n') } };
  const first = await made(run, 'Write', { file_path: path, content: 'first\n' });
  const onDisk = (): Extensions => ({ files: [{ path, digest: digestOf(readFileSync(path)) }] });
  const early = await run.evidence(first.runSeqs, { fresh: true, args: first.opens });
  expect(await judged(run, claim, early, { ...FRESH(), ...onDisk() })).toEqual(['accept', 'PCM_CLAIM_PROVEN']);

  const second = await made(run, 'Write', { file_path: path, content: 'second\n' });
  const late = await run.evidence(first.runSeqs, { fresh: true, args: { ...first.opens, ...second.opens } });
  expect(await judged(run, claim, late, FRESH())).toEqual(['reject', 'PCM_FRESH_LATER_WRITE']);
  expect(await judged(run, claim, late, onDisk())).toEqual(['accept-unproven', 'PCM_FILE_OTHER']);
  expect(await judged(run, claim, late)).toEqual(['accept', 'PCM_CLAIM_PROVEN']);
});

it('a host that answered with a 404 was reached, for who asks so', async () => {
  const run = await shared().run();
  const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/none`;
  const { runSeqs, opens } = await made(run, 'WebFetch', { url });
  const evidence = await run.evidence(runSeqs, { args: opens });
  const claim = { type: 'reached_host', args: { host: '127.0.0.1' } };
  expect(await judged(run, claim, evidence)).toEqual(['reject', 'PCM_CLAIM_NOT_SAID']);
  expect(await judged(run, claim, evidence, { anyResponse: true })).toEqual(['accept', 'PCM_CLAIM_PROVEN']);
});
