import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkBooks, evaluate, exitCodeOfEvaluation, judgeInputOf } from '../../../harness/experiment/evaluate.ts';
import { checkPropagation } from '../../../harness/experiment/evaluate-account.ts';
import { readResults } from '../../../harness/experiment/evaluate-files.ts';
import { judgeOf } from '../../../harness/experiment/evaluate-judge.ts';
import { recordsAt } from '../../../harness/experiment/evaluate-target.ts';
import { markerOf, type Outcome, type Target } from '../../../harness/experiment/model.ts';
import { type Bundle, FAMILIES } from '../../../src/index.ts';
import { against, documents, makeResults, type Synthetic } from './synthetic.ts';

const folder = mkdtempSync(join(tmpdir(), 'forensictrace-scoring-'));
let made: Synthetic;
/** Choosers that erred: a condition of CC was played as its control, and a control of ATSI as its condition. */
beforeAll(() => {
  made = makeResults(folder, ({ family, side }) =>
    family === 'CC' ? 'control' : family === 'ATSI' ? 'condition' : side,
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

const definitions = new Map(FAMILIES.map((family) => [family, documents.definition(family)]));
const complete = () => {
  const files = readResults(made.layout);
  if ('faults' in files) throw new Error(JSON.stringify(files.faults));
  return { files, runs: checkBooks(files, made.layout, definitions, made.layout.trust).runs };
};

describe('runs whose intended observation did not happen', () => {
  it('are told as such, and judged by what did happen', async () => {
    const { evaluation, faults } = await evaluate(made.layout, against(made.layout));
    expect(faults).toEqual([]);
    const of = (family: string, side: string) =>
      evaluation!.runs.find(({ run }) => run.family === family && run.side === side)!;
    expect(of('CC', 'condition')).toMatchObject({
      intended: false,
      expected: 'FORENSICALLY_CONSISTENT',
      verdicts: { full: 'FORENSICALLY_CONSISTENT' },
      agrees: true,
      localised: null,
    });
    expect(of('ATSI', 'control')).toMatchObject({
      intended: false,
      expected: 'FORENSICALLY_INDICATED',
      verdicts: { full: 'FORENSICALLY_INDICATED' },
      agrees: true,
      // A control is not scored for localisation, even where there was something to find.
      localised: null,
    });
    expect(evaluation!.runs.filter(({ intended }) => !intended)).toHaveLength(2);
    expect(exitCodeOfEvaluation(evaluation, faults)).toBe(0);
  });
});

/** One run evaluated with an outcome changed in memory. */
const evaluated = (family: string, side: string, change: (outcome: Outcome) => Partial<Outcome>) => {
  const { files, runs } = complete();
  const run = runs.find((one) => one.run.family === family && one.run.side === side)!;
  const changed = { ...run, outcome: { ...run.outcome, ...change(run.outcome) } };
  return judgeOf(judgeInputOf(files, made.layout, definitions, against(made.layout)))(changed).evaluated;
};

describe('agreement can fail', () => {
  it('when the condition took place and the verifier found none, and the other way round', () => {
    expect(evaluated('CO', 'control', () => ({ observed: true }))).toMatchObject({ agrees: false, intended: false });
    expect(evaluated('CO', 'condition', () => ({ observed: false }))).toMatchObject({ agrees: false, intended: false });
  });

  it('when nothing was sent, as only INCONCLUSIVE is then right', () => {
    const { expected, agrees } = evaluated('AS', 'control', () => ({ sent: false }));
    expect({ expected, agrees }).toEqual({ expected: 'INCONCLUSIVE', agrees: false });
  });

  it('when the executor failed, the run did not go as intended whatever was observed', () => {
    const { agrees, intended } = evaluated('AS', 'condition', () => ({ failure: 'the desk lost its connection' }));
    expect({ agrees, intended }).toEqual({ agrees: true, intended: false });
  });
});

describe('localisation', () => {
  it.each(['AS', 'CO', 'HOTF', 'ASRF', 'ATSI'] as const)('of %s fits the target, and no other', (family) => {
    expect(evaluated(family, 'condition', () => ({})).localised).toBe(true);
    const moved = (target: Target): Target =>
      target.key === 'load_reading'
        ? { ...target, value: { ...target.value, latency_us: target.value.latency_us + 1 } }
        : { ...target, value: target.value.replace(/^./, (first) => (first === 'a' ? 'b' : 'a')) };
    expect(evaluated(family, 'condition', ({ target }) => ({ target: moved(target!) })).localised).toBe(false);
  });

  it('names a record by its neighbour nowhere: a key of another step is not that of the finding', () => {
    const { runs } = complete();
    const { run } = runs.find((one) => one.run.family === 'CO' && one.run.side === 'condition')!;
    const bundle = JSON.parse(readFileSync(made.layout.bundleOf(run.run_id), 'utf8')) as Bundle;
    const last = bundle.exchanges.find(({ exchange_id }) => exchange_id === bundle.routing_events.at(-1)!.exchange_id)!;
    const target = { key: 'step_of_message', value: last.message_id! } as const;
    expect(recordsAt(bundle, target)).toEqual([bundle.routing_events.at(-1)!.routing_id]);
    expect(evaluated('CO', 'condition', () => ({ target })).localised).toBe(false);
  });

  it('takes a key that fits several records for none of them, but every record of one artifact for it', () => {
    const { runs } = complete();
    const { run } = runs.find((one) => one.run.family === 'ATSI' && one.run.side === 'condition')!;
    const bundle = JSON.parse(readFileSync(made.layout.bundleOf(run.run_id), 'utf8')) as Bundle;
    const [card] = bundle.selected_cards;
    const twice = { ...bundle, selected_cards: [card!, { ...card!, card_id: 'another' }] };
    const target = { key: 'card_sha256', value: card!.raw.sha256 } as const;
    expect(recordsAt(bundle, target)).toEqual([card!.card_id]);
    expect(recordsAt(twice, target)).toEqual([]);
    const artifacts = recordsAt(bundle, { key: 'artifact_of_task', value: bundle.artifacts[0]!.task_id! });
    expect(artifacts.length).toBeGreaterThan(1);
  });
});

it('a bundle in which no request holds the marker of its run is noticed, unless nothing was sent', () => {
  const { runs } = complete();
  const run = runs.find((one) => one.run.family === 'AS' && one.run.side === 'control')!;
  const text = readFileSync(made.layout.bundleOf(run.run.run_id), 'utf8');
  const moved = JSON.parse(text.replaceAll(run.outcome.marker, markerOf('run-ffffffffffffffff'))) as Bundle;
  expect(checkPropagation(run, JSON.parse(text) as Bundle)).toEqual([]);
  expect(checkPropagation(run, moved)).toEqual([
    expect.objectContaining({ reason: 'MARKER_NOT_IN_EVIDENCE', at: run.run.run_id }),
  ]);
  expect(checkPropagation({ ...run, outcome: { ...run.outcome, sent: false } }, moved)).toEqual([]);
});
