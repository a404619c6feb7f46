import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeResults, type Synthetic } from './synthetic.ts';

const folder = mkdtempSync(join(tmpdir(), 'forensictrace-experiment-cli-'));
let made: Synthetic;
beforeAll(() => {
  made = makeResults(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

type Ran = { readonly code: number; readonly stdout: string; readonly stderr: string };
const experiment = (...args: readonly string[]): Promise<Ran> =>
  new Promise((done) => {
    const command = ['--import', 'tsx', 'src/cli/main.ts', 'experiment', ...args];
    execFile(process.execPath, command, (error, stdout, stderr) => {
      done({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
  });
const named = ['--name', 'synthetic'] as const;

test('report writes every table in every form and a page, and verify names the run whose reply was edited', async () => {
  const out = join(folder, 'report');
  const { code, stdout } = await experiment('report', folder, ...named, '--out', out);
  expect(stdout).toBe(
    `12 runs, each sealed, verified in three configurations, and judged as it went.\n\nTables and page are in ${out}\n`,
  );
  expect(code).toBe(0);
  expect(readdirSync(out).sort()).toEqual([
    'ablation.csv',
    'actions.csv',
    'choosers.csv',
    'correctness.csv',
    'latency.csv',
    'overall.csv',
    'report.html',
    'size.csv',
    'tables.json',
    'tables.txt',
    'unintended.csv',
  ]);
  const { tables } = JSON.parse(readFileSync(join(out, 'tables.json'), 'utf8')) as { tables: { id: string }[] };
  for (const { id } of tables) expect(readdirSync(out)).toContain(`${id}.csv`);
  expect(readFileSync(join(out, 'tables.txt'), 'utf8')).toContain('all     6           6         6          6');
  expect(readFileSync(join(out, 'report.html'), 'utf8')).toMatch(/^<!doctype html>/);

  const choices = readFileSync(made.layout.choices, 'utf8');
  writeFileSync(made.layout.choices, choices.replace('{\\"action\\"', '{\\"actions\\"'));
  const [{ run_id }] = choices.split('\n', 1).map((line) => JSON.parse(line) as { run_id: string }) as [
    { run_id: string },
  ];
  const edited = await experiment('verify', folder, ...named);
  writeFileSync(made.layout.choices, choices);
  expect(edited.code).toBe(4);
  expect(edited.stdout).toMatch(/^2 faults in these results: they are not to be relied on\.\n/);
  expect(edited.stdout).toMatch(/FILE_NOT_AS_SEALED \(1\).*\n {2}choices\.jsonl: sealed with digest/);
  expect(edited.stdout).toMatch(new RegExp(`REPLY_NOT_AS_JUDGED \\(1\\).*\\n {2}${run_id}: `));
});

test('verify --json says the same as data, and of another name that there is nothing', async () => {
  const [whole, none] = await Promise.all([
    experiment('verify', folder, ...named, '--json'),
    experiment('verify', folder, '--name', 'another'),
  ]);
  expect(whole.code).toBe(0);
  const { runs, ...rest } = JSON.parse(whole.stdout) as { runs: { side: string; verdicts: { full: string } }[] };
  expect(rest).toEqual({ summary: expect.stringContaining('12 runs') as string, exit_code: 0, faults: [] });
  expect(runs.map(({ side, verdicts }) => `${side} ${verdicts.full}`).sort()).toEqual([
    ...Array.from({ length: 6 }, () => 'condition FORENSICALLY_INDICATED'),
    ...Array.from({ length: 6 }, () => 'control FORENSICALLY_CONSISTENT'),
  ]);
  expect(none.code).toBe(2);
  expect(none.stderr).toMatch(/^forensictrace: cannot read the settings\.json .*another\/settings\.json/);
});
