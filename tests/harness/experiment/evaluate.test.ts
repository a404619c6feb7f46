import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { checkBooks, evaluate, exitCodeOfEvaluation, judgeInputOf } from '../../../harness/experiment/evaluate.ts';
import { FAULTS, type Fault } from '../../../harness/experiment/evaluate-faults.ts';
import { type ResultFiles, readResults } from '../../../harness/experiment/evaluate-files.ts';
import { judgeOf } from '../../../harness/experiment/evaluate-judge.ts';
import { type Choice, type Layout, layoutOf, type Outcome } from '../../../harness/experiment/model.ts';
import { sealResults } from '../../../harness/experiment/seal.ts';
import { FAMILIES } from '../../../src/index.ts';
import { against, documents, makeResults, type Synthetic } from './synthetic.ts';

const folder = mkdtempSync(join(tmpdir(), 'forensictrace-evaluate-'));
let made: Synthetic;
beforeAll(() => {
  made = makeResults(join(folder, 'made'));
});
afterAll(() => rmSync(folder, { recursive: true }));

let copies = 0;
/** A copy of the results in which one thing was changed. */
const tampered = (change: (layout: Layout) => void): Layout => {
  const root = join(folder, `copy-${copies++}`);
  cpSync(join(folder, 'made'), root, { recursive: true });
  const layout = layoutOf(root, 'synthetic');
  change(layout);
  return layout;
};

const definitions = new Map(FAMILIES.map((family) => [family, documents.definition(family)]));
const filesOf = (layout: Layout): ResultFiles => {
  const files = readResults(layout);
  if ('faults' in files) throw new Error(JSON.stringify(files.faults));
  return files;
};
const reasonsOf = (faults: readonly Fault[]): readonly string[] =>
  [...new Set(faults.map(({ reason }) => reason))].sort();
const bookFaults = (layout: Layout): readonly Fault[] =>
  checkBooks(filesOf(layout), layout, definitions, layout.trust).faults;

type Line = Outcome & Choice;
/** Edits the lines of a file, which are outcomes or choices. */
const editLines =
  (which: 'outcomes' | 'choices', edit: (rows: Line[]) => readonly object[]) =>
  (layout: Layout): void => {
    const rows = readFileSync(layout[which], 'utf8').trimEnd().split('\n');
    const edited = edit(rows.map((row) => JSON.parse(row) as Line));
    writeFileSync(layout[which], edited.map((row) => `${JSON.stringify(row)}\n`).join(''));
  };
const editFirst = (which: 'outcomes' | 'choices', edit: (row: Line) => object) =>
  editLines(which, ([first, ...rest]) => [{ ...first, ...edit(first!) }, ...rest]);
const otherSide = ({ side }: Outcome) => (side === 'condition' ? 'control' : 'condition');

describe('results as they were made', () => {
  it('have no fault, and each run is verified in three configurations and agrees with what happened', async () => {
    const { evaluation, faults } = await evaluate(made.layout, against(made.layout));
    expect(faults).toEqual([]);
    expect(exitCodeOfEvaluation(evaluation, faults)).toBe(0);
    expect(evaluation!.runs).toHaveLength(12);
    for (const { run, verdicts, findings, localised, size, latency } of evaluation!.runs) {
      const isCondition = run.side === 'condition';
      expect(verdicts).toEqual({
        full: isCondition ? 'FORENSICALLY_INDICATED' : 'FORENSICALLY_CONSISTENT',
        'root-only': 'INTEGRITY_VERIFIED',
        'records-only': 'INCONCLUSIVE',
      });
      expect(findings.map(({ reason }) => reason)).toEqual(
        isCondition ? [documents.definition(run.family).expected_finding] : [],
      );
      expect(localised).toBe(isCondition ? true : null);
      expect(size).toEqual({ records: expect.any(Number), edges: expect.any(Number), bytes: expect.any(Number) });
      expect(latency).toBeGreaterThan(0);
    }
  });
});

describe('a change of what no receipt covers', () => {
  const swapLabels = editLines('outcomes', (rows) => rows.map((row) => ({ ...row, side: otherSide(row) })));
  const swapTwoLabels = editLines('outcomes', ([one, other, ...rest]) => [
    { ...one, family: other!.family, side: other!.side },
    { ...other, family: one!.family, side: one!.side },
    ...rest,
  ]);
  const moveMarker = editLines('outcomes', ([one, other, ...rest]) => [
    { ...one, marker: other!.marker },
    { ...other, marker: one!.marker },
    ...rest,
  ]);

  it.each([
    ['labels swapped', 'outcomes.jsonl', swapLabels, ['LABEL_NOT_AS_SCHEDULED']],
    ['the labels of two runs exchanged', 'outcomes.jsonl', swapTwoLabels, ['LABEL_NOT_AS_SCHEDULED']],
    ['the markers of two runs exchanged', 'outcomes.jsonl', moveMarker, ['MARKER_NOT_OF_RUN']],
    [
      'a place where the marker was not logged',
      'outcomes.jsonl',
      editFirst('outcomes', () => ({ marker_seen: ['elsewhere/request'] })),
      ['OUTCOME_NOT_AS_LOGGED'],
    ],
    [
      'an observation that the log does not hold',
      'outcomes.jsonl',
      editFirst('outcomes', ({ observed }) => ({ observed: !observed })),
      ['OUTCOME_NOT_AS_LOGGED'],
    ],
    [
      'another action than the chosen one',
      'outcomes.jsonl',
      editFirst('outcomes', () => ({ action: 'another' })),
      ['ACTION_NOT_CHOSEN'],
    ],
    [
      'a reply edited',
      'choices.jsonl',
      editFirst('choices', () => ({ reply: '{"action":"another"}' })),
      ['REPLY_NOT_AS_JUDGED'],
    ],
    [
      'a reply edited into no JSON',
      'choices.jsonl',
      editFirst('choices', () => ({ reply: 'I would rather not.' })),
      ['REPLY_NOT_AS_JUDGED'],
    ],
    [
      'an invalid reply told as valid',
      'choices.jsonl',
      editFirst('choices', () => ({ reply: '{}', action: null, valid: true })),
      ['ACTION_NOT_CHOSEN', 'REPLY_NOT_AS_JUDGED'],
    ],
    [
      'a prompt where no model was asked',
      'choices.jsonl',
      editFirst('choices', () => ({ prompt_sha256: '0'.repeat(64) })),
      ['PROMPT_NOT_OF_DEFINITION'],
    ],
    ['an outcome taken away', 'outcomes.jsonl', editLines('outcomes', (rows) => rows.slice(1)), ['RUN_MISSING']],
    ['a reply taken away', 'choices.jsonl', editLines('choices', (rows) => rows.slice(1)), ['RUN_MISSING']],
    ['an outcome twice', 'outcomes.jsonl', editLines('outcomes', (rows) => [rows[0]!, ...rows]), ['RUN_REPEATED']],
    [
      'an outcome of a run that was not scheduled',
      'outcomes.jsonl',
      editLines('outcomes', (rows) => [...rows, { ...rows[0], run_id: 'run-ffffffffffffffff' }]),
      ['RUN_ADDITIONAL'],
    ],
  ])('is noticed by the seal, and named also when it was sealed again: %s', (_, file, change, reasons) => {
    const layout = tampered(change);
    const broken = bookFaults(layout);
    expect(broken).toContainEqual(expect.objectContaining({ reason: 'FILE_NOT_AS_SEALED', at: file }));
    expect(exitCodeOfEvaluation(null, broken)).toBe(4);

    rmSync(layout.seal);
    sealResults(layout, made.signer);
    expect(reasonsOf(bookFaults(layout))).toEqual(reasons);
  });

  it.each([
    ['seal taken away', (layout: Layout) => rmSync(layout.seal), 'SEAL_MISSING'],
    [
      'seal that says less',
      (layout: Layout) => {
        const seal = JSON.parse(readFileSync(layout.seal, 'utf8')) as { files: unknown[] };
        writeFileSync(layout.seal, JSON.stringify({ ...seal, files: seal.files.slice(1) }));
      },
      'SEAL_NOT_TRUSTED',
    ],
    [
      'another order of the schedule',
      (layout: Layout) => {
        const schedule = JSON.parse(readFileSync(layout.schedule, 'utf8')) as { runs: { order: number }[] };
        const [one, other, ...rest] = schedule.runs;
        const runs = [{ ...other, order: 0 }, { ...one, order: 1 }, ...rest];
        writeFileSync(layout.schedule, JSON.stringify({ ...schedule, runs }));
      },
      'SCHEDULE_NOT_OF_SEED',
    ],
    ['a bundle taken away', (layout: Layout) => rmSync(layout.bundleOf(firstRun())), 'RUN_MISSING'],
    ['a receipt taken away', (layout: Layout) => rmSync(layout.receiptOf(firstRun())), 'RUN_MISSING'],
    [
      'a bundle too many',
      (layout: Layout) => cpSync(layout.bundleOf(firstRun()), layout.bundleOf('run-ffffffffffffffff')),
      'RUN_ADDITIONAL',
    ],
  ])('is named: %s', (_, change, reason) => {
    const faults = bookFaults(tampered(change));
    expect(reasonsOf(faults)).toContain(reason);
    expect(exitCodeOfEvaluation(null, faults)).toBe(4);
  });
});

const firstRun = (): string => filesOf(made.layout).schedule.runs[0]!.run_id;

/** Evaluates the first run alone. */
const firstEvaluated = (layout: Layout, families = documents.families) => {
  const files = filesOf(layout);
  const [complete] = checkBooks(files, layout, definitions, layout.trust).runs;
  return judgeOf(judgeInputOf(files, layout, definitions, { ...against(layout), families }))(complete!);
};

describe('a change of evidence, or of what it was made under', () => {
  it('is refused with the run named: one byte of a bundle', () => {
    const layout = tampered((copy) => {
      const file = copy.bundleOf(firstRun());
      writeFileSync(
        file,
        readFileSync(file, 'utf8').replace(/mark-[0-9a-f]/, (hit) => `${hit.slice(0, -1)}z`),
      );
    });
    const { faults, evaluated } = firstEvaluated(layout);
    expect(reasonsOf(faults)).toEqual(['EVIDENCE_REFUSED']);
    expect(faults[0]!.at).toBe(firstRun());
    expect(evaluated).toMatchObject({ agrees: false, size: null, accepted: { receipt: true, root: false } });
    expect(exitCodeOfEvaluation(null, faults)).toBe(4);
  });

  it('is refused when bundle and receipt of one run stand in the place of another', () => {
    const layout = tampered((copy) => {
      const [one, other] = filesOf(copy).schedule.runs.map(({ run_id }) => run_id) as [string, string];
      for (const of of [copy.bundleOf, copy.receiptOf]) renameSync(of(other), of(one));
      for (const of of [copy.bundleOf, copy.receiptOf]) cpSync(of(one), of(other));
    });
    expect(reasonsOf(firstEvaluated(layout).faults)).toContain('EVIDENCE_OF_ANOTHER_RUN');
  });

  it('is not admissible under a family definition that was edited since', () => {
    const families = documents.families.map(({ name, bytes }) =>
      name === 'as.json'
        ? { name, bytes: Buffer.from(Buffer.from(bytes).toString().replace('trusted', 'Trusted')) }
        : { name, bytes },
    );
    const { faults } = firstEvaluated(made.layout, families as unknown as typeof documents.families);
    expect(reasonsOf(faults)).toEqual(['EVIDENCE_NOT_ADMISSIBLE']);
    expect(faults[0]!.detail).toContain('FAMILIES_NOT_NAMED_BY_RECEIPT');
    expect(exitCodeOfEvaluation(null, faults)).toBe(5);
  });

  it('is not admissible under settings that were edited since, and sealed again', () => {
    const layout = tampered((copy) => {
      const settings = readFileSync(copy.settings, 'utf8');
      writeFileSync(copy.settings, settings.replace('"processor":"any"', '"processor":"another"'));
      rmSync(copy.seal);
      sealResults(copy, made.signer);
    });
    expect(bookFaults(layout)).toEqual([]);
    expect(firstEvaluated(layout).faults[0]!.detail).toContain('SETTINGS_NOT_NAMED_BY_RECEIPT');
  });
});

describe('a file that is no file of results', () => {
  test.each([
    ['a line that was cut', 'outcomes', (text: string) => text.slice(0, -1)],
    ['no JSON', 'schedule', () => 'x'],
    ['a member too many', 'settings', (text: string) => text.replace('{', '{"more":1,')],
    ['a member twice', 'settings', (text: string) => text.replace('{', '{"format":"a2aft.experiment-settings.v1",')],
    ['endless depth', 'choices', () => `${'['.repeat(100_000)}\n`],
    ['a prototype', 'outcomes', (text: string) => text.replace('"log":[{', '"log":[{"__proto__":{"what":"message"},')],
  ] as const)('is told and nothing else is done: %s', async (_, which, change) => {
    const layout = tampered((copy) => writeFileSync(copy[which], change(readFileSync(copy[which], 'utf8'))));
    const { evaluation, faults } = await evaluate(layout, against(layout));
    expect(evaluation).toBeNull();
    expect(reasonsOf(faults)).toEqual(['FILE_MALFORMED']);
    expect(exitCodeOfEvaluation(evaluation, faults)).toBe(2);
  });

  it('is a fault of the environment when it is not there', async () => {
    const layout = tampered((copy) => rmSync(copy.outcomes));
    await expect(evaluate(layout, against(layout))).rejects.toThrow('outcomes.jsonl');
  });
});

test('every fault has an exit code of the table and says what it is', () => {
  for (const { exit, title } of Object.values(FAULTS)) {
    expect([2, 4, 5]).toContain(exit);
    expect(title).toMatch(/^[A-Z].*[^.]$/);
  }
});
