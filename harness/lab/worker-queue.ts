import { EventEmitter, once } from 'node:events';

/** What a queue has really gone through since the last reading. */
export type Load = {
  readonly depth: number;
  /** The longest wait in whole microseconds, of work begun in the window or still waiting. */
  readonly longestWaitUs: number;
  readonly windowUs: number;
};

type Waiting = { readonly since: bigint; readonly start: () => void };

const micros = (nanoseconds: bigint): number => Number(nanoseconds / 1_000n);

/** A fixed number of workers and a first-in-first-out queue before them; measures its own depth and waits. */
export class WorkerQueue {
  readonly #waiting: Waiting[] = [];
  readonly #grew = new EventEmitter();
  #free: number;
  #longestWait = 0n;
  readonly #clock: () => bigint;
  #windowStart: bigint;

  /** The clock is monotone, in nanoseconds. */
  constructor(workers: number, clock: () => bigint) {
    this.#free = workers;
    this.#clock = clock;
    this.#windowStart = clock();
  }

  get depth(): number {
    return this.#waiting.length;
  }

  /** Waits for a free worker; returns how to give it back, which works once. */
  async take(): Promise<() => void> {
    const since = this.#clock();
    if (this.#free > 0) this.#free--;
    else {
      await new Promise<void>((start) => {
        this.#waiting.push({ since, start });
        this.#grew.emit('grew');
      });
    }
    this.#noteWait(since, this.#clock());
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next.start();
    };
  }

  /** Waits until so many requests wait. */
  async reached(depth: number): Promise<void> {
    while (this.depth < depth) await once(this.#grew, 'grew');
  }

  /** Reads the load of the window since the last reading and begins the next window. */
  read(): Load {
    const now = this.#clock();
    const oldest = this.#waiting[0];
    if (oldest !== undefined) this.#noteWait(oldest.since, now);
    const load = {
      depth: this.depth,
      longestWaitUs: micros(this.#longestWait),
      windowUs: micros(now - this.#windowStart),
    };
    this.#longestWait = 0n;
    this.#windowStart = now;
    return load;
  }

  #noteWait(since: bigint, now: bigint): void {
    const wait = now - since;
    if (wait > this.#longestWait) this.#longestWait = wait;
  }
}
