import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { SignerRun } from '../../src/attest/client/run.ts';
import type { PcmClaim, PcmEvidence } from '../../src/attest/client/types.ts';
import type { JsonObject } from '../../src/base/json-value.ts';
import { canonicalOf, type Members, sha256Text } from '../pcm/lab.ts';
import { POLICY, REF, refusalOf, sharedLab } from './lab.ts';

const work = mkdtempSync(join(tmpdir(), 'ft-fresh-'));
afterAll(() => rmSync(work, { recursive: true }));
const git = (...args: string[]): string => execFileSync('git', args, { cwd: work, encoding: 'utf8' }).trim();
git('init', '--quiet');
writeFileSync(join(work, 'exit'), '0\n');
/** A runner by the name of one, which does what the tree says. */
writeFileSync(join(work, '.gitignore'), 'bin/\n');
execFileSync('mkdir', [join(work, 'bin')]);
writeFileSync(join(work, 'bin/pytest'), '#!/bin/sh\n[ -z "$1" ] || echo more >> exit\nexit $(head -n 1 exit)\n', {
  mode: 0o755,
});

const ACTIONS = {
  actions: [
    {
      does: 'shell',
      name: 'Bash',
      cwd: work,
      run_as: 'signer',
      env: { PATH: `${join(work, 'bin')}:${process.env.PATH}` },
      git_tree: true,
    },
    { does: 'shell', name: 'shell', cwd: '/', run_as: 'signer', git_tree: true },
  ],
};
const shared = sharedLab(ACTIONS, { ...POLICY, tools: { ...POLICY.tools, shell: 'shell' } });
const bash = (run: SignerRun, command = 'pytest') => run.execute('Bash', { command });
const passed = async (run: SignerRun) => {
  const { runSeqs } = await bash(run);
  return runSeqs;
};
const seqsOf = ({ records }: PcmEvidence) => records.map(({ event }) => event.run_seq);
const claim = (evidence: PcmEvidence): PcmClaim => ({ type: 'tests_passed', args: { suite: 'pytest' }, evidence });
const send = (run: SignerRun, ...evidence: readonly PcmEvidence[]) =>
  run.send('token:b', REF, { amount: 1, order: 81 }, { claims: evidence.map(claim) });

describe('fresh evidence', () => {
  it('is every record from the call on, each the next of the one before, and a head that the signer writes', async () => {
    const run = await shared().run();
    const [decision] = await passed(run);
    await passed(run);
    const { records } = await run.evidence([decision], { fresh: true });
    const events = records.map(({ event }) => event as unknown as Members);
    expect(events.map(({ run_seq, type }) => [run_seq, type])).toEqual([
      [1, 'policy.decision'],
      [2, 'tool.result'],
      [3, 'policy.decision'],
      [4, 'tool.result'],
      [5, 'ext'],
    ]);
    for (const [i, event] of events.slice(1).entries())
      expect(event.run_prev_hash).toBe(sha256Text(canonicalOf(events[i]!)));
    const head = events.at(-1)!;
    expect([head.source, head.data]).toEqual([
      'signer',
      { name: 'pcm.head', run: run.id, last: 4, size: (head.seq as number) + 1 },
    ]);
  });

  it('begins with the first record that is asked for', async () => {
    const run = await shared().run();
    await passed(run);
    expect(seqsOf(await run.evidence([2, 1], { fresh: true }))).toEqual([1, 2, 3]);
    expect(seqsOf(await run.evidence([3], { fresh: true }))).toEqual([3, 4]);
    expect(seqsOf(await run.evidence([2, 1], { fresh: false }))).toEqual([2, 1]);
  });

  it('is a message of 0.1 like any other', async () => {
    const run = await shared().run();
    const [decision] = await passed(run);
    const evidence = await run.evidence([decision], { fresh: true, args: { [decision]: { command: 'pytest' } } });
    expect(await shared().claim(run, claim(evidence))).toEqual(['proven', 'PCM_CLAIM_PROVEN']);
  });

  it('of more records than evidence holds is refused, and no head is written', async () => {
    const run = await shared().run();
    const decide = (_: unknown, i: number) => run.call('decide', { call: `c${i}`, tool: 'ls', args: {} });
    await Promise.all(Array.from({ length: 255 }, decide));
    expect(await refusalOf(run.evidence([0], { fresh: true }))).toBe(
      'invalid_request: the run has 256 records since run_seq 0, and evidence holds 256 with the head: make the call again and ask right after',
    );
    expect(await run.read({ from: 255 })).toHaveLength(1);
    expect(seqsOf(await run.evidence([1], { fresh: true }))).toHaveLength(256);
  });

  it('is given of a run that has ended, whose end is in it', async () => {
    const run = await shared().run();
    const seqs = await passed(run);
    await run.end();
    const { records } = await run.evidence(seqs, { fresh: true });
    expect(records.map(({ event }) => event.type)).toEqual(['policy.decision', 'tool.result', 'run.end', 'ext']);
  });

  it('is for the run’s own agent', async () => {
    const run = await shared().run();
    const other = await shared().client('b');
    expect(await refusalOf(other.call('pcm_evidence', { run: run.id, run_seqs: [0], fresh: true }))).toContain(
      'forbidden',
    );
  });
});

describe('a head that is not the end of its run', () => {
  const gone = (run: SignerRun, evidence: PcmEvidence) => refusalOf(send(run, evidence));

  it.each<[string, (run: SignerRun) => Promise<unknown>]>([
    ['a call of the executor', (run) => passed(run)],
    ['a call of the agent’s own', (run) => run.decide('ls', {})],
    [
      'what an observer saw',
      async (run) =>
        (await shared().client('eyes')).observe(run.id, { kind: 'net', host: 'a.example', port: 1, connections: 1 }),
    ],
  ])('is not signed after %s', async (_, then) => {
    const run = await shared().run();
    const evidence = await run.evidence(await passed(run), { fresh: true });
    await send(run, evidence);
    await then(run);
    const last = (await run.read()).length - 1;
    expect(await gone(run, evidence)).toBe(
      `invalid_request: /body/claims/0/evidence: its head is record 3, and the run has gone on to ${last}: ask for fresh evidence again`,
    );
    await send(run, await run.evidence([1, 2], { fresh: true }));
  });

  it('is not signed while a call that was decided before it has ended since', async () => {
    const run = await shared().run();
    const call = await run.decide('ls', {});
    const evidence = await run.evidence([1], { fresh: true });
    await run.complete(call, false);
    expect(await gone(run, evidence)).toContain('the run has gone on to 3');
  });

  it('is signed after notes of the signer: more heads, messages, of more claims', async () => {
    const run = await shared().run();
    const seqs = await passed(run);
    const [one, two] = [await run.evidence(seqs, { fresh: true }), await run.evidence(seqs, { fresh: true })];
    await send(run, one, two);
    await send(run, one);
  });

  it('is known after a restart', async () => {
    const run = await shared().run();
    const evidence = await run.evidence(await passed(run), { fresh: true });
    await passed(run);
    await shared().restart();
    const again = await (await shared().client('a')).resume(run.id);
    expect(await gone(again, evidence)).toContain('the run has gone on to 5');
  });
});

describe('the tree of a suite', () => {
  const treeOf = async (run: SignerRun): Promise<JsonObject[string] | undefined> =>
    (await run.read()).at(-1)!.data.git_tree;
  const commit = (): string => {
    git('add', '-A');
    return git('write-tree');
  };

  it('stands in the result, before and after, and the agent is told', async () => {
    const run = await shared().run();
    const { result } = await bash(run);
    const tree = commit();
    expect(await treeOf(run)).toEqual({ before: tree, after: tree });
    expect(result.git_tree).toEqual({ before: tree, after: tree });
  });

  it('is another after a suite that writes', async () => {
    const run = await shared().run();
    const before = commit();
    await bash(run, 'pytest write');
    const after = commit();
    expect(after).not.toBe(before);
    expect(await treeOf(run)).toEqual({ before, after });
  });

  it('is not had of a command that is no suite', async () => {
    const run = await shared().run();
    await bash(run, 'true');
    expect(await treeOf(run)).toBeUndefined();
  });

  it('is none where there is no repository, and the result says so', async () => {
    const run = await shared().run();
    await run.execute('shell', { command: 'pytest --nothing' });
    expect(await treeOf(run)).toEqual({ none: 'no git repository' });
  });
});
