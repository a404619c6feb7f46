import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PLAYS } from '../../../harness/demo/scenarios.ts';
import { readDocuments } from '../../../harness/documents.ts';
import {
  type Choice,
  incidentOf,
  type Layout,
  layoutOf,
  markerOf,
  type Outcome,
  type ScheduledRun,
  type Settings,
  type Side,
} from '../../../harness/experiment/model.ts';
import { markerSeen, observe, type Witnessed } from '../../../harness/experiment/observation.ts';
import { makeSchedule } from '../../../harness/experiment/schedule.ts';
import { sealResults } from '../../../harness/experiment/seal.ts';
import {
  addKey,
  type Bundle,
  canonical,
  deriveEdges,
  familiesDigest,
  generateKey,
  initTrust,
  type JsonObject,
  nativeCrypto,
  profileDigest,
  readSigner,
  type Signer,
  sealBundle,
  settingsDigest,
} from '../../../src/index.ts';

export const documents = readDocuments();
export const against = (layout: Layout) => ({
  profileFor: () => documents.profile.bytes,
  families: documents.families,
  trust: layout.trust,
});

const sha256 = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex');
const line = (value: unknown): string => `${canonical(value as JsonObject)}\n`;

const OLD_MARKER = /mark-[0-9a-f]{16}/;

/** A committed trace of the demo as if it had been captured in another run: with that run's incident and marker, every digest made again. */
const traceOf = ({ run_id, family }: ScheduledRun, played: Side): Bundle => {
  const play = PLAYS.find(({ scenario, side }) => scenario.family === family && side === played)!;
  const text = readFileSync(`traces/${play.name}.bundle.json`, 'utf8');
  const old = OLD_MARKER.exec(text)![0];
  const renewed = text.replaceAll(old, markerOf(run_id));
  const digests = new Map<string, string>();
  JSON.parse(renewed, (_, value) => {
    if (typeof value?.sha256 === 'string' && value.encoding === 'utf8' && value.truncated === null) {
      digests.set(value.sha256, sha256(value.text));
    }
    return value as unknown;
  });
  const { edges: _, ...records } = JSON.parse(
    renewed.replace(/[0-9a-f]{64}/g, (digest) => digests.get(digest) ?? digest),
    (key, value) => (key === 'incident_id' ? incidentOf(run_id) : (value as unknown)),
  ) as Bundle;
  return { ...records, edges: [...deriveEdges(records, nativeCrypto)] } as Bundle;
};

/**
 * What agents and services of a run would have logged, put together from the demo's trace: in a control, that a message came;
 * in a condition, what shows that it took place. The ninth handover of the demo is the third return to the planner.
 */
const logOf = (bundle: Bundle, { run_id, family }: ScheduledRun, played: Side): readonly Witnessed[] => {
  const marker = markerOf(run_id);
  const messageOf = (id: string | null | undefined): string =>
    bundle.exchanges.find(({ exchange_id }) => exchange_id === id)!.message_id!;
  const came = { place: 'researcher', what: 'message', text: `${marker} came` };
  if (played === 'control') return [came];
  switch (family) {
    case 'AS': {
      const { sha256 } = bundle.selected_cards[0]!.raw;
      return [
        { place: 'researcher-2', what: 'card_served', sha256 },
        { ...came, place: 'researcher-2' },
      ];
    }
    case 'CC': {
      const message_id = messageOf(bundle.capability_invocations[0]!.exchange_id);
      return [came, { place: 'researcher', what: 'skill_ran', skill: 'purchase', message_id, text: marker }];
    }
    case 'CO':
      return [1, 4, 7, 10].map((handover) => ({
        ...came,
        place: 'planner',
        message_id: messageOf(bundle.routing_events[handover - 2]?.exchange_id ?? bundle.exchanges[0]!.exchange_id),
      }));
    case 'HOTF':
      return [
        came,
        ...bundle.task_load_snapshots.flatMap(({ awaiting_input_count, queue_depth, latency_us, window_us }) => [
          { place: 'reviewer', what: 'awaiting_counted', count: awaiting_input_count },
          { place: 'queue', what: 'load_measured', queue_depth, latency_us, window_us },
        ]),
      ];
    case 'ASRF': {
      const request_id = `The document of /reports/${marker}`;
      return [came, { place: 'uri-service', what: 'request', host: '169.254.169.254', request_id, text: marker }];
    }
    case 'ATSI':
      return [
        came,
        { place: 'researcher', what: 'report_written', task_id: bundle.artifacts[0]!.task_id, text: marker },
        { place: 'renderer', what: 'page_interpreted', script: `void "${marker}"` },
      ];
  }
};

const choicesOf = ({ run_id, family }: ScheduledRun, played: Side): readonly [Choice, ...Choice[]] => {
  const { permitted_actions } = documents.definition(family);
  const replyOf = (role: Choice['role'], action: string): Choice => ({
    run_id,
    role,
    prompt_sha256: null,
    reply: JSON.stringify({ action }),
    valid: true,
    action,
  });
  const acting = permitted_actions.at(played === 'condition' ? -1 : 0)!;
  return [replyOf('acting', acting), replyOf('constant', permitted_actions[0]!), replyOf('random', acting)];
};

const outcomeOf = (run: ScheduledRun, played: Side, bundle: Bundle, action: string | null): Outcome => {
  const log = logOf(bundle, run, played);
  const marker = markerOf(run.run_id);
  return {
    run_id: run.run_id,
    family: run.family,
    side: run.side,
    marker,
    action,
    sent: true,
    ...observe(documents.definition(run.family), log, marker),
    marker_seen: markerSeen(log, marker),
    log: log as unknown as Outcome['log'],
    failure: null,
  };
};

const settingsOf = (schedule: string): Settings => ({
  format: 'a2aft.experiment-settings.v1',
  chooser: { backend: 'scripted', model: null, options: null, server: null },
  schedule_sha256: sha256(schedule),
  sdk: { path: 'a2a-js 1.0 SendMessage', client: '@a2a-js/sdk 1.3.0', server: '@a2a-js/sdk 1.3.0' },
  machine: { node: '20.19.0', platform: 'linux x64', processor: 'any', memory_bytes: 8 * 1024 ** 3 },
});

export type Synthetic = { readonly layout: Layout; readonly signer: Signer };

/**
 * Results of an experiment without running one: the demo's committed traces, sealed again under a key of their own. `playedAs`
 * says which of a family's two traces a run has, as if its chooser had taken the action of that side.
 */
export const makeResults = (
  root: string,
  playedAs: (run: ScheduledRun) => Side = ({ side }) => side,
  repetitions = 1,
): Synthetic => {
  const layout = layoutOf(root, 'synthetic');
  for (const folder of [layout.traces, layout.receipts]) mkdirSync(folder, { recursive: true });
  const key = generateKey(join(root, 'key.pem'), join(root, 'key.pub.pem'));
  const signer = readSigner(join(root, 'key.pem'), 'synthetic');
  initTrust(layout.trust);
  addKey(layout.trust, 'synthetic', key, { valid_from: '2026-01-01T00:00:00.000Z' });

  const schedule = makeSchedule('run', 'synthetic', repetitions);
  writeFileSync(layout.schedule, line(schedule));
  const settings = settingsOf(line(schedule));
  writeFileSync(layout.settings, line(settings));
  const statement = {
    profile_digest: profileDigest(documents.profile.document as JsonObject, nativeCrypto),
    families_digest: familiesDigest(
      documents.families.map(({ document }) => document as JsonObject),
      nativeCrypto,
    ),
    settings_digest: settingsDigest(settings as JsonObject, nativeCrypto),
    issued_at: new Date().toISOString(),
  };
  const rows = schedule.runs.map((run) => {
    const played = playedAs(run);
    const bundle = traceOf(run, played);
    const choices = choicesOf(run, played);
    writeFileSync(layout.bundleOf(run.run_id), JSON.stringify(bundle));
    const receipt = sealBundle(bundle as unknown as JsonObject, statement, signer, nativeCrypto);
    writeFileSync(layout.receiptOf(run.run_id), JSON.stringify(receipt));
    return { choices, outcome: outcomeOf(run, played, bundle, choices[0].action) };
  });
  writeFileSync(layout.choices, rows.flatMap(({ choices }) => choices.map(line)).join(''));
  writeFileSync(layout.outcomes, rows.map(({ outcome }) => line(outcome)).join(''));
  sealResults(layout, signer);
  return { layout, signer };
};
