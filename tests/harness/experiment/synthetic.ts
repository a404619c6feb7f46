import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
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
  type Target,
} from '../../../harness/experiment/model.ts';
import { makeSchedule } from '../../../harness/experiment/schedule.ts';
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
  profile: documents.profile.bytes,
  families: documents.families,
  trust: layout.trust,
});

const sha256 = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex');
const line = (value: unknown): string => `${canonical(value as JsonObject)}\n`;

const OLD_MARKER = /mark-[0-9a-f]{16}/;

/** A committed trace of the demo as if it had been captured in another run: with that run's incident and marker, every digest made again. */
const traceOf = ({ run_id, family, side }: ScheduledRun): Bundle => {
  const play = PLAYS.find(({ scenario, side: played }) => scenario.family === family && played === side)!;
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

/** The record that each condition of the demo is about, by a key from outside: the ninth handover is the third return to the planner. */
const targetOf = (bundle: Bundle, { family, run_id }: ScheduledRun): Target => {
  const messageOf = (id: string | null | undefined): string =>
    bundle.exchanges.find(({ exchange_id }) => exchange_id === id)!.message_id!;
  switch (family) {
    case 'AS':
      return { key: 'card_sha256', value: bundle.selected_cards[0]!.raw.sha256 };
    case 'CC':
      return { key: 'capability_of_message', value: messageOf(bundle.capability_invocations[0]!.exchange_id) };
    case 'CO':
      return { key: 'step_of_message', value: messageOf(bundle.routing_events.at(-2)!.exchange_id) };
    case 'HOTF': {
      const { queue_depth, latency_us, window_us } = bundle.task_load_snapshots.at(-1)!;
      return {
        key: 'load_reading',
        value: { queue_depth: queue_depth!, latency_us: latency_us!, window_us: window_us! },
      };
    }
    case 'ASRF':
      return { key: 'response_request_id', value: `The document of /reports/${markerOf(run_id)}` };
    case 'ATSI':
      return { key: 'artifact_of_task', value: bundle.artifacts[0]!.task_id! };
  }
};

const choicesOf = ({ run_id, family, side }: ScheduledRun): readonly [Choice, ...Choice[]] => {
  const { permitted_actions } = documents.definition(family);
  const replyOf = (role: Choice['role'], action: string): Choice => ({
    run_id,
    role,
    prompt_sha256: null,
    reply: JSON.stringify({ action }),
    valid: true,
    action,
  });
  const acting = permitted_actions.at(side === 'condition' ? -1 : 0)!;
  return [replyOf('acting', acting), replyOf('constant', permitted_actions[0]!), replyOf('random', acting)];
};

const outcomeOf = (run: ScheduledRun, bundle: Bundle, action: string | null): Outcome => ({
  run_id: run.run_id,
  family: run.family,
  side: run.side,
  marker: markerOf(run.run_id),
  action,
  sent: true,
  observed: run.side === 'condition',
  marker_seen: ['researcher/request'],
  log: [
    { place: 'researcher', what: 'request', text: `${markerOf(run.run_id)} came` },
    { place: 'uri-service', what: 'request', text: 'nothing of it' },
  ],
  failure: null,
  target: run.side === 'condition' ? targetOf(bundle, run) : null,
});

const settingsOf = (schedule: string): Settings => ({
  format: 'a2aft.experiment-settings.v1',
  chooser: { backend: 'scripted', model: null, options: null, server: null },
  schedule_sha256: sha256(schedule),
  sdk: { path: 'a2a-js 1.0 SendMessage', client: '@a2a-js/sdk 1.3.0', server: '@a2a-js/sdk 1.3.0' },
  machine: { node: '20.19.0', platform: 'linux x64', processor: 'any', memory_bytes: 8 * 1024 ** 3 },
});

/** Signs the digests of the files that no receipt covers, as they are. */
export const seal = (layout: Layout, signer: Signer): void => {
  const files = [layout.schedule, layout.settings, layout.choices, layout.outcomes].map((file) => ({
    file: basename(file),
    sha256: sha256(readFileSync(file)),
  }));
  const signed = { format: 'a2aft.experiment-seal.v1', files, key_id: signer.key_id };
  const signature = Buffer.from(signer.sign(Buffer.from(canonical(signed)))).toString('base64');
  writeFileSync(layout.seal, line({ ...signed, signature }));
};

export type Synthetic = { readonly layout: Layout; readonly signer: Signer };

/** Results of an experiment without running one: the demo's committed traces, sealed again under a key of their own. */
export const makeResults = (root: string, repetitions = 1): Synthetic => {
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
    const bundle = traceOf(run);
    const choices = choicesOf(run);
    writeFileSync(layout.bundleOf(run.run_id), JSON.stringify(bundle));
    const receipt = sealBundle(bundle as unknown as JsonObject, statement, signer, nativeCrypto);
    writeFileSync(layout.receiptOf(run.run_id), JSON.stringify(receipt));
    return { choices, outcome: outcomeOf(run, bundle, choices[0].action) };
  });
  writeFileSync(layout.choices, rows.flatMap(({ choices }) => choices.map(line)).join(''));
  writeFileSync(layout.outcomes, rows.map(({ outcome }) => line(outcome)).join(''));
  seal(layout, signer);
  return { layout, signer };
};
