import { type Family, FamilyDefinition, loadTrust, readInput, readJson } from '../../src/index.ts';
import { checkAccount } from './evaluate-account.ts';
import { FAULTS, type Fault, fault } from './evaluate-faults.ts';
import { type ResultFiles, readResults } from './evaluate-files.ts';
import { type JudgeInput, verifiersOf } from './evaluate-judge.ts';
import { type EvaluatedRun, latencyOf } from './evaluate-run.ts';
import { type CompleteRun, checkSchedule, collectRuns } from './evaluate-schedule.ts';
import { checkSeal } from './evaluate-seal.ts';
import { judgeAll } from './evaluate-threads.ts';
import type { Layout, Schedule, Settings } from './model.ts';

type File = { readonly name: string; readonly bytes: Uint8Array };
type Definitions = ReadonlyMap<Family, FamilyDefinition>;

/** What results are verified by; nothing of it is taken from bundles or receipts. */
export type Against = {
  /** Bytes of the profile for the SDK path that the settings name: each pins the cards of its own agents. */
  readonly profileFor: (path: Settings['sdk']['path']) => Uint8Array;
  readonly families: readonly File[];
  /** File of the trust store. */
  readonly trust: string;
};

/** The results as they were judged: what every table is made from. */
export type Evaluation = {
  readonly schedule: Schedule;
  readonly settings: Settings;
  readonly definitions: Definitions;
  readonly runs: readonly EvaluatedRun[];
};

/** Called at each run: how many are done, of how many, and which it is. */
export type Progress = (done: number, of: number, run: string) => void;

const definitionsOf = (files: readonly File[]): Definitions =>
  new Map(
    files.flatMap(({ name, bytes }) => {
      const json = readJson(bytes, { input: name, recordAttributes: false });
      const fit = FamilyDefinition.safeParse(json.ok ? json.value : null);
      return fit.success ? [[fit.data.family_id, fit.data] as const] : [];
    }),
  );

/** All that can be said without opening a bundle: the seal, the schedule, and each run's own account. Returns the complete runs and the faults. */
export const checkBooks = (
  files: ResultFiles,
  layout: Layout,
  definitions: Definitions,
  trust: string,
): { readonly runs: readonly CompleteRun[]; readonly faults: readonly Fault[] } => {
  const { runs, faults } = collectRuns(files, layout);
  const accounts = runs.flatMap((complete) => {
    const definition = definitions.get(complete.run.family);
    return definition === undefined
      ? [fault('EVIDENCE_UNREADABLE', complete.run.run_id, `there is no definition of ${complete.run.family}`)]
      : checkAccount(complete, definition, files.settings.chooser);
  });
  const whole = [...checkSeal(files, loadTrust(trust), layout), ...checkSchedule(files, layout)];
  return { runs, faults: [...whole, ...faults, ...accounts] };
};

/** What the runs of these results are judged by. */
export const judgeInputOf = (
  { settings, settingsBytes }: ResultFiles,
  { root, name }: Layout,
  definitions: Definitions,
  against: Against,
): JudgeInput => ({
  place: { root, name },
  profile: against.profileFor(settings.sdk.path),
  trust: readInput(against.trust, 'trust store'),
  families: against.families,
  settings: settingsBytes,
  expectedFindings: new Map([...definitions].map(([family, { expected_finding }]) => [family, expected_finding])),
});

/**
 * Verifies the results of an experiment from disk: files against their seal, each run against schedule and reply, and each
 * bundle in three configurations against its receipt and the external outcome. Opens no socket and asks no model. Returns
 * what is wrong, and the evaluation unless the files could not be read as results. Throws EnvironmentFault for a file that is not there.
 */
export const evaluate = async (
  layout: Layout,
  against: Against,
  progress: Progress = () => {},
): Promise<{ readonly evaluation: Evaluation | null; readonly faults: readonly Fault[] }> => {
  const files = readResults(layout);
  if ('faults' in files) return { evaluation: null, faults: files.faults };
  const { schedule, settings } = files;
  const definitions = definitionsOf(against.families);
  const books = checkBooks(files, layout, definitions, against.trust);
  const input = judgeInputOf(files, layout, definitions, against);
  let done = 0;
  const judged = await judgeAll(books.runs, input, (runId) => progress(done++, books.runs.length, runId));
  // Alone, once the threads have ended: what runs beside a verification would be part of its time.
  const { full } = verifiersOf(input);
  const runs = judged.map(({ evaluated }) => ({
    ...evaluated,
    latency: latencyOf(evaluated.run.run_id, layout, full),
  }));
  return {
    evaluation: { schedule, settings, definitions, runs },
    faults: [...books.faults, ...judged.flatMap(({ faults }) => faults)],
  };
};

/** Whether a run came out as it should: full mode as the external outcome says, and each ablation as it must. */
export const isAsItShould = ({ agrees, localised, verdicts }: EvaluatedRun): boolean =>
  agrees &&
  localised !== false &&
  verdicts['root-only'] === 'INTEGRITY_VERIFIED' &&
  verdicts['records-only'] === 'INCONCLUSIVE';

/** 4, 2 or 5 for faults, in that order (`FAULTS`); else 3 when a verdict is not what happened, or there is none; else 0. */
export const exitCodeOfEvaluation = (evaluation: Evaluation | null, faults: readonly Fault[]): 0 | 2 | 3 | 4 | 5 => {
  const worst = ([4, 2, 5] as const).find((code) => faults.some(({ reason }) => FAULTS[reason].exit === code));
  if (worst !== undefined) return worst;
  return evaluation !== null && evaluation.runs.length > 0 && evaluation.runs.every(isAsItShould) ? 0 : 3;
};
