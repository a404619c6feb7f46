import { setTimeout as delay } from 'node:timers/promises';
import type { Family } from '../../src/index.ts';
import { LOOKALIKE, PLANNER, RESEARCHER, REVIEWER } from '../lab/cards.ts';
import type { Remote } from '../lab/remote.ts';
import { DESK, type Desk } from './desk.ts';
import type { Rendered } from './places/renderer.ts';
import { FILES } from './places/uri-service.ts';
import type { PlaceName } from './troupe.ts';

/** What an action is carried out with: the task text, the inert marker of the run, and the numbers of its local setup. */
export type Errand = {
  readonly task: string;
  readonly marker: string;
  readonly parameters: Readonly<Record<string, string | number>>;
};

/** Carries out one permitted action of a family through the A2A SDK. It is told the action that was chosen, and never which run it is in. */
type Act = (desk: Desk, action: string, errand: Errand) => Promise<void>;

const as: Act = async (desk, action, { task, marker }) => {
  const chosen = action === 'use_last_offer' ? LOOKALIKE : RESEARCHER;
  const agent = await desk.choose([RESEARCHER, LOOKALIKE], chosen);
  await agent.send(`search\n${task}\n${marker}`);
};

const cc: Act = async (desk, action, { task, marker }) => {
  const researcher = await desk.connect(RESEARCHER);
  const capability = action === 'ask_to_purchase' ? 'purchase' : 'search';
  const { exchange_ids } = await desk.observe.sending(() => researcher.send(`${capability}\n${task}\n${marker}`));
  const ran = await desk.ask<string | null>('researcher', 'last_skill');
  if (ran === null) return;
  desk.observe.capabilityUse({
    capability: ran,
    basis: 'executed',
    caller_agent: DESK,
    exchange_id: exchange_ids[0] ?? null,
  });
};

type Delivered = {
  readonly to: PlaceName;
  readonly task_id: string | null;
  readonly context_id: string;
  readonly artifact_id: string | null;
};

const co: Act = async (desk, action, { task, marker, parameters }) => {
  const planner = await desk.connect(PLANNER);
  const order = action === 'hand_on' ? 'hand_on' : 'add_section';
  await planner.send(`${order}\n${task}\n${marker}\n${parameters.handovers}`);
  let predecessor = 'root';
  for (let holder: PlaceName = 'planner'; ; ) {
    const delivered: Delivered | null = await desk.ask(holder, 'deliver');
    if (delivered === null) return;
    const { to, task_id, context_id, artifact_id }: Delivered = delivered;
    const shown = artifact_id === null ? null : desk.observe.artifactRecord(task_id ?? '', artifact_id);
    const step = desk.observe.routingStep({
      exchange_id: desk.egress.sent.at(-1) ?? null,
      source_agent: holder,
      destination_agent: to,
      predecessor,
      outcome: 'ok',
      progress: shown !== null,
      progress_artifact_record_id: shown,
      task_id,
      context_id,
    });
    predecessor = step ?? 'unknown';
    holder = to;
  }
};

type Load = { readonly queue_depth: number; readonly latency_us: number; readonly window_us: number };

const hotf: Act = async (desk, action, { task, marker, parameters }) => {
  const { texts, questions, patience_ms } = parameters as Record<string, number>;
  const reviewer = await desk.connect(REVIEWER);
  const measure = async (remote: Remote): Promise<void> => {
    const awaiting_input_count = await desk.ask<number>('reviewer', 'awaiting');
    const load = await desk.ask<Load>('queue', 'load');
    desk.observe.taskLoad({
      endpoint_id: remote.endpointId,
      agent: REVIEWER.agent,
      awaiting_input_count,
      timeouts: null,
      ...load,
    });
  };
  const ask = (): Promise<unknown> => reviewer.send(`question\n${marker}`);
  await ask();
  await measure(reviewer);
  const tasks: string[] = [];
  for (let n = 1; n <= texts!; n++) tasks.push(await reviewer.sendForTask(`review\n${task}\ntext ${n}\n${marker}`));
  const approve = async (): Promise<void> => {
    for (const id of tasks) await reviewer.send('approve', id);
  };
  if (action === 'approve_at_once') await approve();
  const answered = Promise.all(Array.from({ length: questions! }, ask));
  // When every task keeps its worker the questions wait, and the desk looks on longer than the profile's limit before it measures.
  const stuck = desk.ask('queue', 'reached', questions).then(() => delay(patience_ms));
  await Promise.race([answered, stuck]);
  await measure(reviewer);
  if (action !== 'approve_at_once') await approve();
  await answered;
};

const asrf: Act = async (desk, action, { task, marker }) => {
  const researcher = await desk.connect(RESEARCHER);
  const order = action === 'retrieve_uri' ? 'read' : 'decline';
  await researcher.send(`${order}\n${task}\nhttp://${FILES}/reports/${marker}`);
};

const atsi: Act = async (desk, action, { task, marker }) => {
  const researcher = await desk.connect(RESEARCHER);
  const { text, taskId, artifactIds } = await researcher.send(`report\n${task}\n${marker}`);
  const path = action === 'sanitize_then_render' ? '/cleaned' : '/as-received';
  const { sanitizer, output, page } = await desk.render<Rendered>(path, text);
  const which = { task_id: taskId ?? '', artifact_id: artifactIds[0] ?? '' };
  const sanitizer_id = desk.observe.sanitizer({
    ...which,
    ...sanitizer,
    input: Buffer.from(text),
    output: output === null ? null : Buffer.from(output),
  });
  desk.observe.render({
    ...which,
    renderer: 'renderer',
    interpreted_as: 'text/html',
    mode: 'interpreted',
    input: Buffer.from(page),
    sanitizer_id,
  });
};

export const ACTS: Readonly<Record<Family, Act>> = { AS: as, CC: cc, CO: co, HOTF: hotf, ASRF: asrf, ATSI: atsi };
