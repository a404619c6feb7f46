import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { main } from '../../../src/cli/program.ts';
import { runMain } from '../../support/run-main.ts';
import { bytesOf, LOG, type Members, messageOf, SCHEMA, sha256Text } from '../lab.ts';
import { call, evidenceFrom, FILE, head, note, type Step, suite, TESTS, write } from './lab.ts';

const folder = mkdtempSync(join(tmpdir(), 'ft-extensions-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, content: unknown): string => {
  const path = join(folder, name);
  writeFileSync(path, bytesOf(content));
  return path;
};
const TRUST = file('trust.json', { logs: [LOG.vkey] });
const PAY = file('pay.json', SCHEMA);
const [GOOD, OTHER] = [file('a.py', 'good'), file('b.py', 'other')];
const TREE = 'a'.repeat(40);

const message = (name: string, claim: Members, steps: readonly Step[]): string =>
  file(
    name,
    messageOf({
      claims: [{ ...claim, evidence: evidenceFrom([...note('run.start'), ...steps]) as unknown as Members }],
    }),
  );
const tests = message('tests.json', TESTS, [
  ...suite({ result: { git_tree: { before: TREE, after: TREE } } }),
  ...head(),
]);
const stale = message('stale.json', TESTS, [...suite(), ...suite({ ok: false }), ...head()]);
const wrote = message('wrote.json', FILE, [...write('good'), ...head()]);
const here = message(
  'here.json',
  { type: 'file_written', args: { path: GOOD, digest: sha256Text('good') } },
  write('good', {}, GOOD),
);
const lost = message(
  'lost.json',
  { type: 'reached_host', args: { host: 'api.example' } },
  call('fetch', { url: 'https://api.example/' }, { ok: false, result: { status: 404 } }),
);

/** Runs the command in this process. */
const verify = (...args: readonly string[]) =>
  runMain(main, ['pcm', 'verify', ...args, '--trust', TRUST, '--schema', PAY]);

describe('pcm verify beyond PCM 0.1', () => {
  it.each<[string, readonly string[], number, RegExp]>([
    ['fresh', [tests, '--fresh'], 0, /; fresh: every record, run_seq 1 to the head 3\) · /],
    [
      'fresh, and far from this clock',
      [tests, '--fresh', '--max-age', '60'],
      3,
      /tests_passed: unproven \(the head is .+ s (ahead of|behind) the clock/,
    ],
    ['stale', [stale, '--fresh'], 1, /^REJECT {2}tests_passed: failed \(the same suite failed later/],
    ['stale, and not asked', [stale], 0, /^ACCEPT /],
    ['the tree', [tests, '--tree', TREE], 0, /; tree: the suite ran on the tree a+\)/],
    ['another tree', [tests, '--tree', 'b'.repeat(40)], 3, /and not on b+\)/],
    ['the file', [wrote, '--file', `/repo/a.py=${GOOD}`], 0, /; file: the file that you act on has these bytes\)/],
    ['another file', [wrote, '--file', `/repo/a.py=${OTHER}`], 3, /the file that you act on has sha256:/],
    ['the file by its own path', [here, '--file', GOOD], 0, /; file: /],
    ['a file of no claim', [wrote, '--file', GOOD], 3, /no claim is of the file/],
    [
      'a 404',
      [lost, '--any-response'],
      0,
      /reached_host proven \(api\.example answered a fetch with 404, result seq 2\)/,
    ],
    ['a 404, and not asked', [lost], 1, /^REJECT /],
  ])('%s', async (_, args, code, line) => {
    const ran = await verify(...args);
    expect([ran.code, ran.stderr]).toEqual([code, '']);
    expect(ran.stdout).toMatch(line);
  });

  it('says in its JSON which were applied', async () => {
    const ran = await verify(tests, '--fresh', '--tree', TREE, '--json');
    expect(JSON.parse(ran.stdout)).toMatchObject({
      extensions: ['fresh', 'tree'],
      claims: [
        {
          extensions: [
            { name: 'fresh', holds: true },
            { name: 'tree', holds: true },
          ],
        },
      ],
    });
    expect(Object.hasOwn(JSON.parse((await verify(tests, '--json')).stdout) as object, 'extensions')).toBe(false);
  });

  it.each<[string, readonly string[], RegExp]>([
    ['an age of nothing', ['--max-age', '60'], /--max-age is the age of the head that --fresh asks for/],
    ['an age that is no number', ['--fresh', '--max-age', '1m'], /--max-age 1m is no whole number of seconds/],
    ['a commit’s short name', ['--tree', 'HEAD'], /--tree HEAD is no git tree/],
    ['a tree in capitals', ['--tree', 'A'.repeat(40)], /in lower case/],
    ['a tree of SHA-256', ['--tree', 'a'.repeat(64)], /is no git tree: 40 hex digits/],
    ['a relative path', ['--file', 'a.py'], /--file a\.py: a claim is of an absolute path/],
    ['a file that is not there', ['--file', '/repo/a.py=/none'], /cannot read the file \/none/],
  ])('cannot check with %s', async (_, args, told) => {
    const ran = await verify(tests, ...args);
    expect([ran.code, ran.stdout]).toEqual([2, '']);
    expect(ran.stderr).toMatch(told);
  });
});
