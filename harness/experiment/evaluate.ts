import {
  createVerifier,
  type Family,
  FamilyDefinition,
  loadTrust,
  type Mode,
  nativeCrypto,
  readInput,
  readJson,
  type Verifier,
} from '../../src/index.ts';
import { checkAccount } from './evaluate-account.ts';
import { FAULTS, type Fault, fault } from './evaluate-faults.ts';
import { type ResultFiles, readResults } from './evaluate-files.ts';
import { type EvaluatedRun, evaluateRun, type Verifiers } from './evaluate-run.ts';
import { type CompleteRun, checkSchedule, collectRuns } from './evaluate-schedule.ts';
import { checkSeal } from './evaluate-seal.ts';
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

/** Called before each run: how many are done, of how many, and which is next. */
export type Progress = (done: number, of: number, next: string) => void;

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

/** A verifier for each configuration, which reads profile, trust store, families and settings once for all runs. */
export const verifiersOf = ({ settings, settingsBytes }: ResultFiles, against: Against): Verifiers => {
  const input = {
    profile: against.profileFor(settings.sdk.path),
    trust: readInput(against.trust, 'trust store'),
    families: against.families,
    settings: settingsBytes,
    otherProfile: false,
  };
  const verifierIn = (mode: Mode): Verifier => createVerifier({ ...input, mode }, nativeCrypto);
  return {
    full: verifierIn('full'),
    'root-only': verifierIn('root-only'),
    'records-only': verifierIn('records-only'),
  };
};

/**
 * Verifies the results of an experiment from disk: files against their seal, each run against schedule and reply, and each
 * bundle in three configurations against its receipt and the external outcome. Opens no socket and asks no model. Returns
 * what is wrong, and the evaluation unless the files could not be read as results. Throws EnvironmentFault for a file that is not there.
 */
export const evaluate = (
  layout: Layout,
  against: Against,
  progress: Progress = () => {},
): { readonly evaluation: Evaluation | null; readonly faults: readonly Fault[] } => {
  const files = readResults(layout);
  if ('faults' in files) return { evaluation: null, faults: files.faults };
  const { schedule, settings } = files;
  const definitions = definitionsOf(against.families);
  const books = checkBooks(files, layout, definitions, against.trust);
  const verifiers = verifiersOf(files, against);
  const judged = books.runs.map((complete, done) => {
    progress(done, books.runs.length, complete.run.run_id);
    return evaluateRun(complete, layout, verifiers, definitions.get(complete.run.family)?.expected_finding);
  });
  return {
    evaluation: { schedule, settings, definitions, runs: judged.map(({ evaluated }) => evaluated) },
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
