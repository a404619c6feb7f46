import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import type { Demo } from '../../harness/demo/demo.ts';
import { MAIN } from '../cli/run.ts';

const run = promisify(execFile);
const forensictrace = (...args: readonly string[]) => run(process.execPath, [MAIN, ...args]);

const folder = mkdtempSync(join(tmpdir(), 'forensictrace-cli-demo-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('demo prints twelve rows as expected, ends by itself, and keeps what verify accepts', async () => {
  const kept = join(folder, 'kept');
  const { stdout } = await forensictrace('demo', '--keep', kept);
  expect(stdout.split('\n').filter((line) => line.endsWith(' yes'))).toHaveLength(12);
  expect(stdout).toMatch(/INTEGRITY_REFUSED .*RECORD_ALTERED uri_dereferences dereference-/);
  expect(stdout).toContain('All as expected.');
  expect(readdirSync(kept).sort()).toEqual(['journals', 'receipts', 'traces']);

  const [bundle = ''] = readdirSync(join(kept, 'traces')).filter((name) => name.startsWith('as-'));
  const receipt = bundle.replace('.bundle.', '.receipt.');
  const files = [join(kept, 'traces', bundle), join(kept, 'receipts', receipt), 'profiles/experiment.json'];
  const options = ['--trust', join(kept, 'receipts', 'trust.json'), '--families', 'families', '--mode', 'root-only'];
  const verified = await forensictrace('verify', ...files, ...options);
  expect(verified.stdout).toMatch(/^INTEGRITY_VERIFIED/);

  const again = forensictrace('demo', '--keep', kept);
  await expect(again).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('not empty') as string });
});

test('demo --json says the same as data', async () => {
  const { stdout } = await forensictrace('demo', '--json');
  const demo = JSON.parse(stdout) as Demo;
  expect(demo.rows.map(({ asExpected }) => asExpected)).toEqual(Array.from({ length: 12 }, () => true));
  expect(demo).toMatchObject({ asExpected: true, tampering: { verdict: 'INTEGRITY_REFUSED' } });
});
