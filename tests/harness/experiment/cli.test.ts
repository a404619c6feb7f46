import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { runExperimentReport } from '../../../src/cli/experiment-report.ts';
import { runExperimentVerify } from '../../../src/cli/experiment-verify.ts';
import { ended, experiment } from './command.ts';
import { makeResults, type Synthetic } from './synthetic.ts';

const folder = mkdtempSync(join(tmpdir(), 'forensictrace-experiment-cli-'));
let made: Synthetic;
beforeAll(() => {
  made = makeResults(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => {
  vi.restoreAllMocks();
});

const name = 'synthetic';

/** Runs a command in this process; returns its exit code and what it printed. */
const printed = async (command: () => Promise<number>): Promise<{ readonly code: number; readonly stdout: string }> => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const code = await command();
  return { code, stdout: write.mock.calls.map(([text]) => String(text)).join('') };
};

test('report writes every table in every form, and a page', async () => {
  const out = join(folder, 'report');
  const { code, stdout } = await printed(() => runExperimentReport(folder, { name, out }));
  expect(stdout).toBe(
    `12 runs, each sealed, verified in three configurations, and judged as it went.\n\nTables and page are in ${out}\n`,
  );
  expect(code).toBe(0);
  const { tables } = JSON.parse(readFileSync(join(out, 'tables.json'), 'utf8')) as { tables: { id: string }[] };
  expect(tables).toHaveLength(8);
  expect(readdirSync(out).sort()).toEqual(
    ['report.html', 'tables.json', 'tables.txt', ...tables.map(({ id }) => `${id}.csv`)].sort(),
  );
  expect(readFileSync(join(out, 'tables.txt'), 'utf8')).toContain('all     6           6         6          6');
  expect(readFileSync(join(out, 'report.html'), 'utf8')).toMatch(/^<!doctype html>/);
});

test('verify --json says the same as data', async () => {
  const { code, stdout } = await printed(() => runExperimentVerify(folder, { name, json: true }));
  expect(code).toBe(0);
  const { runs, ...rest } = JSON.parse(stdout) as { runs: { side: string; verdicts: { full: string } }[] };
  expect(rest).toEqual({ summary: expect.stringContaining('12 runs') as string, exit_code: 0, faults: [] });
  expect(runs.map(({ side, verdicts }) => `${side} ${verdicts.full}`).sort()).toEqual([
    ...Array.from({ length: 6 }, () => 'condition FORENSICALLY_INDICATED'),
    ...Array.from({ length: 6 }, () => 'control FORENSICALLY_CONSISTENT'),
  ]);
});

test('verify under other family definitions ends with 5, and says of every run why', async () => {
  const families = join(folder, 'families');
  cpSync('families', families, { recursive: true });
  const file = join(families, 'as.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace('AgentCard spoofing', 'AgentCard spoofinG'));
  const { code, stdout } = await printed(() => runExperimentVerify(folder, { name, families }));
  expect(code).toBe(5);
  expect(stdout).toMatch(/EVIDENCE_NOT_ADMISSIBLE \(12\).*\n {2}run-\w+: FAMILIES_NOT_NAMED_BY_RECEIPT/);
});

test('verify of a name that is not there says which file is missing', async () => {
  await expect(runExperimentVerify(folder, { name: 'another' })).rejects.toThrow(/settings\.json/);
});

test('verify says that it was held to the keys beside the results, unless others are named', async () => {
  const trust = made.layout.trust;
  const own = await printed(() => runExperimentVerify(folder, { name, trust }));
  vi.restoreAllMocks();
  const beside = await printed(() => runExperimentVerify(folder, { name }));
  expect([beside.code, own.code]).toEqual([0, 0]);
  expect(beside.stdout.replaceAll(/\s+/g, ' ')).toContain(`Held to the keys in ${trust}, which came with the results;`);
  expect(own.stdout).not.toContain('Held to');
});

test.each([
  ['a name that is a path', ['--chooser', 'scripted', '--name', '../../elsewhere'], 'and no path'],
  ['a model where none is asked', ['--chooser', 'scripted', '--model', 'm'], 'asks no model: leave out --model'],
  ['no server', ['--model', 'm', '--host', 'http://127.0.0.1:9'], '--host names another'],
])('run refuses %s, and leaves nothing behind', async (_, options, words) => {
  const root = join(folder, 'refused');
  expect(await ended(experiment(['run', root, ...options]))).toEqual({
    code: 2,
    output: expect.stringContaining(words) as string,
  });
  expect(existsSync(root)).toBe(false);
});

test('verify from the shell ends with 4 after one reply was edited, and names the run', async () => {
  const choices = readFileSync(made.layout.choices, 'utf8');
  writeFileSync(made.layout.choices, choices.replace('{\\"action\\"', '{\\"actions\\"'));
  const { run_id } = JSON.parse(choices.slice(0, choices.indexOf('\n'))) as { run_id: string };
  const { code, output } = await ended(experiment(['verify', folder, '--name', name]));
  expect(code).toBe(4);
  expect(output).toMatch(/^2 faults in these results: they are not to be relied on\.\n/);
  expect(output).toMatch(/FILE_NOT_AS_SEALED \(1\).*\n {2}choices\.jsonl: sealed with digest/);
  expect(output).toMatch(new RegExp(`REPLY_NOT_AS_JUDGED \\(1\\).*\\n {2}${run_id}: `));
});
