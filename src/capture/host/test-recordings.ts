import { setTimeout as sleep } from 'node:timers/promises';
import type { CallSocket, CallStart } from '../wire/call.ts';
import { Recent } from '../wire/recent.ts';
import { socketKey } from '../wire/socket-key.ts';
import { CardShelf } from './card-shelf.ts';
import { concerns, isA2A } from './concerns.ts';
import { HeldCall } from './held-call.ts';
import type { CallTaker, Recordings, Seen, WatchedRecording } from './recordings.ts';
import { incidentOfTest } from './test-incident.ts';

/** What a test is recorded with. */
export type TestHost<R extends WatchedRecording, S> = {
  /** Opens the recording of one incident. */
  open(incident: string): R;
  /** Resolves when everything that was told so far has been taken. */
  drain(): Promise<void>;
  /** Ends the recording of an incident. */
  seal(recording: R, incident: string): S;
  /** What stands instead, where a recording could not be opened or sealed. */
  failed(incident: string, error: unknown): S;
};

type Test<S> = {
  readonly incident: string;
  /** Calls under way. */
  readonly open: Set<string>;
  /** A2A calls that came after it was sealed. */
  late: number;
  sealed: Promise<S> | null;
};

/** The other side of a call tells its end a little later, and may be in another process. */
const SETTLED_MS = 1_000;
const LOOK_AGAIN_MS = 5;
const MAX_RUNNING = 1_000;

const NOBODY: CallTaker = {
  call: () => {},
  socket: () => {},
  request: () => {},
  response: () => {},
  chunk: () => {},
  end: () => {},
};

/**
 * One recording for each test. A call belongs to the test of the connection it came over, of the call that caused it, or of the asynchronous context it was
 * sent in; what none of these tells belongs to the only test that runs, and while several run, each has a gap. A thread that runs tests itself does
 * nothing for those of others. Outside of tests nothing is recorded.
 */
export class TestRecordings<R extends WatchedRecording, S> implements Recordings {
  readonly #host: TestHost<R, S>;
  /** In the order in which they began. */
  readonly #tests = new Map<string, Test<S>>();
  readonly #running = new Map<string, R>();
  /** The tests that each thread runs which runs tests. */
  readonly #testsOfWriter = new Map<string, Set<string>>();
  readonly #incidents = new Set<string>();
  readonly #shelf = new CardShelf();
  readonly #testOfCall = new Recent<string>();
  readonly #testOfSocket = new Recent<string>();

  constructor(host: TestHost<R, S>) {
    this.#host = host;
  }

  underWay(): readonly R[] {
    return [...this.#running.values()];
  }

  runsTests(writer: string): void {
    if (!this.#testsOfWriter.has(writer)) this.#testsOfWriter.set(writer, new Set());
  }

  testBegins(writer: string, test: string, name: string): void {
    if (this.#tests.has(test) || this.#running.size >= MAX_RUNNING) {
      this.#gap('a test began that could not be recorded');
      return;
    }
    const incident = this.#unused(incidentOfTest(name));
    const begun: Test<S> = { incident, open: new Set(), late: 0, sealed: null };
    this.#tests.set(test, begun);
    try {
      const recording = this.#host.open(incident);
      this.#running.set(test, recording);
      this.runsTests(writer);
      this.#testsOfWriter.get(writer)!.add(test);
      this.#shelf.tell(recording);
    } catch (error) {
      begun.sealed = Promise.resolve(this.#host.failed(incident, error));
    }
  }

  testEnds(test: string): void {
    void this.seal(test);
  }

  /** Seals what a test did so far, once, and ends its recording; null when no such test began. `late` counts its A2A calls after that. */
  async seal(test: string): Promise<{ readonly sealed: S; readonly late: number } | null> {
    await this.#host.drain();
    const known = this.#tests.get(test);
    if (known === undefined) return null;
    known.sealed ??= this.#seal(test, known);
    return { sealed: await known.sealed, late: known.late };
  }

  /** Seals the tests that never told their end; returns all there are, in the order in which they began. */
  async sealAll(): Promise<readonly S[]> {
    this.#gap('the test did not tell its end');
    const all = [...this.#tests.keys()].map((test) => this.seal(test));
    return (await Promise.all(all)).flatMap((ended) => (ended === null ? [] : [ended.sealed]));
  }

  takersOf(start: CallStart, seen: Seen): readonly CallTaker[] {
    const test = this.#testOf(start, seen);
    if (test !== null) this.#testOfCall.set(start.key, test);
    const recorders = test === null ? this.#unassigned(start, seen) : this.#recordersOf(start, test);
    return [...recorders, ...this.#shelf.takersOf(start)];
  }

  recordingsOf(seen: Seen): readonly R[] {
    const known = (seen.cause === null ? undefined : this.#testOfCall.get(seen.cause)) ?? seen.test;
    const tests = this.#tests.has(known ?? '') ? [known!] : this.#candidates(seen);
    const recordings = this.#recordingsOf(tests);
    if (tests.length <= 1) return recordings;
    for (const { context } of recordings)
      context.session.gap('an event of a server could not be assigned to one of the tests that ran');
    return [];
  }

  /** The tests that something may belong to of which nothing else is known. */
  #candidates({ writer }: Seen): readonly string[] {
    const own = this.#testsOfWriter.get(writer);
    return [...this.#running.keys()].filter((test) => own?.has(test) ?? true);
  }

  #recordingsOf(tests: readonly string[]): readonly R[] {
    return tests.map((test) => this.#running.get(test)).filter((recording) => recording !== undefined);
  }

  #gap(what: string): void {
    for (const { context } of this.#running.values()) context.session.gap(what);
  }

  #unused(incident: string): string {
    let name = incident;
    for (let count = 2; this.#incidents.has(name); count++) name = `${incident}.${count}`;
    this.#incidents.add(name);
    return name;
  }

  /** A server that is shared was started in the context of some test, or of none: the connection and the cause know better. */
  #testOf({ side, cause, local, remote }: CallStart, seen: Seen): string | null {
    const ofSocket = side === 'server' ? this.#testOfSocket.get(socketKey(remote, local) ?? '') : undefined;
    const ofCause = cause === null ? undefined : this.#testOfCall.get(cause);
    const known = ofSocket ?? ofCause;
    if (known !== undefined) return known;
    const ofContext = seen.test ?? '';
    if (side === 'server' ? this.#running.has(ofContext) : this.#tests.has(ofContext)) return ofContext;
    const candidates = this.#candidates(seen);
    return candidates.length === 1 ? candidates[0]! : null;
  }

  #recordersOf(start: CallStart, test: string): readonly CallTaker[] {
    const known = this.#tests.get(test)!;
    const recording = this.#running.get(test);
    if (recording === undefined) {
      const count = (begun: CallStart, body: Uint8Array): null => {
        if (isA2A(begun, body)) known.late++;
        return null;
      };
      return [new HeldCall(start, count)];
    }
    known.open.add(start.key);
    const follow: CallTaker = {
      ...NOBODY,
      socket: (_: string, { local, remote }: CallSocket) => {
        const socket = start.side === 'client' ? socketKey(local, remote) : null;
        if (socket !== null) this.#testOfSocket.set(socket, test);
      },
      end: (key: string) => known.open.delete(key),
    };
    return [recording.wire, follow];
  }

  #unassigned(start: CallStart, seen: Seen): readonly CallTaker[] {
    const candidates = this.#candidates(seen);
    const tell = (begun: CallStart, body: Uint8Array): null => {
      for (const recording of this.#recordingsOf(candidates)) {
        if (concerns(recording, begun, body))
          recording.context.session.gap('a call could not be assigned to one of the tests that ran');
      }
      return null;
    };
    return candidates.length === 0 ? [] : [new HeldCall(start, tell)];
  }

  async #seal(test: string, { incident, open }: Test<S>): Promise<S> {
    const until = Date.now() + SETTLED_MS;
    while (open.size > 0 && Date.now() < until) await sleep(LOOK_AGAIN_MS);
    const recording = this.#running.get(test)!;
    this.#running.delete(test);
    for (const tests of this.#testsOfWriter.values()) tests.delete(test);
    try {
      return this.#host.seal(recording, incident);
    } catch (error) {
      return this.#host.failed(incident, error);
    }
  }
}
