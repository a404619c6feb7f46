import { renameSync } from 'node:fs';
import type { AgentCard } from '@a2a-js/sdk';
import { ClientFactory, type ClientFactoryOptions } from '@a2a-js/sdk/client';
import {
  type Capture,
  createDialer,
  type Dialer,
  type FinishOptions,
  type Observers,
  startCapture,
} from '../../src/index.ts';
import { type Behaviour, type SavedTask, startAgent } from './agent.ts';
import { type AgentIdentity, cardText, TRUSTED } from './cards.ts';
import type { LogEntry } from './log.ts';
import { Network, type Place, type ServedRequest } from './network.ts';
import { Remote } from './remote.ts';
import { type RenderedPage, startRenderer } from './renderer.ts';
import { type Answer, startUriService } from './uri-service.ts';
import { installed } from './versions.ts';

/** What happened, by the accounts of servers, task stores, renderer and agents: none of it went through the capture. */
export type Witness = {
  readonly served: readonly ServedRequest[];
  readonly places: ReadonlyMap<string, Place>;
  readonly saved: ReadonlyMap<string, readonly SavedTask[]>;
  readonly pages: readonly RenderedPage[];
  readonly log: readonly LogEntry[];
};

/** Where the evidence of a lab is put. */
export type LabFiles = { readonly journal: string; readonly bundle: string; readonly receipt: string };
export type LabOptions = {
  /** Folder in which the capture works. */
  readonly folder: string;
  readonly incident_id: string;
  readonly profile_id: string;
};

/**
 * Agents and services of one run, on loopback, and the capture that watches them. The desk is the client that gives the
 * agents their work; it serves no endpoint.
 */
export class Lab {
  readonly desk = 'desk';
  readonly log: LogEntry[] = [];
  readonly observe: Observers;
  readonly #network = new Network();
  readonly #saved = new Map<string, readonly SavedTask[]>();
  readonly #agents = new Map<string, string>();
  readonly #capture: Capture;
  readonly #dialer: Dialer;
  readonly #trusted: readonly string[];
  #pages: readonly RenderedPage[] = [];

  constructor({ folder, incident_id, profile_id }: LabOptions) {
    this.#capture = startCapture({ dir: folder, incident_id, profile_id, versions: [installed('@a2a-js/sdk')] });
    this.observe = this.#capture.observe;
    this.#dialer = createDialer(this.#network.overrides);
    this.#trusted = TRUSTED.flatMap((identity) => this.observe.trustedCard(cardText(identity)) ?? []);
  }

  get witness(): Witness {
    const { served, places } = this.#network;
    return { served, places, saved: this.#saved, pages: this.#pages, log: this.log };
  }

  /** Starts an A2A server for an agent. */
  async startAgent(identity: AgentIdentity, behaviour: Behaviour): Promise<void> {
    const { agent, host } = identity;
    this.#agents.set(host, agent);
    const seams = {
      middleware: this.#capture.middleware({ agent, binding: 'JSONRPC' }),
      eventBusManager: this.#capture.eventBus(agent),
    };
    this.#saved.set(agent, await startAgent(this.#network, identity, behaviour, seams));
  }

  startUriService(host: string, addresses: readonly string[], answer: (path: string) => Answer | null): Promise<void> {
    return startUriService(this.#network, host, addresses, answer);
  }

  async startRenderer(host: string): Promise<void> {
    this.#pages = await startRenderer(this.#network, host);
  }

  /** Reads the cards at some hosts, chooses the one at `chosen`, and connects to the endpoint it states. */
  async choose(hosts: readonly string[], chosen: string, agent: string = this.desk): Promise<Remote> {
    const options = this.#capture.client({
      agent,
      fetch: this.#dialer.fetch,
      nameAgent: (_, url) => this.#agents.get(new URL(url).hostname) ?? null,
    }) satisfies ClientFactoryOptions;
    const cards = new Map<string, AgentCard>();
    for (const host of hosts) cards.set(host, await options.cardResolver.resolve(`http://${host}`));
    const card = cards.get(chosen);
    if (card === undefined) throw new RangeError(`${chosen} is not among ${hosts.join(', ')}`);
    this.log.push({ what: 'card_chosen', agent, host: chosen, offered: hosts });
    this.observe.discoveryDecision({
      client_agent: agent,
      considered: [...cards.values()],
      trusted: this.#trusted,
      selected: card,
    });
    const client = await new ClientFactory(options).createFromAgentCard(card);
    return new Remote(client, this.observe.endpointAt(card.supportedInterfaces[0]?.url ?? ''));
  }

  /** Connects to the agent at a host, without an alternative. */
  connect(host: string, agent: string = this.desk): Promise<Remote> {
    return this.choose([host], host, agent);
  }

  /** Has an agent read the document at a URI; returns its text. */
  async read(uri: string, agent: string): Promise<string> {
    const response = await this.#capture.uriFetch({ agent, dial: this.#network.overrides })(uri);
    return response.text();
  }

  /** Posts a text to a service of the lab, at a URL of its host. */
  async post(url: string, contentType: string, body: string): Promise<void> {
    const response = await this.#dialer.fetch(url, {
      method: 'POST',
      headers: { 'content-type': contentType },
      body,
    });
    await response.arrayBuffer();
  }

  /** Stops agents and services. */
  async close(): Promise<void> {
    await this.#dialer.close();
    await this.#network.close();
  }

  /** Ends the capture, seals it and puts bundle, receipt and journal where they belong. */
  seal(options: FinishOptions, files: LabFiles): void {
    const { bundlePath, receiptPath } = this.#capture.finish(options);
    renameSync(bundlePath, files.bundle);
    renameSync(receiptPath, files.receipt);
    renameSync(this.#capture.journalPath, files.journal);
  }
}
