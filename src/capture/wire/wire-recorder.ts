import type { CaptureContext } from '../context.ts';
import type { Ending } from '../ending.ts';
import { recordEvent } from '../observations.ts';
import type { Observer } from '../session.ts';
import type { Attributes, CallSink, CallSocket, CallStart } from './call.ts';
import { fetchedCard, servedCard } from './card-calls.ts';
import { CardDesk } from './card-desk.ts';
import { EndedCalls } from './ended-calls.ts';
import { sent, served } from './exchange-calls.ts';
import { PendingCall } from './pending-call.ts';
import { ProxyView } from './proxy-view.ts';
import { bindingOf, isCardRequest, isPushNotification } from './recognise.ts';
import { namesOf, Redirects } from './redirects.ts';
import { Routing } from './routing.ts';
import { Sides } from './sides.ts';
import { hopOf, hopSink } from './sinks.ts';
import { TaskLoad } from './task-load.ts';
import { agentOf, answered, type WireState } from './wire-state.ts';

export type WireOptions = {
  readonly observer: Observer;
  /** Digests of the cards that the profile pins. */
  readonly pinned: ReadonlySet<string>;
  /** Milliseconds. */
  readonly clock: () => number;
  /** Of a proxy: whether a request to a URL passes it. */
  readonly passes?: (url: string) => boolean;
};

const lower = (headers: CallStart['headers']): [string, string][] =>
  headers.map(([name, value]) => [name.toLowerCase(), value]);

/**
 * Turns HTTP calls, as processes or a proxy see them, into evidence: what is A2A by its wire becomes exchanges, what goes where a captured text led
 * becomes dereferences, and the rest is forgotten. Takes calls of any number of processes in the order in which they happened.
 */
export class WireRecorder {
  readonly desk: CardDesk;
  readonly #state: WireState;
  readonly #calls = new Map<string, PendingCall>();
  readonly #ended = new EndedCalls();
  #isBlind = false;

  constructor(context: CaptureContext, { observer, pinned, clock, passes }: WireOptions) {
    const { session, trail } = context;
    this.desk = new CardDesk(context, observer, pinned);
    const routing = new Routing(session, observer);
    const load = new TaskLoad(session, observer, clock);
    const view = passes === undefined ? null : new ProxyView(passes);
    const [sides, redirects] = [new Sides(), new Redirects()];
    this.#state = { context, observer, clock, desk: this.desk, sides, redirects, routing, load, view };
    trail.listener = {
      state: (seen) => {
        routing.state(seen);
        load.state(seen);
      },
      artifact: (seen) => routing.artifact(seen),
      reference: (seen) => view?.reference(seen),
    };
  }

  call(start: CallStart): void {
    const begun = { ...start, headers: lower(start.headers) };
    const { session } = this.#state.context;
    this.#learn(begun.headers);
    const decide = (_: CallStart, body: Uint8Array): CallSink | null =>
      session.attempt('begin the record of a call', () => this.#decide(begun, body));
    this.#calls.set(start.key, new PendingCall(begun, decide, (what) => session.gap(what)));
  }

  socket(key: string, socket: CallSocket): void {
    this.#step(key, (call) => call.socket(socket));
  }

  attributes(key: string, told: Attributes): void {
    this.#step(key, (call) => call.attributes(told));
  }

  request(key: string, bytes: Uint8Array, last: boolean): void {
    this.#step(key, (call) => call.request(bytes, last));
  }

  response(key: string, status: number, headers: CallStart['headers']): void {
    this.#learn(headers);
    this.#step(key, (call) => call.response(status, lower(headers)));
  }

  chunk(key: string, bytes: Uint8Array): void {
    this.#step(key, (call) => call.chunk(bytes));
  }

  end(key: string, ended: Ending, error: string | null): void {
    if (!this.#calls.has(key)) {
      if (ended !== 'complete') this.#ended.take(key)?.undelivered?.(ended);
      return;
    }
    this.#step(key, (call) => {
      const sink = call.end(ended, error);
      if (sink !== null && call.start.side === 'server') this.#ended.add(key, sink, call.size);
    });
    this.#calls.delete(key);
    this.#state.sides.ended(key);
  }

  /** An event that the SDK's bus published while the process served a call. */
  event(process: string, cause: string | null, json: string): void {
    const { session, redactor } = this.#state.context;
    session.attempt('record an event of the server', () => {
      const serving = this.#state.sides.causeOf(cause);
      const agent = serving?.agent ?? this.#state.sides.onlyAgentOf(process);
      const exchange_id = serving?.exchange_id ?? null;
      const sighting = { observer: 'sdk-server', agent, exchange_id, wire_event: null } as const;
      recordEvent(this.#state.context, sighting, redactor.json(json), false);
    });
  }

  /** A process is gone: with it went every connection it had. */
  gone(process: string): void {
    for (const [key, call] of this.#calls) if (call.start.process === process) this.end(key, 'aborted', null);
  }

  /** A process started a program that was not watched: an agent may fetch by one as well. */
  unwatched(process: string, program: string): void {
    if (!this.#state.sides.isServer(process)) return;
    this.#isBlind = true;
    this.#state.context.session.note(
      `${process}, which serves an agent, started ${program}, which was not watched: what that fetched was not seen`,
    );
  }

  /** States what the end alone can tell: which side of the exchanges was missing. */
  finish(): void {
    const { session } = this.#state.context;
    if (this.#state.view !== null) {
      for (const note of this.#state.view.notes()) session.note(note);
      return;
    }
    const alone = this.#state.sides.alone;
    if (alone.server > 0) {
      session.note(
        `${alone.server} exchanges were seen from the server's side only: their clients ran outside of the capture`,
      );
    }
    if (alone.client > 0) {
      session.note(
        `${alone.client} exchanges were seen from the client's side only: their servers ran outside of the capture, and what these fetched was not seen`,
      );
    } else if (this.#state.observer === 'process-hook' && !this.#isBlind) session.watches('uri_dereference');
  }

  /** The key of a service that is not recorded may come back in an answer that is. */
  #learn(headers: CallStart['headers']): void {
    const { session, redactor } = this.#state.context;
    session.attempt('learn credentials', () => redactor.learn(headers));
  }

  #step(key: string, tell: (call: PendingCall) => void): void {
    const call = this.#calls.get(key);
    if (call !== undefined) this.#state.context.session.attempt('follow a call', () => tell(call));
  }

  #decide(start: CallStart, body: Uint8Array): CallSink | null {
    const shape = { ...start, body, known: this.#state.desk.bindingAt(start.url) };
    const isPush = isPushNotification(shape);
    const binding = isPush ? null : bindingOf(shape);
    if (start.side === 'server') {
      if (isCardRequest(start)) return servedCard(this.#state, start);
      if (binding === null && !isPush) return null;
      return served(this.#state, start, body, binding ?? 'HTTP+JSON');
    }
    if (isCardRequest(start)) return fetchedCard(this.#state, start, body);
    const redirected = this.#state.redirects.to(start);
    if (redirected?.kind === 'card') return fetchedCard(this.#state, start, body);
    if (redirected?.kind === 'hop') return this.#hop(start, body, { ...redirected, reference_id: null });
    if (binding !== null) return sent(this.#state, start, body, binding, null);
    if (redirected?.kind === 'exchange') return sent(this.#state, start, body, redirected.binding, redirected.endpoint);
    const reference_id = this.#reference(start);
    if (reference_id !== null) {
      return this.#hop(start, body, { reference_id, redirect_of: null, hop: 0, agent: agentOf(this.#state, start) });
    }
    return isPush ? sent(this.#state, start, body, 'HTTP+JSON', null) : null;
  }

  /** The reference that leads to a URL: of a message or artifact, or else of a card that mentions it. */
  #reference(start: CallStart): string | null {
    const { session, redactor, trail } = this.#state.context;
    const view = this.#state.view;
    const written = namesOf(start).map((name) => redactor.text(name));
    const known = view === null ? trail.referenceOf(written[0]!) : view.referenceTo(start, written);
    if (known !== undefined) return known;
    const mention = written.map((name) => this.#state.desk.mentionOf(name)).find((found) => found !== null) ?? null;
    if (mention === null || view?.isOwn(mention.exchange_id, start)) return null;
    const { uri, pointer, exchange_id } = mention;
    const place = { exchange_id, artifact_record_id: null, body: 'response', wire_event: null, pointer } as const;
    const id = session.record('uri_references', this.#state.observer, { uri, ...place });
    if (id !== null) trail.refers({ id, uri, exchange_id });
    return id;
  }

  #hop(
    start: CallStart,
    body: Uint8Array,
    facts: { reference_id: string | null; redirect_of: string | null; hop: number; agent: string | null },
  ): CallSink {
    const { reference_id, redirect_of, hop, agent } = facts;
    const recorder = hopOf(
      this.#state.context,
      start,
      body,
      { reference_id, redirect_of, hop, agent },
      this.#state.observer,
    );
    this.#state.view?.fetched(start);
    return hopSink(recorder, start.url, (status, headers) =>
      answered(this.#state, start, status, headers, { kind: 'hop', redirect_of: recorder.id, hop: hop + 1, agent }),
    );
  }
}
