import type { ChannelWriter } from '../channel/writer.ts';
import type { Ending } from '../ending.ts';
import { here, scope } from './scope.ts';

type Pairs = readonly (readonly [string, string])[];
export type Seen = {
  readonly side: 'client' | 'server';
  readonly method: string;
  readonly url: string;
  readonly headers: Pairs;
  readonly local: string | null;
  readonly remote: string | null;
};
export type SeenSocket = {
  readonly local: string | null;
  readonly remote: string | null;
  readonly connected: string | null;
  readonly resolved: readonly string[] | null;
  readonly dialled: string | null;
};

const MAX_NAME = 1_000;
const pairs = (rows: Pairs): [string, string][] => rows.map(([name, value]) => [name, value]);

/** Tells the recorder of one HTTP call, each step before the wire goes on. */
export class CallReporter {
  readonly id: number;
  readonly #channel: ChannelWriter;
  #requestEnded = false;
  #ended = false;

  constructor(channel: ChannelWriter, id: number, { side, method, url, headers, local, remote }: Seen) {
    this.id = id;
    this.#channel = channel;
    const { serving, test } = here();
    channel.send({
      t: 'call',
      call: id,
      side,
      method,
      url,
      headers: pairs(headers),
      cause: serving,
      test,
      local,
      remote,
    });
  }

  socket({ resolved, ...socket }: SeenSocket): void {
    this.#channel.send({ t: 'socket', call: this.id, ...socket, resolved: resolved === null ? null : [...resolved] });
  }

  requestChunk(bytes: Uint8Array): void {
    if (bytes.length > 0) this.#channel.send({ t: 'request', call: this.id, last: false }, bytes);
  }

  requestEnd(): void {
    if (this.#requestEnded) return;
    this.#requestEnded = true;
    this.#channel.send({ t: 'request', call: this.id, last: true });
  }

  response(status: number, headers: Pairs): void {
    this.#channel.send({ t: 'response', call: this.id, status, headers: pairs(headers) });
  }

  chunk(bytes: Uint8Array): void {
    if (bytes.length > 0) this.#channel.send({ t: 'chunk', call: this.id }, bytes);
  }

  end(ended: Ending, error: string | null = null): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#channel.send({ t: 'end', call: this.id, ended, error });
  }

  /** Corrects how a call ended whose last byte was handed over and did not arrive. */
  undelivered(ended: Ending): void {
    this.#channel.send({ t: 'end', call: this.id, ended, error: null });
  }
}

/** What the taps of one thread report through. None of its methods throws: a fault of the hook becomes a gap, never one of the program. */
export class Reporter {
  readonly channel: ChannelWriter;
  #calls = 0;

  constructor(channel: ChannelWriter) {
    this.channel = channel;
  }

  call(seen: Seen): CallReporter {
    return new CallReporter(this.channel, this.#calls++, seen);
  }

  /** Tells that this thread runs tests one by one: what it does outside of them belongs to none of another thread. */
  runsTests(): void {
    this.channel.send({ t: 'runs-tests' });
  }

  /** Runs a test in the scope of its id, unique in the capture; its name is what people call it. */
  async inTest(test: string, name: string, work: () => Promise<void>): Promise<void> {
    this.channel.send({ t: 'test-begin', test, name: name.slice(0, MAX_NAME) });
    try {
      await scope.run({ serving: null, test }, work);
    } finally {
      this.channel.send({ t: 'test-end', test });
    }
  }

  event(json: string): void {
    const { serving, test } = here();
    this.channel.send({ t: 'event', cause: serving, test }, Buffer.from(json));
  }

  gap(what: string): void {
    this.channel.send({ t: 'gap', what: what.slice(0, MAX_NAME) });
  }

  /** Runs code of a tap. */
  attempt<T>(what: string, work: () => T): T | null {
    try {
      return work();
    } catch (error) {
      const { name, code } = (error ?? {}) as { readonly name?: unknown; readonly code?: unknown };
      this.gap(`could not ${what}: ${[name, code].filter((part) => typeof part === 'string').join(' ')}`);
      return null;
    }
  }
}
