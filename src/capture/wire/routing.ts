import type { Fields, Observer, Session, Slot } from '../session.ts';
import type { SeenArtifact, SeenState } from '../trail.ts';
import { keyOf } from '../trail.ts';

type Step = Fields<'routing_events'>;
type Join = NonNullable<Step['joined_by']>;
/** A send from one agent to another, as its client side shows it. */
export type Send = {
  readonly exchange_id: string;
  readonly source: string;
  readonly destination: string;
  readonly task_id: string | null;
  readonly context_id: string | null;
  readonly reference_tasks: readonly string[];
  /** The trace id of a W3C `traceparent`. */
  readonly trace: string | null;
  /** The step that the sending code was serving, joined by the asynchronous context of one process; `root` and `unknown` where there is none. */
  readonly served: Routed | 'root' | 'unknown';
};
/** A step that was recorded; others follow it. */
export type Routed = {
  readonly id: string;
  readonly source: string;
  readonly destination: string;
};

type Open = {
  readonly slot: Slot<'routing_events'>;
  fields: Step;
  hasSuccessor: boolean;
};
const MAX_REMEMBERED = 100_000;

/** Derives routing steps from sends between agents that serve in this trace (RULES.md CO). */
export class Routing {
  readonly #session: Session;
  readonly #observer: Observer;
  readonly #open = new Map<string, Open>();
  /** The newest step under each of its keys. */
  readonly #recent = new Map<string, Routed>();
  readonly #seenStates = new Set<string>();
  readonly #seenContents = new Set<string>();
  readonly #byId = new Map<string, Open>();

  constructor(session: Session, observer: Observer) {
    this.#session = session;
    this.#observer = observer;
  }

  /** Records a step at its place; null when it could not be written. */
  sent(send: Send): Routed | null {
    const { predecessor, joined_by } = this.#predecessor(send);
    this.#succeeded(predecessor);
    const { exchange_id, source, destination, task_id, context_id } = send;
    const slot = this.#session.attempt('place a routing step', () => this.#session.reserve('routing_events'));
    if (slot === null) return null;
    const fields: Step = {
      exchange_id,
      source_agent: source,
      destination_agent: destination,
      predecessor,
      joined_by,
      outcome: null,
      progress: null,
      progress_transition_id: null,
      progress_artifact_record_id: null,
      task_id,
      context_id,
    };
    const id = this.#session.write(slot, this.#observer, fields);
    if (id === null) return null;
    const open = { slot, fields, hasSuccessor: false };
    this.#open.set(exchange_id, open);
    this.#byId.set(id, open);
    const routed = { id, source, destination };
    for (const key of keysOf(send, routed)) this.#remember(key, routed);
    return routed;
  }

  /** The exchange of a step ended. `answer`: task and context that the destination named. */
  ended(
    exchange_id: string,
    how: 'ok' | 'failed' | null,
    answer: { readonly task_id: string | null; readonly context_id: string | null },
  ): void {
    const open = this.#open.get(exchange_id);
    if (open === undefined) return;
    this.#open.delete(exchange_id);
    this.#byId.delete(open.slot.id);
    const { progress, source_agent: source, destination_agent: destination } = open.fields;
    open.fields = { ...open.fields, outcome: how, progress: progress ?? (how === null ? null : false) };
    this.#session.write(open.slot, this.#observer, open.fields);
    const routed = { id: open.slot.id, source, destination };
    for (const key of keysOf({ ...answer, trace: null }, routed)) this.#remember(key, routed);
  }

  state({ id, exchange_id, agent, task_id, state }: SeenState): void {
    if (state === null || task_id === null) return;
    const open = exchange_id === null ? undefined : this.#open.get(exchange_id);
    if (open === undefined) return;
    if (this.#isNew(this.#seenStates, keyOf(agent, task_id, state)))
      this.#progress(open, { progress_transition_id: id });
  }

  artifact({ id, exchange_id, sha256 }: SeenArtifact): void {
    const open = exchange_id === null ? undefined : this.#open.get(exchange_id);
    if (open === undefined || sha256 === null) return;
    if (this.#isNew(this.#seenContents, sha256)) this.#progress(open, { progress_artifact_record_id: id });
  }

  /** Only what came before the successor counts. */
  #progress(open: Open, shown: Partial<Step>): void {
    if (open.hasSuccessor || open.fields.progress === true) return;
    open.fields = { ...open.fields, progress: true, ...shown };
  }

  #succeeded(predecessor: string): void {
    const open = this.#byId.get(predecessor);
    if (open !== undefined) open.hasSuccessor = true;
  }

  #predecessor(send: Send): { readonly predecessor: string; readonly joined_by: Join | null } {
    const { served, source, destination, trace, context_id, task_id, reference_tasks } = send;
    const find = (kind: Kind, value: string | null, ...ends: string[]): Routed | undefined =>
      value === null ? undefined : this.#recent.get(keyOf(kind, value, ...ends));
    const again = find('context', context_id, source, destination) ?? find('task', task_id, source, destination);
    if (again !== undefined) return { predecessor: again.id, joined_by: 'context_id' };
    if (typeof served === 'object') return { predecessor: served.id, joined_by: 'async_context' };
    const traced = find('trace', trace, source);
    if (traced !== undefined) return { predecessor: traced.id, joined_by: 'trace_context' };
    for (const task of reference_tasks) {
      const referenced = find('task', task, source);
      if (referenced !== undefined) return { predecessor: referenced.id, joined_by: 'reference_task' };
    }
    const delegated = find('context', context_id, source) ?? find('task', task_id, source);
    if (delegated !== undefined) return { predecessor: delegated.id, joined_by: 'context_id' };
    return { predecessor: served === 'root' ? 'root' : 'unknown', joined_by: null };
  }

  #remember(key: string, step: Routed): void {
    this.#recent.delete(key);
    this.#recent.set(key, step);
    if (this.#recent.size > MAX_REMEMBERED) this.#recent.delete(this.#recent.keys().next().value!);
  }

  #isNew(seen: Set<string>, key: string): boolean {
    if (seen.has(key)) return false;
    seen.add(key);
    if (seen.size > MAX_REMEMBERED) seen.delete(seen.values().next().value!);
    return true;
  }
}

type Kind = 'trace' | 'context' | 'task';

/** Under which a later step finds this one: by both its ends, as what it follows up; by its destination, as what it was delegated by. */
const keysOf = (
  { trace, context_id, task_id }: Pick<Send, 'trace' | 'context_id' | 'task_id'>,
  { source, destination }: Pick<Routed, 'source' | 'destination'>,
): string[] => {
  const named: readonly (readonly [Kind, string | null])[] = [
    ['trace', trace],
    ['context', context_id],
    ['task', task_id],
  ];
  return named.flatMap(([kind, value]) =>
    value === null ? [] : [keyOf(kind, value, source, destination), keyOf(kind, value, destination)],
  );
};
