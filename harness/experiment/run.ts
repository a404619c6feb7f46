import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { addKey, generateKey, initTrust, readSigner, type Signer } from '../../src/index.ts';
import { readDocuments } from '../documents.ts';
import { type Chooser, choose } from './chooser.ts';
import { type ChooserPlan, type Choosers, openChoosers } from './choosers/choosers.ts';
import { execute, type Venue } from './execute.ts';
import { openLines } from './lines-file.ts';
import { Choice, type Layout, layoutOf, Outcome, type Schedule, type ScheduledRun } from './model.ts';
import { makeSchedule } from './schedule.ts';
import { sealResults } from './seal.ts';
import { settingsOf } from './settings.ts';
import { JS_STAGE, type Stage } from './stage.ts';
import { writeOnce } from './write-once.ts';

const SIGNER = 'forensictrace-experiment';

export type Experiment = {
  readonly root: string;
  /** Names the folders under `traces/` and `receipts/`. */
  readonly name: string;
  readonly kind: Schedule['kind'];
  readonly seed: string;
  readonly repetitions?: number;
  readonly chooser: ChooserPlan;
  readonly stage?: Stage;
};

/** Called before each run: how many are done, of how many. */
export type Progress = (done: number, of: number) => void;

/** The one key of all runs, kept in the work folder until the last of them; its public half goes into the trust store beside the receipts. */
const signerOf = (work: string, { trust }: Layout): (() => Signer) => {
  const key = join(work, 'key.pem');
  if (!existsSync(trust)) {
    for (const half of [key, `${key}.pub`]) rmSync(half, { force: true });
    const publicKey = generateKey(key, `${key}.pub`);
    initTrust(trust);
    addKey(trust, SIGNER, publicKey, { valid_from: new Date().toISOString() });
  }
  return () => readSigner(key, SIGNER);
};

const questionOf = ({ documents }: Venue, { family, side }: ScheduledRun) => {
  const { permitted_actions: actions, ...sides } = documents.definition(family);
  return { task: sides[side].input, actions };
};

/** Has every chooser choose for a run: the one that acts, and those beside it. */
const chooseAll = async (run: ScheduledRun, choosers: Choosers, venue: Venue, seed: string): Promise<Choice[]> => {
  const choices: Choice[] = [];
  const asked: readonly (readonly [Choice['role'], Chooser])[] = choosers.forRun(`${seed} ${run.run_id}`);
  for (const [role, chooser] of asked) {
    choices.push({ run_id: run.run_id, role, ...(await choose(chooser, questionOf(venue, run))) });
  }
  return choices;
};

/** One run that is not counted, so that the first that is finds model and processes warm. */
const warmUp = async (choosers: Choosers, venue: Venue): Promise<void> => {
  const [run] = makeSchedule('pilot', 'warm-up').runs;
  const [acting] = await chooseAll(run!, choosers, venue, 'warm-up');
  const folder = join(venue.work, '..', 'warm-up');
  await execute(run!, acting!.action, layoutOf(folder, 'warm-up'), venue);
  rmSync(folder, { recursive: true });
};

const runAll = async (
  layout: Layout,
  schedule: Schedule,
  choosers: Choosers,
  venue: Venue,
  progress: Progress,
): Promise<void> => {
  const choices = openLines(layout.choices, Choice);
  const outcomes = openLines(layout.outcomes, Outcome);
  const done = new Set(outcomes.records.map(({ run_id }) => run_id));
  const left = schedule.runs.filter(({ run_id }) => !done.has(run_id));
  if (left.length > 0) await warmUp(choosers, venue);
  for (const run of left) {
    progress(run.order, schedule.runs.length);
    // A run that was interrupted after its choice is carried out by that choice: the model is not asked again.
    if (!choices.records.some(({ run_id }) => run_id === run.run_id)) {
      choices.append(...(await chooseAll(run, choosers, venue, schedule.seed)));
    }
    const acting = choices.records.find(({ run_id, role }) => run_id === run.run_id && role === 'acting');
    outcomes.append(await execute(run, acting!.action, layout, venue));
  }
  sealResults(layout, venue.signer());
};

/**
 * Runs an experiment, or what is left of it: schedule and settings are written before the first run and never changed, choices before and outcomes after
 * each run. Throws EnvironmentFault when a model cannot be reached, or when the folder holds an experiment of other settings.
 */
export const runExperiment = async (experiment: Experiment, progress: Progress = () => {}): Promise<Layout> => {
  const { root, name, kind, seed, repetitions, stage = JS_STAGE } = experiment;
  const layout = layoutOf(root, name);
  const work = join(root, 'work', name);
  const schedule = makeSchedule(kind, seed, repetitions);
  const choosers = await openChoosers(experiment.chooser);
  try {
    for (const folder of [layout.traces, layout.receipts]) mkdirSync(folder, { recursive: true });
    const settings = settingsOf(choosers, schedule, stage.sdk);
    writeOnce(layout.schedule, schedule);
    writeOnce(layout.settings, settings);
    if (existsSync(layout.seal)) return layout;
    mkdirSync(work, { recursive: true });
    const troupe = stage.start();
    try {
      const venue: Venue = {
        documents: readDocuments(stage.profile),
        settings,
        signer: signerOf(work, layout),
        troupe,
        protocol: stage.protocol,
        work: join(work, 'captures'),
      };
      await runAll(layout, schedule, choosers, venue, progress);
    } finally {
      await Promise.all(Object.values(troupe).map((player) => player.stop()));
    }
    // The key signs nothing after this.
    rmSync(work, { recursive: true });
    return layout;
  } finally {
    await choosers.close();
  }
};
