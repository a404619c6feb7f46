import { AgentCard } from '@a2a-js/sdk';
import type { AgentCardResolver, Transport, TransportFactory } from '@a2a-js/sdk/client';
import { encodeUtf8 } from '../base/utf8.ts';
import { PROTOCOL_BINDINGS } from '../evidence/records/discovery.ts';
import { type CaptureContext, type Scope, within } from './context.ts';
import { NOT_FETCHED, recordCard, selectCard } from './record-card.ts';
import { keyOf } from './trail.ts';

type Endpoint = NonNullable<Scope['endpoint']>;
/** Names the agent behind an interface; without one, the card's own name. */
export type NameAgent = (card: AgentCard, url: string) => string | null;

/** Wraps a card resolver, so that the card it gives is known by the bytes it was fetched in. */
export const tapResolver = (inner: AgentCardResolver, context: CaptureContext): AgentCardResolver => ({
  resolve: async (baseUrl, path) => {
    const fetched: NonNullable<Scope['fetched']> = { card_id: null };
    const card = await within(context, { fetched }, () => inner.resolve(baseUrl, path));
    if (fetched.card_id !== null) context.cards.is(card, fetched.card_id);
    return card;
  },
  normalizeAgentCard: (given) => {
    const card = inner.normalizeAgentCard?.(given) ?? (given as AgentCard);
    const id = typeof given === 'object' && given !== null ? context.cards.idOf(given) : undefined;
    if (id !== undefined) context.cards.is(card, id);
    return card;
  },
});

/** Wraps a transport factory: what it is given is the endpoint in use and the card that supplied it. */
export const tapTransport = (
  inner: TransportFactory,
  context: CaptureContext,
  nameAgent: NameAgent = ({ name }) => name,
): TransportFactory => ({
  get protocolName() {
    return inner.protocolName;
  },
  create: async (url, card) => {
    const transport = await inner.create(url, card);
    const endpoint = context.session.attempt('record an endpoint', () =>
      recordEndpoint(context, transport, url, card, nameAgent),
    );
    return endpoint ? inEndpoint(transport, context, endpoint) : transport;
  },
});

/** The id of a card object: that of the bytes it was read from, else of what the SDK writes for it. */
export const cardIdOf = (context: CaptureContext, card: AgentCard): string | null => {
  const known = context.cards.idOf(card);
  if (known !== undefined) return known;
  const bytes = encodeUtf8(context.redactor.json(JSON.stringify(AgentCard.toJSON(card))));
  const id = recordCard(context, 'candidate_cards', 'sdk-client', bytes, NOT_FETCHED);
  if (id !== null) context.cards.is(card, id);
  return id;
};

const recordEndpoint = (
  context: CaptureContext,
  { protocolName, protocolVersion }: Transport,
  url: string,
  card: AgentCard,
  nameAgent: NameAgent,
): Endpoint | null => {
  const { session, cards, redactor } = context;
  const protocol = PROTOCOL_BINDINGS.find((binding) => binding === protocolName);
  const id = cardIdOf(context, card);
  const card_id = id === null ? null : selectCard(context, id);
  const key = keyOf(card_id, url, protocolName);
  const known = cards.endpoint(key);
  if (known !== undefined || protocol === undefined) return known ?? null;
  const agent = nameAgent(card, url) || null;
  const endpoint_id = session.record('endpoints', 'sdk-client', {
    card_id,
    url: redactor.text(url),
    protocol,
    protocol_version: protocolVersion,
    agent,
  });
  if (endpoint_id === null) return null;
  cards.addEndpoint(key, url, { endpoint_id, agent });
  return { endpoint_id, agent };
};

/** Every call of the transport, and every step of a stream it gives, runs in the scope of its endpoint; the error it ends in is told to its exchange. */
const inEndpoint = (transport: Transport, context: CaptureContext, endpoint: Endpoint): Transport =>
  new Proxy(transport, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]) => {
        const calls: NonNullable<Scope['calls']> = [];
        const run: Run = (work) => within(context, { endpoint, calls }, work);
        const failed = (error: unknown): never => {
          calls.at(-1)?.failed(error);
          throw error;
        };
        const result: unknown = run(() => Reflect.apply(member, target, args));
        if (isGenerator(result)) return inScope(result, run, failed);
        return result instanceof Promise ? result.catch(failed) : result;
      };
    },
  });

type Run = <T>(work: () => T) => T;

const isGenerator = (value: unknown): value is AsyncGenerator =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value && 'next' in value;

const inScope = (inner: AsyncGenerator, run: Run, failed: (error: unknown) => never): AsyncGenerator => {
  const outer = {
    next: (value?: unknown) => run(() => inner.next(value)).catch(failed),
    return: (value: unknown) => run(() => inner.return(value)),
    throw: (error: unknown) => run(() => inner.throw(error)),
    [Symbol.asyncIterator]: () => outer,
  } as AsyncGenerator;
  return outer;
};
