import { decodeUtf8 } from '../../base/utf8.ts';
import { makeBody } from '../../evidence/body.ts';
import { PROTOCOL_BINDINGS } from '../../evidence/records/discovery.ts';
import { cardFields } from '../../evidence/wire/card.ts';
import { PayloadText } from '../../evidence/wire/payload-text.ts';
import type { UriPlace } from '../../evidence/wire/reference.ts';
import type { CaptureContext } from '../context.ts';
import { recordCard, selectCard } from '../record-card.ts';
import { recordedUris } from '../references.ts';
import type { Observer } from '../session.ts';
import { keyOf, referenceKey } from '../trail.ts';
import type { CallStart } from './call.ts';
import type { Binding } from './recognise.ts';

export type Endpoint = { readonly endpoint_id: string; readonly agent: string | null };
type Interface = {
  readonly url: string;
  readonly protocol: string | null;
  readonly protocol_version: string | null;
  readonly name: string | null;
  /** Null for a card that was served and not fetched: it names an agent, and was chosen by nobody. */
  readonly card_id: string | null;
  readonly process: string;
};
/** Where a fetched card mentions a URI. */
export type Mention = UriPlace & { readonly exchange_id: string };

/** Older cards than so many are not looked at. */
const MAX_INTERFACES = 4_096;
const MAX_MENTIONS = 10_000;
/** An agent has an interface or two for each binding: more are after the time of the recorder, which looks them through for each call. */
const MAX_INTERFACES_OF_CARD = 64;
/** Each choice names the cards that it was among. */
const MAX_CONSIDERED = 256;

const hostOf = (url: string): string => (URL.canParse(url) && new URL(url).host) || 'unknown';
const isServed = ({ card_id, process }: Interface, by: string): boolean => card_id === null && process === by;
const pathOf = (url: string): string => url.split(/[?#]/, 1)[0]!;

/** Whether a request URL is the interface URL, or lies below it at a `/` (HTTP+JSON appends a path). */
const isAt = (url: string, { url: base, protocol }: Interface): boolean => {
  const path = pathOf(url);
  const stem = pathOf(base).replace(/\/$/, '');
  return path === stem || path === `${stem}/` || (protocol === 'HTTP+JSON' && path.startsWith(`${stem}/`));
};

/** The cards that clients fetched and servers served: whose endpoint a request goes to, who chose it, and by what name its agent goes. */
export class CardDesk {
  readonly #context: CaptureContext;
  readonly #observer: Observer;
  readonly #pinned: ReadonlySet<string>;
  readonly #trusted: string[] = [];
  readonly #interfaces: Interface[] = [];
  readonly #considered = new Map<string, Set<string>>();
  readonly #decided = new Set<string>();
  readonly #mentions = new Map<string, Mention>();
  readonly #interfaceUrls = new Set<string>();

  /** `pinned`: digests of the cards that the profile trusts. */
  constructor(context: CaptureContext, observer: Observer, pinned: ReadonlySet<string>) {
    this.#context = context;
    this.#observer = observer;
    this.#pinned = pinned;
  }

  /** A card of the profile, as it is pinned: its bytes. */
  trust(bytes: Uint8Array): void {
    const origin = { url: null, status: null, extended: false, endpoint_id: null };
    const id = recordCard(this.#context, 'trusted_cards', 'profile', bytes, origin);
    if (id !== null && !this.#trusted.includes(id)) this.#trusted.push(id);
  }

  /** A client fetched a card; its bytes are redacted. */
  fetched(process: string, url: string, status: number, bytes: Uint8Array, exchange_id: string | null): void {
    const { crypto } = this.#context;
    const origin = { url, status, extended: false, endpoint_id: null };
    const card_id = recordCard(this.#context, 'candidate_cards', this.#observer, bytes, origin);
    if (card_id === null) return;
    if (this.#pinned.has(crypto.sha256Hex(bytes))) this.trust(bytes);
    this.#consider(process, card_id);
    this.#add(bytes, card_id, process);
    if (exchange_id !== null) this.#mention(bytes, exchange_id);
  }

  /** A server of the capture served a card: from then on its agent goes by that name. */
  served(process: string, bytes: Uint8Array): void {
    this.#add(bytes, null, process);
  }

  /** The binding of a known interface at a URL. */
  bindingAt(url: string): (typeof PROTOCOL_BINDINGS)[number] | null {
    const stated = this.#best(url, () => true)?.protocol;
    return PROTOCOL_BINDINGS.find((binding) => binding === stated) ?? null;
  }

  /** The name by which this trace calls the agent behind a URL: that of its card, else host and port. */
  agentAt(url: string): string {
    const known = this.#best(url, ({ name }) => name !== null && name !== '');
    return known === undefined ? hostOf(url) : this.#nameOf(known);
  }

  /**
   * The name of the agent that serves a call. A Host header is its client's word: where it leads to an interface that another process of the capture
   * serves, and this one serves cards of its own, the call is none of that agent's.
   */
  servingAgent({ process, url, local }: Pick<CallStart, 'process' | 'url' | 'local'>): string {
    if (!this.isOfOther(process, url)) return this.agentAt(url);
    const names = new Set(this.#interfaces.filter((entry) => isServed(entry, process)).map(({ name }) => name));
    const [name] = names;
    return names.size === 1 && name ? name : (local ?? 'unknown');
  }

  /** Whether what a URL names is served by other processes alone than this one, which serves cards itself. */
  isOfOther(process: string, url: string): boolean {
    const servers = this.#interfaces.filter((entry) => entry.card_id === null && isAt(url, entry));
    return (
      servers.length > 0 &&
      servers.every((entry) => entry.process !== process) &&
      this.#interfaces.some((entry) => isServed(entry, process))
    );
  }

  /** The endpoint that a request uses; null when no card is known that supplied it. A client's first request is its choice of the card. */
  endpointFor(
    url: string,
    binding: Binding,
    by: { readonly process: string; readonly side: 'client' | 'server'; readonly agent: string | null },
  ): Endpoint | null {
    const fetched = (entry: Interface): boolean => entry.card_id !== null;
    const isOfBinding = (entry: Interface): boolean => entry.protocol === null || entry.protocol === binding;
    const own = (entry: Interface): boolean => fetched(entry) && entry.process === by.process;
    const found =
      this.#best(url, (entry) => own(entry) && isOfBinding(entry)) ??
      this.#best(url, (entry) => fetched(entry) && isOfBinding(entry)) ??
      this.#best(url, own) ??
      this.#best(url, fetched);
    if (found === undefined || found.card_id === null) return null;
    const endpoint = this.#endpoint(found, found.card_id, binding);
    if (by.side === 'client' && found.process === by.process) this.#decide(found.card_id, by);
    return endpoint;
  }

  /** Where a card mentions a URI that is no interface of any card. */
  mentionOf(url: string): Mention | null {
    const key = referenceKey(url);
    return this.#interfaceUrls.has(key) ? null : (this.#mentions.get(key) ?? null);
  }

  #endpoint(found: Interface, card_id: string, binding: Binding): Endpoint | null {
    const { session, cards, redactor } = this.#context;
    selectCard(this.#context, card_id, this.#observer);
    const key = keyOf(card_id, found.url, binding);
    const known = cards.endpoint(key);
    if (known !== undefined) return known;
    const agent = this.#nameOf(found);
    const endpoint_id = session.record('endpoints', this.#observer, {
      card_id,
      url: redactor.text(found.url),
      protocol: binding,
      protocol_version: found.protocol_version,
      agent,
    });
    if (endpoint_id === null) return null;
    cards.addEndpoint(key, found.url, { endpoint_id, agent });
    return { endpoint_id, agent };
  }

  /** A card that was fetched may call its agent as it likes, but not as one that a process of the capture serves elsewhere. */
  #nameOf({ name, url, card_id }: Interface): string {
    if (name === null || name === '') return hostOf(url);
    const servers = card_id === null ? [] : this.#interfaces.filter((row) => row.card_id === null && row.name === name);
    return servers.length === 0 || servers.some((row) => row.url === url) ? name : hostOf(url);
  }

  /** A peer whose card is another each time must not make each choice longer than the one before. */
  #consider(process: string, card_id: string): void {
    const considered = this.#considered.get(process) ?? new Set();
    considered.delete(card_id);
    this.#considered.set(process, considered.add(card_id));
    if (considered.size <= MAX_CONSIDERED) return;
    const [oldest] = considered;
    considered.delete(oldest!);
    this.#context.session.note(`of the cards that a process fetched, the last ${MAX_CONSIDERED} count as considered`);
  }

  #decide(card_id: string, { process, agent }: { readonly process: string; readonly agent: string | null }): void {
    const decision = keyOf(process, agent, card_id);
    if (this.#decided.has(decision)) return;
    this.#decided.add(decision);
    this.#context.session.record('discovery_events', this.#observer, {
      client_agent: agent,
      considered_card_ids: [...new Set(this.#considered.get(process)).add(card_id)],
      trusted_card_ids: [...this.#trusted],
      selected_card_id: card_id,
    });
  }

  /** The longest interface at a URL, of several the one that was seen last. */
  #best(url: string, fits: (entry: Interface) => boolean): Interface | undefined {
    let best: Interface | undefined;
    for (const entry of this.#interfaces) {
      if (!isAt(url, entry) || !fits(entry)) continue;
      if (best === undefined || entry.url.length >= best.url.length) best = entry;
    }
    return best;
  }

  #add(bytes: Uint8Array, card_id: string | null, process: string): void {
    const { bodyLimit, crypto } = this.#context;
    const { name, interfaces } = cardFields(makeBody(bytes, bodyLimit, crypto));
    if (interfaces !== null && interfaces.length > MAX_INTERFACES_OF_CARD) {
      const what = `a card lists more than ${MAX_INTERFACES_OF_CARD} interfaces: the others were not looked at`;
      this.#context.session.gap(what);
    }
    for (const { url, protocol, protocol_version } of interfaces?.slice(0, MAX_INTERFACES_OF_CARD) ?? []) {
      const entry = { url, protocol, protocol_version, name, card_id, process };
      const same = this.#interfaces.findIndex(
        (known) => known.url === url && known.card_id === card_id && known.process === process,
      );
      if (same >= 0) this.#interfaces.splice(same, 1);
      this.#interfaces.push(entry);
      this.#interfaceUrls.add(referenceKey(url));
      if (this.#interfaces.length > MAX_INTERFACES) this.#interfaces.shift();
    }
  }

  #mention(bytes: Uint8Array, exchange_id: string): void {
    const { whole } = PayloadText.of(decodeUtf8(bytes) ?? '');
    if (!('read' in whole)) return;
    for (const place of recordedUris(this.#context, whole.read)) {
      if (this.#mentions.size >= MAX_MENTIONS) {
        this.#context.session.gap(`cards mention more than ${MAX_MENTIONS} URIs: the others are not followed`);
        return;
      }
      this.#mentions.set(referenceKey(place.uri), { ...place, exchange_id });
    }
  }
}
