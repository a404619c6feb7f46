import type { TaskState } from '../evidence/records/tasks.ts';
import { ChunkChain } from './chunk-chain.ts';

const MAX_ENTRIES = 100_000;

/** A map that forgets what was written longest ago, so that a long capture stays bounded. */
class Recent<V> {
  readonly #map = new Map<string, V>();

  get(key: string): V | undefined {
    return this.#map.get(key);
  }

  set(key: string, value: V): void {
    this.#map.delete(key);
    this.#map.set(key, value);
    if (this.#map.size > MAX_ENTRIES) this.#map.delete(this.#map.keys().next().value!);
  }
}

export const keyOf = (...parts: readonly (string | null)[]): string => JSON.stringify(parts);

/** What was recorded last of each task, artifact and URI: later records point back to it. */
export class Trail {
  /** By observer, agent, task id. */
  readonly transitions = new Recent<{ readonly id: string; readonly state: TaskState | null }>();
  /** By observer, agent, task id, artifact id. */
  readonly #chunks = new Recent<ChunkChain>();
  /** By task id, artifact id: the newest artifact record. */
  readonly artifacts = new Recent<string>();
  /** By SHA-256 of a part's content: the newest artifact record. */
  readonly contents = new Recent<string>();
  /** By URI as written: the newest reference. */
  readonly references = new Recent<string>();

  /** The chunks of an artifact; none yet when it is new. */
  chunks(key: string): ChunkChain {
    const chain = this.#chunks.get(key) ?? new ChunkChain();
    this.#chunks.set(key, chain);
    return chain;
  }
}
