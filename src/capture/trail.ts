import type { TaskState } from '../evidence/records/tasks.ts';
import { ChunkChain } from './chunk-chain.ts';

const MAX_ENTRIES = 100_000;

/** A map that forgets what was written longest ago, so that a long capture stays bounded. */
class Recent<V> {
  readonly #map = new Map<string, V>();

  get(key: string): V | undefined {
    return this.#map.get(key);
  }

  /** Returns whether another one was forgotten. */
  set(key: string, value: V): boolean {
    this.#map.delete(key);
    this.#map.set(key, value);
    if (this.#map.size <= MAX_ENTRIES) return false;
    return this.#map.delete(this.#map.keys().next().value!);
  }
}

export const keyOf = (...parts: readonly (string | null)[]): string => JSON.stringify(parts);

/** One spelling for all that make a client ask for the same (WHATWG URL): neither userinfo nor a fragment is in the request line. */
export const referenceKey = (uri: string): string => {
  try {
    const url = new URL(uri);
    for (const part of ['hash', 'username', 'password'] as const) url[part] = '';
    return url.href;
  } catch {
    return uri;
  }
};

/** A state that a task was seen in. */
export type SeenState = {
  readonly id: string;
  readonly observer: string;
  readonly exchange_id: string | null;
  readonly agent: string | null;
  readonly task_id: string | null;
  readonly state: TaskState | null;
};
/** A piece of an artifact; `sha256` of its content, null when it has none. */
export type SeenArtifact = { readonly id: string; readonly exchange_id: string | null; readonly sha256: string | null };

/** A URI in a message; `exchange_id`: of the exchange that brought it. */
export type SeenReference = { readonly id: string; readonly uri: string; readonly exchange_id: string | null };

/** Told of what was recorded, by who derives more from it. */
export type TrailListener = {
  state(seen: SeenState): void;
  artifact(seen: SeenArtifact): void;
  reference(seen: SeenReference): void;
};

/** What was recorded last of each task, artifact and URI: later records point back to it. */
export class Trail {
  listener: TrailListener | null = null;
  readonly #onForgotten: () => void;
  #hasForgotten = false;
  /** By observer, agent, task id. */
  readonly transitions = new Recent<{ readonly id: string; readonly state: TaskState | null }>();
  /** By observer, agent, task id, artifact id. */
  readonly #chunks = new Recent<ChunkChain>();
  /** By task id, artifact id: the newest artifact record. */
  readonly artifacts = new Recent<string>();
  /** By SHA-256 of a part's content: the newest artifact record. */
  readonly contents = new Recent<string>();
  /** By URI, as a URL parser writes it: the newest reference. */
  readonly #references = new Recent<string>();

  /** `onForgotten` is called once: a URI is no longer known, and who fetches it is not seen to follow it. */
  constructor(onForgotten: () => void) {
    this.#onForgotten = onForgotten;
  }

  /** The newest reference that leads to the same place as a URI; undefined when none was recorded. */
  referenceOf(uri: string): string | undefined {
    return this.#references.get(referenceKey(uri));
  }

  refers(seen: SeenReference): void {
    const isOneForgotten = this.#references.set(referenceKey(seen.uri), seen.id);
    if (isOneForgotten && !this.#hasForgotten) this.#onForgotten();
    this.#hasForgotten ||= isOneForgotten;
    this.listener?.reference(seen);
  }

  /** The chunks of an artifact; none yet when it is new. */
  chunks(key: string): ChunkChain {
    const chain = this.#chunks.get(key) ?? new ChunkChain();
    this.#chunks.set(key, chain);
    return chain;
  }
}
