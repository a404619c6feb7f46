import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';

const run = promisify(execFile);
const lies = (...args: readonly string[]) =>
  run(process.execPath, ['--import', 'tsx', 'src/cli/main.ts', 'lies', ...args], { maxBuffer: 1 << 24 });

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
