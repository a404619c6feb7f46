import type { CallSink } from './call.ts';

type Ended = { readonly sink: CallSink; readonly size: number };

/** What is kept for a call beside its bodies, in bytes: about. */
const OVERHEAD = 16_384;
const MAX_HELD = 16 * 1024 * 1024;

/**
 * Served calls that have ended, and whose last byte may still turn out not to have arrived. Each holds its bodies, to be written again, so they are
 * forgotten by their size, oldest first.
 */
export class EndedCalls {
  readonly #calls = new Map<string, Ended>();
  #held = 0;

  /** `bytes`: what passed of its bodies. */
  add(key: string, sink: CallSink, bytes: number): void {
    const size = OVERHEAD + bytes;
    this.#calls.set(key, { sink, size });
    this.#held += size;
    for (const oldest of this.#calls.keys()) {
      if (this.#held <= MAX_HELD) return;
      this.take(oldest);
    }
  }

  /** Gives the sink of a call, once; null when it is not known, or forgotten. */
  take(key: string): CallSink | null {
    const ended = this.#calls.get(key);
    if (ended === undefined) return null;
    this.#calls.delete(key);
    this.#held -= ended.size;
    return ended.sink;
  }
}
