import { createHash } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod';
import { FAMILIES } from '../../src/index.ts';

/** What an experiment leaves on disk, beside bundles and receipts. Every file is checked by these schemas when it is read. */

const Hex64 = z.string().regex(/^[0-9a-f]{64}(?!\n)$/);
const Text = z.string().min(1);

/** A run of a family, or the matched run without its trigger. The word stands in schedule and outcome; it reaches no chooser, agent or record. */
export const Side = z.enum(['condition', 'control']);
export type Side = z.infer<typeof Side>;

/** One execution as it was scheduled: which run comes at which place. */
export const ScheduledRun = z.strictObject({
  run_id: z.string().regex(/^run-[0-9a-f]{16}(?!\n)$/),
  order: z.int().min(0),
  family: z.enum(FAMILIES),
  side: Side,
  repetition: z.int().min(0),
});
export type ScheduledRun = Readonly<z.infer<typeof ScheduledRun>>;

/** `schedule.json`: every run in the order of execution, written before the first one. Whole numbers count from 0. */
export const Schedule = z.strictObject({
  format: z.literal('a2aft.experiment-schedule.v1'),
  kind: z.enum(['pilot', 'run']),
  seed: Text,
  repetitions: z.int().min(1),
  runs: z.array(ScheduledRun).min(1),
});
export type Schedule = Readonly<z.infer<typeof Schedule>>;

/** Who chooses the action that is carried out. */
const BACKENDS = ['ollama', 'embedded', 'scripted', 'constant', 'random', 'content-free'] as const;
export const Backend = z.enum(BACKENDS);
export type Backend = z.infer<typeof Backend>;

/** How the model was asked: sampling is fixed, and so is the number of threads, since choices differ with it. */
export const ModelOptions = z.strictObject({
  seed: z.int(),
  temperature: z.int().min(0),
  num_ctx: z.int().min(1),
  num_predict: z.int().min(1),
  num_thread: z.literal(1),
});
export type ModelOptions = Readonly<z.infer<typeof ModelOptions>>;

/** The model by its content. The digest of a created Ollama model depends on where its store is; the layers' do not. */
export const ModelIdentity = z.strictObject({
  name: Text,
  digest: Hex64,
  layers: z.array(z.strictObject({ media_type: Text, digest: Hex64, size: z.int().min(0) })),
});
export type ModelIdentity = Readonly<z.infer<typeof ModelIdentity>>;

/** The program that ran the model; binary and flags are null where they are not known. */
export const ModelServer = z.strictObject({
  name: Text,
  version: Text,
  binary_sha256: Hex64.nullable(),
  build: Text.nullable(),
});
export type ModelServer = Readonly<z.infer<typeof ModelServer>>;

/** `settings.json`: what all runs share. Its digest is in every receipt (`settings_digest`). */
export const Settings = z.strictObject({
  format: z.literal('a2aft.experiment-settings.v1'),
  chooser: z.strictObject({
    backend: Backend,
    model: ModelIdentity.nullable(),
    options: ModelOptions.nullable(),
    server: ModelServer.nullable(),
  }),
  schedule_sha256: Hex64.describe('of the bytes of schedule.json'),
  sdk: z.strictObject({
    path: z.enum(['a2a-js 1.0 SendMessage', 'a2a-python 0.3 message/send']),
    client: Text,
    server: Text,
  }),
  machine: z.strictObject({ node: Text, platform: Text, processor: Text, memory_bytes: z.int().min(0) }),
});
export type Settings = Readonly<z.infer<typeof Settings>>;

/** Who gave a reply: the chooser whose action is carried out (`acting`), or one that is asked beside it for comparison and whose reply nothing follows. */
export const CHOOSER_ROLES = ['acting', 'constant', 'random', 'content-free'] as const;

/**
 * One line of `choices.jsonl`: one reply of one chooser for one run. A run has one line of each role, in one piece: acting, constant, random, and
 * content-free where a model is asked. A reply is kept as it came; it is never repaired.
 */
export const Choice = z.strictObject({
  run_id: z.string(),
  role: z.enum(CHOOSER_ROLES),
  prompt_sha256: Hex64.nullable().describe(
    'of the bytes of the message the model was sent; null when no model was asked',
  ),
  reply: z.string().describe('as it came'),
  valid: z.boolean().describe('whether the reply is exactly {"action": one of the permitted actions}'),
  action: Text.nullable().describe('null when the reply is invalid: then nothing is carried out'),
});
export type Choice = Readonly<z.infer<typeof Choice>>;

/**
 * The record that a finding must name, by a key that no capture gave out. How to find it in a bundle:
 * - card_sha256: the selected card whose `raw.sha256` is this, which the agent's own server logged as what it served
 * - capability_of_message: the capability invocation whose exchange has this `message_id`, logged by the agent that ran the skill
 * - step_of_message: the routing event whose exchange has this `message_id`, logged by the agent that the question came back to
 * - load_reading: the snapshot with these three numbers, logged by the queue that measured them
 * - response_request_id: the dereference whose response body holds this id, which the URI service gave the request and logged
 * - artifact_of_task: the artifact with this `task_id`, logged by the agent that wrote it and tied to the renderer's page by the marker
 */
export const Target = z.discriminatedUnion('key', [
  z.strictObject({ key: z.literal('card_sha256'), value: Hex64 }),
  z.strictObject({ key: z.literal('capability_of_message'), value: Text }),
  z.strictObject({ key: z.literal('step_of_message'), value: Text }),
  z.strictObject({
    key: z.literal('load_reading'),
    value: z.strictObject({ queue_depth: z.int(), latency_us: z.int(), window_us: z.int() }),
  }),
  z.strictObject({ key: z.literal('response_request_id'), value: Text }),
  z.strictObject({ key: z.literal('artifact_of_task'), value: Text }),
]);
export type Target = Readonly<z.infer<typeof Target>>;

/**
 * One line of `outcomes.jsonl`: what a run came to by the accounts of agents and services, never by the capture. Written last: a run with a line is
 * done, and its bundle and receipt are on disk. From it follows what the verifier should say:
 * `observed` → FORENSICALLY_INDICATED with the definition's `expected_finding`; else `sent` → FORENSICALLY_CONSISTENT; else INCONCLUSIVE.
 * The intended observation happened when `observed` is true in a condition, false in a control, and `failure` is null.
 */
export const Outcome = z.strictObject({
  run_id: z.string(),
  family: z.enum(FAMILIES),
  side: Side,
  marker: z.string().regex(/^mark-[0-9a-f]{16}(?!\n)$/),
  action: Text.nullable().describe('what was carried out; null after an invalid reply'),
  sent: z.boolean().describe('whether an A2A request of this run arrived at an agent, by its log'),
  observed: z.boolean().describe("whether the condition's external observation took place"),
  marker_seen: z.array(Text).describe('logs in which the marker of the run was found: `PLACE/KIND`, each once, sorted'),
  log: z
    .array(z.record(z.string(), z.json()))
    .describe('the external log: one entry an event, `place` and `what` in each'),
  failure: Text.nullable().describe('what the executor could not carry out, in its words; null when all of it was'),
  target: Target.nullable().describe('null unless observed'),
});
export type Outcome = Readonly<z.infer<typeof Outcome>>;

/** `seal.json`: the digests of the files that no receipt covers, signed by the key of the receipts when all runs are done. */
export const Seal = z.strictObject({
  format: z.literal('a2aft.experiment-seal.v1'),
  files: z
    .array(z.strictObject({ file: Text, sha256: Hex64 }))
    .describe('schedule, settings, choices, outcomes; names as in the layout'),
  key_id: Text,
  signature: Text.describe('base64 of Ed25519 over the bytes of canonical({format, files, key_id})'),
});
export type Seal = Readonly<z.infer<typeof Seal>>;

const hex = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** The incident of a run: opaque, and found again from the run id alone. */
export const incidentOf = (runId: string): string => `inc-${hex(`incident of ${runId}`)}`;
/** The inert marker of a run. */
export const markerOf = (runId: string): string => `mark-${hex(`marker of ${runId}`)}`;

/**
 * Where the results of an experiment are, under a root (the repository's own for the committed ones): what the verifier may read in `traces/NAME`
 * and `receipts/NAME`, what it must not in the three files beside the receipts. `choices.jsonl` and `outcomes.jsonl` hold one line a record, in the order in
 * which runs ended.
 */
export const layoutOf = (root: string, name: string) => {
  const traces = join(root, 'traces', name);
  const receipts = join(root, 'receipts', name);
  return {
    root,
    name,
    traces,
    receipts,
    schedule: join(traces, 'schedule.json'),
    settings: join(traces, 'settings.json'),
    trust: join(receipts, 'trust.json'),
    choices: join(receipts, 'choices.jsonl'),
    outcomes: join(receipts, 'outcomes.jsonl'),
    seal: join(receipts, 'seal.json'),
    bundleOf: (runId: string): string => join(traces, `${runId}.bundle.json`),
    receiptOf: (runId: string): string => join(receipts, `${runId}.receipt.json`),
  };
};
export type Layout = ReturnType<typeof layoutOf>;
