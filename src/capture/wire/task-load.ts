import type { Ending } from '../ending.ts';
import type { Observer, Session } from '../session.ts';
import type { SeenState } from '../trail.ts';

type Agent = {
  readonly endpoint_id: string;
  /** Tasks that await input or authorisation. */
  readonly awaiting: Set<string>;
  /** Requests whose answer has not begun. */
  waiting: number;
  latency_us: number | null;
  timeouts: number;
  since: number;
  stated: number | null;
  snapshots: number;
};

/** Each change of the count is stated so often; then the count is sampled. */
const MAX_CHANGES = 200;
const SAMPLE_MS = 1_000;
const MAX_TASKS = 100_000;

/** Derives load snapshots from tasks that agents hold in an interrupted state and from the latency of their answers (RULES.md HOTF). */
export class TaskLoad {
  readonly #session: Session;
  readonly #observer: Observer;
  readonly #clock: () => number;
  readonly #agents = new Map<string, Agent>();
  /** Tasks that the server's own records show: they are counted by these alone, as the rule does. */
  readonly #servedTasks = new Set<string>();

  /** `clock`: milliseconds. */
  constructor(session: Session, observer: Observer, clock: () => number) {
    this.#session = session;
    this.#observer = observer;
    this.#clock = clock;
  }

  /** An agent was reached at an endpoint: from then on its load can be stated. */
  reached(agent: string, endpoint_id: string): void {
    if (this.#agents.has(agent)) return;
    const since = this.#clock();
    this.#agents.set(agent, {
      endpoint_id,
      awaiting: new Set(),
      waiting: 0,
      latency_us: null,
      timeouts: 0,
      since,
      stated: null,
      snapshots: 0,
    });
  }

  /** A request to the agent begins to wait for its answer. */
  asked(agent: string): void {
    const load = this.#agents.get(agent);
    if (load !== undefined) load.waiting++;
  }

  /** Its answer began after so long. */
  answered(agent: string, latency_us: number): void {
    const load = this.#agents.get(agent);
    if (load === undefined) return;
    load.waiting--;
    load.latency_us = Math.max(load.latency_us ?? 0, latency_us, 0);
  }

  state({ agent, task_id, state, observer }: SeenState): void {
    if (agent === null || task_id === null) return;
    const load = this.#agents.get(agent);
    if (load === undefined) return;
    const key = JSON.stringify([agent, task_id]);
    if (observer === 'sdk-server' && this.#servedTasks.size < MAX_TASKS) this.#servedTasks.add(key);
    if (this.#servedTasks.has(key) && observer !== 'sdk-server') return;
    if (state === 'input-required' || state === 'auth-required') load.awaiting.add(task_id);
    else load.awaiting.delete(task_id);
  }

  /** An exchange with the agent ended. */
  ended(agent: string, ended: Ending, wasAnswered: boolean): void {
    const load = this.#agents.get(agent);
    if (load === undefined) return;
    if (!wasAnswered) load.waiting--;
    if (ended === 'timeout') load.timeouts++;
    // An agent that never held a task has no load to speak of.
    if (load.awaiting.size === 0 && load.stated === null) return;
    const isChange = load.awaiting.size !== load.stated && load.snapshots < MAX_CHANGES;
    if (!isChange && this.#clock() - load.since < SAMPLE_MS) return;
    this.#snapshot(agent, load);
  }

  #snapshot(agent: string, load: Agent): void {
    const now = this.#clock();
    this.#session.record('task_load_snapshots', this.#observer, {
      endpoint_id: load.endpoint_id,
      agent,
      awaiting_input_count: load.awaiting.size,
      queue_depth: load.waiting,
      latency_us: load.latency_us,
      timeouts: load.timeouts,
      window_us: Math.max(0, now - load.since) * 1_000,
    });
    Object.assign(load, { latency_us: null, timeouts: 0, since: now, stated: load.awaiting.size });
    load.snapshots++;
  }
}
