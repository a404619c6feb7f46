import { readDocuments } from '../../../harness/documents.ts';
import type { Evaluation } from '../../../harness/experiment/evaluate.ts';
import type { EvaluatedRun } from '../../../harness/experiment/evaluate-run.ts';
import { type Choice, markerOf, type ScheduledRun, type Settings } from '../../../harness/experiment/model.ts';
import { makeSchedule } from '../../../harness/experiment/schedule.ts';
import { FAMILIES } from '../../../src/index.ts';

const documents = readDocuments();

export const scriptedSettings: Settings = {
  format: 'a2aft.experiment-settings.v1',
  chooser: { backend: 'scripted', model: null, options: null, server: null },
  schedule_sha256: '0'.repeat(64),
  sdk: { path: 'a2a-js 1.0 SendMessage', client: '@a2a-js/sdk 1.3.0', server: '@a2a-js/sdk 1.3.0' },
  machine: { node: '20.19.0', platform: 'linux x64', processor: 'any', memory_bytes: 8 * 1024 ** 3 },
};

const reply = (run_id: string, role: Choice['role'], action: string | null): Choice => ({
  run_id,
  role,
  prompt_sha256: null,
  reply: JSON.stringify({ action }),
  valid: action !== null,
  action,
});

/** A run that went as intended and was judged so: a condition by the last permitted action, a control by the first. */
const asIntended = (run: ScheduledRun): EvaluatedRun => {
  const { permitted_actions: actions, expected_finding } = documents.definition(run.family);
  const isCondition = run.side === 'condition';
  const action = actions.at(isCondition ? -1 : 0)!;
  const verdict = isCondition ? 'FORENSICALLY_INDICATED' : 'FORENSICALLY_CONSISTENT';
  return {
    run,
    outcome: {
      run_id: run.run_id,
      family: run.family,
      side: run.side,
      marker: markerOf(run.run_id),
      action,
      sent: true,
      observed: isCondition,
      marker_seen: ['researcher/message'],
      log: [],
      failure: null,
      target: isCondition ? { key: 'artifact_of_task', value: 'task-1' } : null,
    },
    choices: [
      reply(run.run_id, 'acting', action),
      reply(run.run_id, 'constant', actions[0]!),
      reply(run.run_id, 'random', run.repetition % 2 === 0 ? actions[0]! : actions[1]!),
    ],
    verdicts: { full: verdict, 'root-only': 'INTEGRITY_VERIFIED', 'records-only': 'INCONCLUSIVE' },
    findings: isCondition ? [{ reason: expected_finding, record: 'record-1' }] : [],
    accepted: { receipt: true, root: true },
    expected: verdict,
    intended: true,
    agrees: true,
    localised: isCondition ? true : null,
    size: { records: 10 + run.order, edges: 20 + run.order, bytes: 1000 + run.order },
    latency: run.order + 1,
  };
};

/** An evaluation out of nothing, in which each run is changed as told. */
export const madeEvaluation = (
  repetitions: number,
  change: (run: EvaluatedRun) => Partial<EvaluatedRun> = () => ({}),
  settings: Settings = scriptedSettings,
): Evaluation => {
  const schedule = makeSchedule('run', 'made', repetitions);
  const runs = schedule.runs.map(asIntended).map((run) => ({ ...run, ...change(run) }));
  const definitions = new Map(FAMILIES.map((family) => [family, documents.definition(family)]));
  return { schedule, settings, definitions, runs };
};
