import type { CaptureContext } from '../context.ts';
import type { Ending } from '../ending.ts';
import { recordEvent } from '../observations.ts';
import type { Observer } from '../session.ts';
import { keyOf, referenceKey } from '../trail.ts';
import type { Attributes, CallSink, CallSocket, CallStart } from './call.ts';
import { CardDesk, type Endpoint } from './card-desk.ts';
import { EndedCalls } from './ended-calls.ts';
import { messageFacts, traceIdOf } from './message-facts.ts';
import { PendingCall } from './pending-call.ts';
import { ProxyView } from './proxy-view.ts';
import { Recent } from './recent.ts';
import { type Binding, bindingOf, isCardRequest, isPushNotification } from './recognise.ts';
import { type Routed, Routing } from './routing.ts';
import { cardBody, exchangeOf, exchangeSink, hopOf, hopSink } from './sinks.ts';
import { socketKey } from './socket-key.ts';
import { TaskLoad } from './task-load.ts';

export type WireOptions = {
  readonly observer: Observer;
  /** Digests of the cards that the profile pins. */
  readonly pinned: ReadonlySet<string>;
  /** Milliseconds. */
  readonly clock: () => number;
  /** Of a proxy: whether a request to a URL passes it. */
  readonly passes?: (url: string) => boolean;
};

/** A call that a process of the capture serves: what it sends meanwhile is caused by it. */
type Served = {
  readonly agent: string;
  readonly process: string;
  readonly exchange_id: string | null;
  /** The client's side of it; undefined while none is known. */
  peer: Sent | undefined;
};
/** What a client was sent on from. */
type Redirected =
  | { readonly kind: 'card' }
  | { readonly kind: 'exchange'; readonly binding: Binding; readonly endpoint: Endpoint | null }
  | { readonly kind: 'hop'; readonly redirect_of: string | null; readonly hop: number; readonly agent: string | null };
type Sent = { readonly process: string; step: Routed | null; isSeenByServer: boolean };

const lower = (headers: CallStart['headers']): [string, string][] =>
  headers.map(([name, value]) => [name.toLowerCase(), value]);

/**
 * Turns HTTP calls, as processes or a proxy see them, into evidence: what is A2A by its wire becomes exchanges, what goes where a captured text led
 * becomes dereferences, and the rest is forgotten. Takes calls of any number of processes in the order in which they happened.
 */
export class WireRecorder {
  readonly desk: CardDesk;
  readonly #context: CaptureContext;
  readonly #options: WireOptions;
  readonly #calls = new Map<string, PendingCall>();
  readonly #ended = new EndedCalls();
  readonly #served = new Map<string, Served>();
  /** By the socket that an exchange goes over: its client's side, and a server's side that came before it was known. */
  readonly #sent = new Recent<Sent>();
  readonly #unmatched = new Recent<Served>();
  readonly #redirects = new Recent<Redirected>();
  /** The agents that each process serves. */
  readonly #agents = new Map<string, Set<string>>();
  readonly #routing: Routing;
  readonly #load: TaskLoad;
  readonly #view: ProxyView | null;
  #seenByClientAlone = 0;
  #seenByServerAlone = 0;

  constructor(context: CaptureContext, options: WireOptions) {
    const { session, trail } = context;
    this.#context = context;
    this.#options = options;
    this.desk = new CardDesk(context, options.observer, options.pinned);
    this.#routing = new Routing(session, options.observer);
    this.#load = new TaskLoad(session, options.observer, options.clock);
    this.#view = options.passes === undefined ? null : new ProxyView(options.passes);
    trail.listener = {
      state: (seen) => {
        this.#routing.state(seen);
        this.#load.state(seen);
      },
      artifact: (seen) => this.#routing.artifact(seen),
      reference: (seen) => this.#view?.reference(seen),
    };
  }

  call(start: CallStart): void {
    const begun = { ...start, headers: lower(start.headers) };
    const { session } = this.#context;
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
    this.#served.delete(key);
  }

  /** An event that the SDK's bus published while the process served a call. */
  event(process: string, cause: string | null, json: string): void {
    const { session, redactor } = this.#context;
    session.attempt('record an event of the server', () => {
      const served = cause === null ? undefined : this.#served.get(cause);
      const agent = served?.agent ?? this.#onlyAgent(process);
      const exchange_id = served?.exchange_id ?? null;
      const sighting = { observer: 'sdk-server', agent, exchange_id, wire_event: null } as const;
      recordEvent(this.#context, sighting, redactor.json(json), false);
    });
  }

  /** A process is gone: with it went every connection it had. */
  gone(process: string): void {
    for (const [key, call] of this.#calls) if (call.start.process === process) this.end(key, 'aborted', null);
  }

  /** States what the end alone can tell: which side of the exchanges was missing. */
  finish(): void {
    const { session } = this.#context;
    if (this.#view !== null) {
      for (const note of this.#view.notes()) session.note(note);
      return;
    }
    if (this.#seenByServerAlone > 0) {
      session.note(
        `${this.#seenByServerAlone} exchanges were seen from the server's side only: their clients ran outside of the capture`,
      );
    }
    if (this.#seenByClientAlone > 0) {
      session.note(
        `${this.#seenByClientAlone} exchanges were seen from the client's side only: their servers ran outside of the capture, and what these fetched was not seen`,
      );
    } else if (this.#options.observer === 'process-hook') session.watches('uri_dereference');
  }

  /** The key of a service that is not recorded may come back in an answer that is. */
  #learn(headers: CallStart['headers']): void {
    const { session, redactor } = this.#context;
    session.attempt('learn credentials', () => redactor.learn(headers));
  }

  #step(key: string, tell: (call: PendingCall) => void): void {
    const call = this.#calls.get(key);
    if (call !== undefined) this.#context.session.attempt('follow a call', () => tell(call));
  }

  #decide(start: CallStart, body: Uint8Array): CallSink | null {
    const shape = { ...start, body, known: this.desk.bindingAt(start.url) };
    const isPush = isPushNotification(shape);
    const binding = isPush ? null : bindingOf(shape);
    if (start.side === 'server') {
      if (isCardRequest(start)) return this.#servedCard(start);
      if (binding === null && !isPush) return null;
      return this.#serve(start, body, binding ?? 'HTTP+JSON');
    }
    if (isCardRequest(start)) return this.#fetchedCard(start, body);
    const redirected = this.#redirectTo(start);
    if (redirected?.kind === 'card') return this.#fetchedCard(start, body);
    if (redirected?.kind === 'hop') return this.#hop(start, body, { ...redirected, reference_id: null });
    if (binding !== null) return this.#send(start, body, binding, null);
    if (redirected?.kind === 'exchange') return this.#send(start, body, redirected.binding, redirected.endpoint);
    const reference_id = this.#reference(start);
    if (reference_id !== null) {
      return this.#hop(start, body, { reference_id, redirect_of: null, hop: 0, agent: this.#agentOf(start) });
    }
    return isPush ? this.#send(start, body, 'HTTP+JSON', null) : null;
  }

  /** The reference that leads to a URL: of a message or artifact, or else of a card that mentions it. */
  #reference(start: CallStart): string | null {
    const { session, redactor, trail } = this.#context;
    const view = this.#view;
    const written = namesOf(start).map((name) => redactor.text(name));
    const known = view === null ? trail.referenceOf(written[0]!) : view.referenceTo(start, written);
    if (known !== undefined) return known;
    const mention = written.map((name) => this.desk.mentionOf(name)).find((found) => found !== null) ?? null;
    if (mention === null || view?.isOwn(mention.exchange_id, start)) return null;
    const { uri, pointer, exchange_id } = mention;
    const place = { exchange_id, artifact_record_id: null, body: 'response', wire_event: null, pointer } as const;
    const id = session.record('uri_references', this.#options.observer, { uri, ...place });
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
      this.#context,
      start,
      body,
      { reference_id, redirect_of, hop, agent },
      this.#options.observer,
    );
    this.#view?.fetched(start);
    return hopSink(recorder, start.url, (status, headers) =>
      this.#redirectsOn(start, status, headers, { kind: 'hop', redirect_of: recorder.id, hop: hop + 1, agent }),
    );
  }

  #fetchedCard(start: CallStart, body: Uint8Array): CallSink {
    const { redactor } = this.#context;
    const { observer } = this.#options;
    const facts = {
      observer,
      endpoint_id: null,
      client_agent: this.#agentOf(start),
      server_agent: null,
      references: false,
    };
    const recorder = exchangeOf(this.#context, start, body, { ...facts, binding: 'HTTP+JSON' });
    this.#view?.exchange(recorder.reference, start);
    const card = cardBody();
    let status = 0;
    const sink = exchangeSink(recorder, {
      response: (code, headers) => {
        status = code;
        this.#redirectsOn(start, code, headers, { kind: 'card' });
      },
      end: (ended) => {
        const whole = status >= 200 && status < 300 ? card.whole(ended) : null;
        if (whole === null) return;
        this.desk.fetched(start.process, redactor.text(start.url), status, redactor.bytes(whole), recorder.reference);
      },
    });
    return {
      ...sink,
      chunk: (bytes) => {
        card.chunk(bytes);
        sink.chunk(bytes);
      },
    };
  }

  #servedCard({ process }: CallStart): CallSink {
    const card = cardBody();
    let isFound = false;
    return {
      response: (status) => {
        isFound = status >= 200 && status < 300;
      },
      chunk: (bytes) => card.chunk(bytes),
      end: (ended) => {
        const whole = isFound ? card.whole(ended) : null;
        if (whole !== null) this.desk.served(process, this.#context.redactor.bytes(whole));
      },
    };
  }

  #serve(start: CallStart, body: Uint8Array, binding: Binding): CallSink {
    const { observer } = this.#options;
    const endpoint = this.desk.endpointFor(start.url, binding, { process: start.process, side: 'server', agent: null });
    const agent = endpoint?.agent ?? this.desk.agentAt(start.url);
    const agents = this.#agents.get(start.process) ?? new Set();
    this.#agents.set(start.process, agents.add(agent));
    const facts = { observer, endpoint_id: endpoint?.endpoint_id ?? null, client_agent: null, server_agent: agent };
    const recorder = exchangeOf(this.#context, start, body, { ...facts, binding });
    const served: Served = { agent, process: start.process, exchange_id: recorder.reference, peer: undefined };
    this.#served.set(start.key, served);
    const socket = socketKey(start.remote, start.local) ?? start.key;
    const sent = this.#sent.get(socket);
    this.#seenByServerAlone++;
    if (sent === undefined) this.#unmatched.set(socket, served);
    else this.#match(sent, served);
    return exchangeSink(recorder);
  }

  /** Both sides of one exchange are known. */
  #match(sent: Sent, served: Served): void {
    if (served.peer !== undefined) return;
    served.peer = sent;
    sent.isSeenByServer = true;
    this.#seenByServerAlone--;
  }

  /**
   * The step that a served call is the other side of. Of two processes each tells what a hostile one may forge, so a chain is joined by the asynchronous
   * context within one process alone; that the sender is no agent of this trace is enough for a root.
   */
  #stepServed({ peer, process }: Served): Routed | 'root' | 'unknown' {
    if (peer === undefined) return this.#seenByClientAlone > 0 ? 'unknown' : 'root';
    if (peer.step === null) return 'root';
    return peer.process === process ? peer.step : 'unknown';
  }

  #send(start: CallStart, body: Uint8Array, binding: Binding, given: Endpoint | null): CallSink {
    const { session } = this.#context;
    const { observer, clock } = this.#options;
    const { process, url } = start;
    const client_agent = this.#agentOf(start);
    const endpoint = given ?? this.desk.endpointFor(url, binding, { process, side: 'client', agent: client_agent });
    const server_agent = endpoint?.agent ?? this.desk.agentAt(url);
    const endpoint_id = endpoint?.endpoint_id ?? null;
    const began = clock();
    const recorder = exchangeOf(this.#context, start, body, {
      observer,
      endpoint_id,
      client_agent,
      server_agent,
      binding,
    });
    const exchange_id = recorder.reference;
    this.#view?.exchange(exchange_id, start);
    const facts = messageFacts(binding, url, body);
    if (endpoint_id !== null) {
      this.#load.reached(server_agent, endpoint_id);
      this.#load.asked(server_agent);
      for (const capability of facts.skills) {
        session.record('capability_invocations', observer, {
          exchange_id,
          capability,
          basis: 'requested',
          caller_agent: client_agent,
        });
      }
    }
    const sent: Sent = { process, step: null, isSeenByServer: false };
    if (facts.isSend && exchange_id !== null && client_agent !== null) {
      const served = this.#stepServing(start, client_agent);
      const trace = traceIdOf(start.headers);
      sent.step = this.#routing.sent({
        ...facts,
        exchange_id,
        source: client_agent,
        destination: server_agent,
        trace,
        served,
      });
    }
    let status = 0;
    return exchangeSink(recorder, {
      socket: ({ local, remote }) => {
        const name = socketKey(local, remote);
        if (name === null) return;
        this.#sent.set(name, sent);
        const served = this.#unmatched.get(name);
        this.#unmatched.delete(name);
        if (served !== undefined) this.#match(sent, served);
      },
      response: (code, headers) => {
        status = code;
        if (endpoint_id !== null) this.#load.answered(server_agent, (clock() - began) * 1_000);
        this.#redirectsOn(start, code, headers, { kind: 'exchange', binding, endpoint });
      },
      end: (ended) => {
        if (!sent.isSeenByServer) this.#seenByClientAlone++;
        if (exchange_id !== null) this.#routing.ended(exchange_id, outcomeOf(status, ended), recorder.answer);
        if (endpoint_id !== null) this.#load.ended(server_agent, ended, status !== 0);
      },
    });
  }

  #stepServing({ cause }: CallStart, agent: string): Routed | 'root' | 'unknown' {
    const served = cause === null ? undefined : this.#served.get(cause);
    if (served !== undefined) return this.#stepServed(served);
    if (cause !== null) return 'unknown';
    const hasServed = [...this.#agents.values()].some((agents) => agents.has(agent));
    return hasServed ? 'unknown' : 'root';
  }

  /** The agent on whose behalf a call is sent: the one that serves meanwhile, else the only one that its process serves. */
  #agentOf({ cause, process, url }: CallStart): string | null {
    const served = cause === null ? undefined : this.#served.get(cause);
    if (served !== undefined) return served.agent;
    const only = this.#onlyAgent(process);
    // A test that talks to the agent in its own process is not that agent.
    return only === this.desk.agentAt(url) ? null : only;
  }

  #onlyAgent(process: string): string | null {
    const agents = this.#agents.get(process);
    return agents?.size === 1 ? [...agents][0]! : null;
  }

  /** What a client was sent on from to this request. A redirect of a dereference is followed once: who comes there later was not sent. */
  #redirectTo(start: CallStart): Redirected | undefined {
    for (const name of namesOf(start)) {
      const key = keyOf(start.process, referenceKey(name));
      const found = this.#redirects.get(key);
      if (found?.kind === 'hop') this.#redirects.delete(key);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #redirectsOn(start: CallStart, status: number, headers: CallStart['headers'], from: Redirected): void {
    const location = headers.find(([name]) => name === 'location')?.[1];
    if (status < 300 || status >= 400 || location === undefined) return;
    try {
      const next = new URL(location, start.behind?.names[0] ?? start.url).href;
      this.#redirects.set(keyOf(start.process, referenceKey(next)), from);
      if (this.#view?.leadsPast(next, start)) {
        this.#context.session.gap(
          `a redirect leads past every proxy, to ${new URL(next).origin}: whether it was followed was not seen`,
        );
      }
    } catch {
      // No client can follow it.
    }
  }
}

/** The URLs by which a text may name a request. */
const namesOf = ({ url, behind }: CallStart): readonly string[] => [url, ...(behind?.names ?? [])];

const outcomeOf = (status: number, ended: Ending): 'ok' | 'failed' | null => {
  if (status === 0) return ended === 'aborted' ? null : 'failed';
  return status < 400 && ended === 'complete' ? 'ok' : 'failed';
};
