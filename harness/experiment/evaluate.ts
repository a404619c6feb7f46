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
import { readResults } from './evaluate-files.ts';
import { type EvaluatedRun, evaluateRun } from './evaluate-run.ts';
import { checkSchedule, collectRuns } from './evaluate-schedule.ts';
import { checkSeal } from './evaluate-seal.ts';
import type { Layout, Schedule, Settings } from './model.ts';

type File = { readonly name: string; readonly bytes: Uint8Array };

/** What results are verified by; nothing of it is taken from bundles or receipts. */
export type Against = {
  readonly profile: Uint8Array;
  readonly families: readonly File[];
  /** File of the trust store. */
  readonly trust: string;
};

/** The results as they were judged: what every table is made from. */
export type Evaluation = {
  readonly schedule: Schedule;
  readonly settings: Settings;
  readonly definitions: ReadonlyMap<Family, FamilyDefinition>;
  readonly runs: readonly EvaluatedRun[];
};

/** Called before each run: how many are done, of how many, and which is next. */
export type Progress = (done: number, of: number, next: string) => void;

const definitionsOf = (files: readonly File[]): ReadonlyMap<Family, FamilyDefinition> =>
  new Map(
    files.flatMap(({ name, bytes }) => {
      const json = readJson(bytes, { input: name, recordAttributes: false });
      const fit = FamilyDefinition.safeParse(json.ok ? json.value : null);
      return fit.success ? [[fit.data.family_id, fit.data] as const] : [];
    }),
  );

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
  const definitions = definitionsOf(against.families);
  const trust = readInput(against.trust, 'trust store');
  const verifierIn = (mode: Mode): Verifier =>
    createVerifier(
      {
        profile: against.profile,
        trust,
        families: against.families,
        settings: files.settingsBytes,
        mode,
        otherProfile: false,
      },
      nativeCrypto,
    );
  const verifiers = {
    full: verifierIn('full'),
    'root-only': verifierIn('root-only'),
    'records-only': verifierIn('records-only'),
  };
  const collected = collectRuns(files, layout);
  const faults = [
    ...checkSeal(files, loadTrust(against.trust), layout),
    ...checkSchedule(files, layout),
    ...collected.faults,
  ];
  const runs = collected.runs.flatMap((complete, done) => {
    const { run_id, family } = complete.run;
    progress(done, collected.runs.length, run_id);
    const definition = definitions.get(family);
    if (definition === undefined) {
      faults.push(fault('EVIDENCE_UNREADABLE', run_id, `there is no definition of ${family}`));
      return [];
    }
    faults.push(...checkAccount(complete, definition.permitted_actions));
    const { evaluated, faults: refused } = evaluateRun(complete, layout, verifiers, definition.expected_finding);
    faults.push(...refused);
    return [evaluated];
  });
  return { evaluation: { schedule: files.schedule, settings: files.settings, definitions, runs }, faults };
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
