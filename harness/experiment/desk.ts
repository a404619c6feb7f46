import type { AgentCard } from '@a2a-js/sdk';
import { ClientFactory, type ClientFactoryOptions } from '@a2a-js/sdk/client';
import { type Capture, createDialer, type Dialer, type DialOverride, type Observers } from '../../src/index.ts';
import type { AgentIdentity } from '../lab/cards.ts';
import { Remote } from '../lab/remote.ts';
import { type Egress, startEgress } from './egress.ts';
import { AGENTS } from './places/agents.ts';
import type { Entry, Surroundings } from './places/protocol.ts';
import { FILES } from './places/uri-service.ts';
import { PLACES, type PlaceName, type Troupe } from './troupe.ts';

const LOOPBACK = '127.0.0.1';
export const DESK = 'desk';

/** Names stand for addresses of TEST-NET-3 (RFC 5737), which the profile allows; an address stands for itself. */
const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  [FILES]: ['203.0.113.7'],
  'archive.agents.test': ['203.0.113.8'],
  '169.254.169.254': [],
};

/** How the agents of a run speak: their version of A2A, and the texts under which the trusted ones serve their cards. */
export type Protocol = { readonly version: Surroundings['protocol']; readonly trustedCards: readonly string[] };

/** The client that gives agents their work, in the harness's own process, where the capture stands. It serves no endpoint. */
export class Desk {
  readonly observe: Observers;
  readonly egress: Egress;
  readonly #capture: Capture;
  readonly #dialer: Dialer;
  readonly #troupe: Troupe;
  readonly #ports: ReadonlyMap<PlaceName, number>;
  readonly #trusted: readonly string[];
  readonly #protocol: Protocol;

  private constructor(
    capture: Capture,
    dialer: Dialer,
    egress: Egress,
    troupe: Troupe,
    ports: ReadonlyMap<PlaceName, number>,
    protocol: Protocol,
  ) {
    this.#capture = capture;
    this.observe = capture.observe;
    this.#dialer = dialer;
    this.egress = egress;
    this.#troupe = troupe;
    this.#ports = ports;
    this.#protocol = protocol;
    this.#trusted = protocol.trustedCards.flatMap((card) => this.observe.trustedCard(card) ?? []);
  }

  /** Makes every place anew for one run, and sends every name of the run to them. */
  static async open(
    capture: Capture,
    troupe: Troupe,
    protocol: Protocol,
    parameters: Surroundings['parameters'],
  ): Promise<Desk> {
    const overrides: DialOverride[] = [];
    const dialer = createDialer(overrides);
    const egress = await startEgress({ capture, dialer, overrides });
    const ports = new Map<PlaceName, number>();
    const open = async (name: PlaceName, queue: string): Promise<void> => {
      const port = await troupe[name].open({ egress: egress.origin, queue, protocol: protocol.version, parameters });
      ports.set(name, port);
    };
    await open('queue', '');
    const queue = `http://${LOOPBACK}:${ports.get('queue')}`;
    await Promise.all(PLACES.filter((name) => name !== 'queue').map((name) => open(name, queue)));
    const send = (host: string, name: PlaceName, resolves_to: readonly string[] = []): void => {
      const to = { address: LOOPBACK, port: ports.get(name)! };
      overrides.push({ host, to, ...(resolves_to.length > 0 && { resolves_to }) });
    };
    for (const { agent, host } of AGENTS) send(host, agent as PlaceName);
    for (const [host, addresses] of Object.entries(ADDRESSES)) send(host, 'uri-service', addresses);
    return new Desk(capture, dialer, egress, troupe, ports, protocol);
  }

  /** Reads the cards of some agents, chooses one, and connects to the endpoint that its card states. */
  async choose(offers: readonly AgentIdentity[], chosen: AgentIdentity): Promise<Remote> {
    const options = this.#capture.client({
      agent: DESK,
      fetch: this.#dialer.fetch,
      nameAgent: (_, url) => AGENTS.find(({ host }) => host === new URL(url).hostname)?.agent ?? null,
      legacyCompat: { enabled: this.#protocol.version === '0.3' },
    }) satisfies ClientFactoryOptions;
    const cards = new Map<AgentIdentity, AgentCard>();
    for (const offer of offers) cards.set(offer, await options.cardResolver.resolve(`http://${offer.host}`));
    const card = cards.get(chosen)!;
    this.observe.discoveryDecision({
      client_agent: DESK,
      considered: [...cards.values()],
      trusted: this.#trusted,
      selected: card,
    });
    const client = await new ClientFactory(options).createFromAgentCard(card);
    return new Remote(client, this.observe.endpointAt(card.supportedInterfaces[0]?.url ?? ''));
  }

  /** Connects to an agent without an alternative. */
  connect(agent: AgentIdentity): Promise<Remote> {
    return this.choose([agent], agent);
  }

  /** Has a place do one thing. */
  ask<T>(place: PlaceName, order: string, argument?: number): Promise<T> {
    return this.#troupe[place].ask(order, argument);
  }

  /** Posts an HTML text to the renderer; gives its answer. */
  async render<T>(path: string, html: string): Promise<T> {
    const response = await fetch(`http://${LOOPBACK}:${this.#ports.get('renderer')}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'text/html' },
      body: html,
    });
    return (await response.json()) as T;
  }

  /** Ends every place; gives their own logs, entry by entry, each with its place. */
  async close(): Promise<readonly (Entry & { readonly place: string })[]> {
    const logs = await Promise.all(PLACES.map(async (place) => ({ place, log: await this.#troupe[place].close() })));
    // After the places: a request that one of them still held is cut, and does not keep the dialer waiting.
    await this.egress.close();
    await this.#dialer.close();
    return logs.flatMap(({ place, log }) => log.map((entry) => ({ place, ...entry })));
  }
}
