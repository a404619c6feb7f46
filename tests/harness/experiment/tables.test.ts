import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { exitCodeOfEvaluation } from '../../../harness/experiment/evaluate.ts';
import type { EvaluatedRun } from '../../../harness/experiment/evaluate-run.ts';
import type { Settings } from '../../../harness/experiment/model.ts';
import { type Cell, cellText, type Table, tableCsv, tableJson, tablesOf } from '../../../harness/experiment/tables.ts';
import { distance } from '../../../harness/experiment/tables-actions.ts';
import { madeEvaluation, scriptedSettings } from './made.ts';

type Rows = Readonly<Record<string, Cell>>[];
const rowsOf = (tables: readonly Table[], id: string): Rows =>
  (tableJson(tables.find((table) => table.id === id)!) as unknown as { rows: Rows }).rows;

/** One condition of AS in which the chooser took the other action; the verifier says what happened. */
const wentOtherwise = ({ run, outcome, choices: [acting, ...beside] }: EvaluatedRun): Partial<EvaluatedRun> =>
  run.family === 'AS' && run.side === 'condition' && run.repetition === 0
    ? {
        outcome: { ...outcome, observed: false, target: null, action: 'use_first_offer' },
        choices: [{ ...acting, action: 'use_first_offer' }, ...beside],
        verdicts: {
          full: 'FORENSICALLY_CONSISTENT',
          'root-only': 'INTEGRITY_VERIFIED',
          'records-only': 'INCONCLUSIVE',
        },
        findings: [],
        expected: 'FORENSICALLY_CONSISTENT',
        intended: false,
        localised: null,
      }
    : {};

describe('the tables of 240 runs that all went as intended', () => {
  const evaluation = madeEvaluation(20);
  const tables = tablesOf(evaluation);

  it('are those of the paper', () => {
    expect(rowsOf(tables, 'correctness').at(-1)).toEqual({
      family: 'all',
      conditions: 120,
      condition_observed: 120,
      condition_indicated: 120,
      controls: 120,
      control_observed: 0,
      control_indicated: 0,
      runs: 240,
      agree: 240,
      localisation_scored: 120,
      localised: 120,
    });
    const overall = new Map(rowsOf(tables, 'overall').map((row) => [row.measure, row]));
    const { low, high } = overall.get('conditions indicated')!;
    expect([Number(low).toFixed(3), Number(high).toFixed(3)]).toEqual(['0.969', '1.000']);
    const controls = overall.get('controls indicated')!;
    expect([Number(controls.low).toFixed(3), Number(controls.high).toFixed(3)]).toEqual(['0.000', '0.031']);
    expect(overall.get('full: agrees with the external outcome')).toMatchObject({ count: 240, of: 240 });
    expect(rowsOf(tables, 'ablation').map((row) => Object.values(row).slice(1))).toEqual([
      [240, 120, 120, 0, 0, 0],
      [240, 0, 0, 0, 240, 0],
      [240, 0, 0, 240, 0, 0],
    ]);
    expect(rowsOf(tables, 'unintended')).toEqual([]);
    expect(exitCodeOfEvaluation(evaluation, [])).toBe(0);
  });

  it('pool sizes and latencies: 1 to 240 ms have median 120.5 and p95 228.05', () => {
    const [latency] = rowsOf(tables, 'latency').slice(-1);
    expect(latency).toEqual({ family: 'all', traces: 240, median_ms: 120.5, p95_ms: expect.closeTo(228.05, 9) });
    expect(rowsOf(tables, 'size').at(-1)).toMatchObject({ records_median: 129.5, edges_most: 259, bytes_most: 1239 });
    const perFamily = rowsOf(tables, 'latency').slice(0, -1);
    expect(perFamily.map(({ traces }) => traces)).toEqual([40, 40, 40, 40, 40, 40]);
  });

  it('say how far each chooser depended on its input', () => {
    expect(rowsOf(tables, 'choosers')).toEqual([
      { chooser: 'acting', replies: 240, valid: 240, told_apart: 6, distance: 1, same_as_acting: 240 },
      { chooser: 'constant', replies: 240, valid: 240, told_apart: 0, distance: 0, same_as_acting: 120 },
      { chooser: 'random', replies: 240, valid: 240, told_apart: 0, distance: 0, same_as_acting: 120 },
    ]);
    const actions = rowsOf(tables, 'actions').filter(
      ({ family, run_type }) => family === 'AS' && run_type === 'condition',
    );
    expect(actions).toEqual([
      {
        family: 'AS',
        run_type: 'condition',
        action: 'use_first_offer',
        acting: 0,
        constant: 20,
        random: 10,
        content_free: null,
      },
      {
        family: 'AS',
        run_type: 'condition',
        action: 'use_last_offer',
        acting: 20,
        constant: 0,
        random: 10,
        content_free: null,
      },
    ]);
  });
});

describe('a condition whose observation did not happen', () => {
  const evaluation = madeEvaluation(2, wentOtherwise);
  const tables = tablesOf(evaluation);

  it('is told, and the verifier is scored against what did happen', () => {
    expect(rowsOf(tables, 'unintended')).toEqual([
      expect.objectContaining({
        family: 'AS',
        action: 'use_first_offer',
        observed: 'no',
        agrees: 'yes',
        localised: null,
      }),
    ]);
    expect(rowsOf(tables, 'correctness')[0]).toMatchObject({
      conditions: 2,
      condition_observed: 1,
      condition_indicated: 1,
      agree: 4,
      localisation_scored: 1,
      localised: 1,
    });
    expect(rowsOf(tables, 'choosers')[0]).toMatchObject({ told_apart: 5, distance: (5 + 0.5) / 6 });
    expect(exitCodeOfEvaluation(evaluation, [])).toBe(0);
  });
});

test.each<[string, Partial<EvaluatedRun>]>([
  ['a verdict that is not what happened', { agrees: false }],
  ['a finding that names another record', { localised: false }],
  [
    'a root-only status that is none',
    { verdicts: { full: 'INCONCLUSIVE', 'root-only': 'INTEGRITY_REFUSED', 'records-only': 'INCONCLUSIVE' } },
  ],
  [
    'a records-only verdict that is conclusive',
    { verdicts: { full: 'INCONCLUSIVE', 'root-only': 'INTEGRITY_VERIFIED', 'records-only': 'FORENSICALLY_INDICATED' } },
  ],
])('%s is told, and the exit code is 3', (_, change) => {
  const evaluation = madeEvaluation(1, ({ run }) => (run.order === 3 ? change : {}));
  expect(rowsOf(tablesOf(evaluation), 'unintended')).toHaveLength(1);
  expect(exitCodeOfEvaluation(evaluation, [])).toBe(3);
});

test('an invalid reply has a row of its own, and evidence that was refused is counted as that and not measured', () => {
  const tables = tablesOf(
    madeEvaluation(1, ({ run, choices: [acting, ...beside], verdicts }) =>
      run.order === 0
        ? {
            choices: [{ ...acting, valid: false, action: null }, ...beside],
            verdicts: { ...verdicts, full: 'INTEGRITY_REFUSED' },
            accepted: { receipt: true, root: false },
            size: null,
            agrees: false,
          }
        : {},
    ),
  );
  expect(rowsOf(tables, 'actions').filter(({ action }) => action === '(not valid)')).toEqual([
    expect.objectContaining({ acting: 1, constant: 0 }),
  ]);
  expect(rowsOf(tables, 'ablation')[0]).toMatchObject({ results: 12, refused: 1 });
  expect(rowsOf(tables, 'size').at(-1)).toMatchObject({ traces: 11 });
  const overall = new Map(rowsOf(tables, 'overall').map((row) => [row.measure, row.count]));
  expect([overall.get('receipts verified'), overall.get('incident roots verified')]).toEqual([12, 11]);
});

test('tables of no run at all hold no number that was not measured', () => {
  const tables = tablesOf({ ...madeEvaluation(1), runs: [] });
  expect(rowsOf(tables, 'latency').at(-1)).toEqual({ family: 'all', traces: 0, median_ms: null, p95_ms: null });
  expect(rowsOf(tables, 'overall')[0]).toMatchObject({ count: 0, of: 0, share: null, low: null, high: null });
  expect(exitCodeOfEvaluation({ ...madeEvaluation(1), runs: [] }, [])).toBe(3);
});

describe('each caption names every deviation from the paper', () => {
  const model: Settings = {
    ...scriptedSettings,
    chooser: {
      backend: 'ollama',
      model: { name: 'smollm2-135m', digest: 'ab'.repeat(32), layers: [] },
      options: { seed: 42, temperature: 0, num_ctx: 1024, num_predict: 32, num_thread: 1 },
      server: { name: 'ollama', version: '0.17.4', binary_sha256: null, build: '-march=x86-64-v3' },
    },
  };
  it.each([
    ['no model', scriptedSettings, ['no model took part', 'scripted chooser', 'llama3.2:3b']],
    [
      'a model',
      model,
      ['smollm2-135m', 'abababababab', 'ollama 0.17.4', '-march=x86-64-v3', 'temperature 0', 'llama3.2:3b'],
    ],
  ])('with %s', (_, settings, words) => {
    for (const { caption } of tablesOf(madeEvaluation(1, undefined, settings))) {
      const always = ['@a2a-js/sdk 1.3.0', 'a2a-sdk 1.1.0', 'linux x64', '8 GiB', 'Windows 11', '12 runs (paper: 240)'];
      for (const word of [...words, ...always]) expect(caption).toContain(word);
    }
  });
});

describe('a table as data', () => {
  const table: Table = {
    id: 't',
    title: 'T',
    caption: 'C',
    columns: [
      { key: 'text', title: 'Text' },
      { key: 'number', title: 'Number', digits: 2 },
    ],
    rows: [
      ['a,b', 1.005],
      ['say "no"\nnow', null],
      ['=SUM(A1)', -1],
      ['-x', 0],
    ],
  };

  it('is CSV as RFC 4180 has it, and no cell of it is a formula', () => {
    expect(tableCsv(table)).toBe('text,number\r\n"a,b",1.005\r\n"say ""no""\nnow",\r\n\'=SUM(A1),-1\r\n\'-x,0\r\n');
  });

  it('is JSON by the keys of its columns, and text with the digits of the column', () => {
    expect(tableJson(table)).toMatchObject({ id: 't', rows: [{ text: 'a,b', number: 1.005 }, {}, {}, {}] });
    expect(table.rows.map((row) => cellText(row[1]!, table.columns[1]!))).toEqual(['1.00', '-', '-1.00', '0.00']);
  });
});

test('distance is symmetric, 0 of equal shares, 1 of nothing in common, and never more', () => {
  const counts = fc.array(fc.nat(30), { minLength: 3, maxLength: 3 }).filter((list) => list.some((n) => n > 0));
  fc.assert(
    fc.property(counts, counts, fc.integer({ min: 1, max: 9 }), (one, other, times) => {
      const value = distance(one, other)!;
      expect(value).toBeGreaterThanOrEqual(0);
      expect(value).toBeLessThanOrEqual(1 + 1e-12);
      expect(distance(other, one)).toBeCloseTo(value, 12);
      expect(
        distance(
          one,
          one.map((n) => n * times),
        ),
      ).toBeCloseTo(0, 12);
      expect(distance([...one, 0, 0, 0], [0, 0, 0, ...other])).toBeCloseTo(1, 12);
    }),
  );
  expect(distance([3, 1], [1, 3])).toBe(0.5);
  expect(distance([0, 0], [1, 0])).toBeNull();
});
