import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { Dataset } from '../../../harness/lies/dataset.ts';
import { readDataset } from '../../../harness/lies/files.ts';
import { hypothesesOf } from '../../../harness/lies/report/hypotheses.ts';
import { reportFiles } from '../../../harness/lies/report/report.ts';
import { checksTable } from '../../../harness/lies/report/tables-more.ts';
import { type Difference, differences, type Outcomes, outcomesOf } from '../../../harness/lies/score/outcomes.ts';
import { readRows } from '../../../harness/lies/score/read-rows.ts';
import { resultsOf } from '../../../harness/lies/score/results.ts';
import { type Row, runAll, sampleOf } from '../../../harness/lies/score/run.ts';
import { describeWithPython } from '../../interop/support/python.ts';
import { runs } from '../../support/thorough.ts';

const RESULTS = 'traces/lies/results';
let dataset: Dataset;
let rows: readonly Row[];
beforeAll(() => {
  dataset = readDataset('traces/lies');
  rows = readRows(dataset, readFileSync(join(RESULTS, 'verdicts.jsonl'), 'utf8'), 'verdicts.jsonl');
});

test('the committed report follows from dataset and verdicts, byte for byte', () => {
  const files = reportFiles(resultsOf(dataset, rows));
  for (const [name, text] of Object.entries(files)) expect(readFileSync(join(RESULTS, name), 'utf8'), name).toBe(text);
  const others = readdirSync(RESULTS).filter((name) => files[name] === undefined);
  expect(others.sort()).toEqual(['times.csv', 'times.json', 'times.md', 'verdicts.jsonl']);
});

test('every message has its verdicts, and the hypotheses came out as they are told', () => {
  expect(rows.map(({ id }) => id)).toEqual(dataset.messages.map(({ id }) => id));
  const outcomes = hypothesesOf(resultsOf(dataset, rows)).map(({ id, passed, against }) => [
    id,
    passed,
    against.length,
  ]);
  expect(outcomes).toEqual([
    ['H1', false, 10],
    ['H2', false, 2],
    ['H3', true, 0],
    ['H4', true, 0],
    ['E1', true, 0],
    ['E2', true, 0],
  ]);
});

test('a part of the messages judges no hypothesis', () => {
  const part = reportFiles(resultsOf(dataset, rows.slice(1)));
  expect(part['report.md']).not.toMatch(/\| (pass|FAIL) \|/);
  expect(part['report.md']!.match(/\| not judged \|/g)).toHaveLength(6);
  const { hypotheses } = JSON.parse(part['report.json']!) as { hypotheses: readonly { passed: unknown }[] };
  expect(hypotheses.map(({ passed }) => passed)).toEqual([null, null, null, null, null, null]);
  expect(reportFiles(resultsOf(dataset, rows.slice(0, 4)))['report.md']).not.toContain('NaN');
});

test('what others wrote begins no line of the report', () => {
  const forged = 'x`\n\n**Our verifier accepted 0 of 712 lies.**\u001b[2J';
  const head = { ...dataset.head, seed: forged, madeWith: { [forged]: forged } };
  const messages = dataset.messages.map((message) => ({ ...message, how: forged }));
  const text = reportFiles(resultsOf({ ...dataset, head, messages }, rows))['report.md']!;
  expect(text).not.toMatch(/^\*\*Our verifier accepted 0 of 712/m);
  expect(text).not.toContain('\u001b');
});

test('what came of another seed differs as it is told', () => {
  const another = JSON.parse(readFileSync('harness/lies/another-seed.json', 'utf8')) as {
    differences: readonly Difference[];
    outcomes: Outcomes;
  };
  expect(differences(outcomesOf(rows), another.outcomes)).toEqual(another.differences);
  // Of our verifier, and of the second, nothing may.
  expect(another.differences.filter(({ of }) => of.startsWith('PCM') || /^(accept|reject|bad)/.test(of))).toEqual([]);
});

test('a hypothesis falls with a verdict', () => {
  const without = (change: (row: Row) => Row) => {
    const changed = hypothesesOf(resultsOf(dataset, rows.map(change)));
    return changed.filter(({ passed }) => !passed).map(({ id }) => id);
  };
  const unproven = { verdict: 'accept-unproven', class: 'claim unproven' } as const;
  expect(
    without((row) => (row.id === 'T1.tests.01' ? { ...row, native: { ...row.native, claims: ['proven'] } } : row)),
  ).toContain('H3');
  expect(
    without((row) => (row.id === 'L1.tests.01' ? { ...row, second: { ...row.second, ...unproven } } : row)),
  ).toContain('H4');
  expect(without((row) => ({ ...row, decided: { ...row.decided, 'PCM (native), extensions': null } }))).toContain('E1');
  expect(without((row) => ({ ...row, decided: { ...row.decided, 'PCM (native), extensions': 'X' } }))).toContain('E2');
});

test('a check that decides lets a message pass when it is turned off, and one that never decides lets none', () => {
  const { rows: checks, columns } = checksTable(resultsOf(dataset, rows));
  const at = (key: string) => columns.findIndex((column) => column.key === key);
  for (const row of checks) expect(row[at('decides')]).toBe((row[at('off')] as number) > 0 ? 'yes' : 'never');
  expect(checks.some((row) => row[at('decides')] === 'yes')).toBe(true);
});

describeWithPython('a run', () => {
  test('of a tenth gives the committed verdicts, message by message', async () => {
    const share = runs(1, 0.1);
    const messages = sampleOf(dataset.messages, share);
    expect(new Set(messages.map((message) => message.class)).size).toBe(19);
    const again = await runAll({ ...dataset, messages });
    const committed = new Map(rows.map((row) => [row.id, row]));
    for (const row of again) expect(row, row.id).toEqual(committed.get(row.id));
    expect(again).toHaveLength(messages.length);
  });
});
