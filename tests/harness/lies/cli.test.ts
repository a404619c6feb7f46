import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { MAIN } from '../../cli/run.ts';

const run = promisify(execFile);
const lies = (...args: readonly string[]) => run(process.execPath, [MAIN, 'lies', ...args], { maxBuffer: 1 << 24 });

const folder = mkdtempSync(join(tmpdir(), 'lies-cli-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('report prints the committed report', async () => {
  const { stdout } = await lies('report', '--results', 'traces/lies/results');
  expect(stdout).toBe(readFileSync('traces/lies/results/report.md', 'utf8'));
});

test('a dataset of another pre-registration, and a share that is none, end with 2', async () => {
  const head = readFileSync('traces/lies/dataset.json', 'utf8');
  writeFileSync(
    join(folder, 'dataset.json'),
    head.replace(/"preregistration": "sha256:../, '"preregistration": "sha256:00'),
  );
  const other = expect.stringContaining('pre-registration') as string;
  await expect(lies('run', folder, '--out', folder)).rejects.toMatchObject({ code: 2, stderr: other });
  const share = expect.stringContaining('share') as string;
  await expect(lies('run', '--out', folder, '--sample', '2')).rejects.toMatchObject({ code: 2, stderr: share });
});

test('forged results end with 2, in one line, and nothing is written', async () => {
  const verdicts = readFileSync('traces/lies/results/verdicts.jsonl', 'utf8');
  writeFileSync(join(folder, 'verdicts.jsonl'), verdicts.replace('"verdict":"reject"', '"verdict":"accept"'));
  const out = join(folder, 'report');
  const told =
    'forensictrace: verdicts.jsonl verdict 1: L1.tests.01: what is said of PCM (native) is at odds with itself\n';
  await expect(lies('report', '--results', folder, '--out', out)).rejects.toMatchObject({ code: 2, stderr: told });
  expect(existsSync(out)).toBe(false);
});
