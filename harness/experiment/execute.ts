import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { type Capture, EnvironmentFault, type JsonObject, type Signer, startCapture } from '../../src/index.ts';
import type { Documents } from '../documents.ts';
import { installed } from '../lab/versions.ts';
import { ACTS } from './acts.ts';
import { Desk, type Protocol } from './desk.ts';
import { incidentOf, type Layout, markerOf, type Outcome, type ScheduledRun, type Settings } from './model.ts';
import { markerSeen, observe, type Witnessed } from './observation.ts';
import type { Troupe } from './troupe.ts';

/** What all runs of an experiment share. */
export type Venue = {
  readonly documents: Documents;
  readonly settings: Settings;
  readonly signer: () => Signer;
  readonly troupe: Troupe;
  readonly protocol: Protocol;
  /** Folder in which captures work. */
  readonly work: string;
};

const NO_MODEL: Readonly<Partial<Record<Settings['chooser']['backend'], string>>> = {
  scripted: 'no model took part: every action was chosen by a script',
  constant: 'no model took part: the first permitted action was always chosen',
  random: 'no model took part: actions were drawn at random',
  'content-free': 'the model was not told the task: it chose among the permitted actions alone',
};

const begin = (run: ScheduledRun, { settings, documents, work }: Venue): Capture => {
  const { backend, server } = settings.chooser;
  const note = NO_MODEL[backend];
  return startCapture({
    dir: work,
    incident_id: incidentOf(run.run_id),
    profile_id: documents.profile.document.profile_id,
    versions: [installed('@a2a-js/sdk'), ...(server === null ? [] : [{ name: server.name, version: server.version }])],
    notes: note === undefined ? [] : [note],
    reporter: 'harness',
  });
};

/** Every connection that a place accepted came from loopback: nothing of a run leaves this machine. */
const checkPeers = (log: readonly Witnessed[]): void => {
  const stranger = log.find(({ peer }) => peer !== undefined && !/^"(::ffff:)?127\./.test(JSON.stringify(peer)));
  if (stranger !== undefined)
    throw new EnvironmentFault(`${stranger.place} was reached from ${JSON.stringify(stranger.peer)}`);
};

type Played = { readonly log: readonly Witnessed[]; readonly failure: string | null };

const play = async (capture: Capture, run: ScheduledRun, action: string, venue: Venue): Promise<Played> => {
  const { input: task, parameters: rows } = venue.documents.definition(run.family)[run.side];
  const parameters = Object.fromEntries(rows.map(({ name, value }) => [name, value]));
  const desk = await Desk.open(capture, venue.troupe, venue.protocol, parameters);
  let failure: string | null = null;
  try {
    await ACTS[run.family](desk, action, { task, marker: markerOf(run.run_id), parameters });
  } catch (error) {
    // What could not be carried out is an outcome: the capture has what came of it.
    failure = (error as Error).message;
  }
  const log = await desk.close();
  checkPeers(log);
  return { log, failure };
};

/**
 * Carries out one run and seals it: leaves bundle and receipt where the layout says, and returns its outcome. `action` null, after an invalid
 * reply: nothing is carried out, and the bundle says so by being empty. What an interrupted attempt left is replaced.
 */
export const execute = async (
  run: ScheduledRun,
  action: string | null,
  layout: Layout,
  venue: Venue,
): Promise<Outcome> => {
  const { documents, settings, signer, work } = venue;
  rmSync(work, { recursive: true, force: true });
  for (const folder of [work, layout.traces, layout.receipts]) mkdirSync(folder, { recursive: true });
  const capture = begin(run, venue);
  const { log, failure } = action === null ? { log: [], failure: null } : await play(capture, run, action, venue);
  const { bundlePath, receiptPath } = capture.finish({
    signer,
    profile: documents.profile.document as JsonObject,
    families: documents.families.map(({ document }) => document as JsonObject),
    settings: settings as unknown as JsonObject,
  });
  renameSync(bundlePath, layout.bundleOf(run.run_id));
  renameSync(receiptPath, layout.receiptOf(run.run_id));
  const marker = markerOf(run.run_id);
  return {
    run_id: run.run_id,
    family: run.family,
    side: run.side,
    marker,
    action,
    sent: log.some(({ what }) => what === 'message'),
    ...observe(documents.definition(run.family), log, marker),
    marker_seen: markerSeen(log, marker),
    log: log as unknown as Outcome['log'],
    failure,
  };
};
