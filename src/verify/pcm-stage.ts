import type { Crypto } from '../base/crypto.ts';
import type { Reason } from '../base/reasons.ts';
import type { PcmPart } from '../pcm/a2a-parts.ts';
import { createReplay, type Replay } from '../pcm/replay.ts';
import type { PcmJudged } from '../pcm/result.ts';
import type { PcmSchema } from '../pcm/schema.ts';
import type { PcmTrust } from '../pcm/trust.ts';
import { verifyMessage } from '../pcm/verify.ts';
import type { Graph } from '../relate/graph.ts';
import type { Element, Node } from '../relate/nodes.ts';
import { named } from '../rules/anchors.ts';
import type { Profile } from '../rules/profile.ts';
import type { Rule, Statement } from '../rules/rule.ts';
import { type Delivery, deliveriesOf, messagesIn } from './pcm-sightings.ts';
import { brief } from './refusals.ts';

/** The keys and schemas under which the messages of a trace are verified. */
export type PcmDocuments = { readonly trust: PcmTrust; readonly schemas: readonly PcmSchema[] };

type Said = { readonly reason: Reason; readonly detail: string; readonly missing?: readonly string[] };

/** Before every message: the start of a trace whose metadata is not among the elements. */
const NO_START = '0001-01-01T00:00:00.000000Z';
const REASONS_SHOWN = 5;
const DETAIL_SHOWN = 1000;

/** A time of evidence as a time of PCM. */
const pcmTimeOf = (timestamp: string): string => timestamp.replace(/Z$/, '000Z');

const reasonsOf = (reasons: readonly string[]): string => {
  const more = reasons.length > REASONS_SHOWN ? [`and ${reasons.length - REASONS_SHOWN} more`] : [];
  return brief([...reasons.slice(0, REASONS_SHOWN), ...more].join('; '), DETAIL_SHOWN);
};

const rejected = ({ signature, replay, schema, findings, reasons }: PcmJudged): Said => {
  const isUnknown =
    signature.ok && replay.ok !== false && findings.some(({ reason }) => reason === 'PCM_SCHEMA_UNKNOWN');
  return isUnknown
    ? {
        reason: 'PCM_TRACE_SCHEMA_NOT_GIVEN',
        detail: `names a schema that was not given: ${brief(schema.ref ?? '', DETAIL_SHOWN)}`,
        missing: ['pcm-schema'],
      }
    : { reason: 'PCM_TRACE_REJECTED', detail: `is rejected: ${reasonsOf(reasons)}` };
};

/** What is said of one message; null when it is accepted and all is proven. */
const judgeMessage = (
  part: PcmPart,
  to: { readonly agent: string | null; readonly me: string | undefined },
  { trust, schemas }: PcmDocuments,
  freshness: { readonly replay: Replay; readonly now: string },
  crypto: Crypto,
): Said | null => {
  if ('refused' in part) return { reason: 'PCM_TRACE_BAD_INPUT', detail: `is refused: ${part.refused.detail}` };
  const receiver = { trust, schemas, ...(to.me === undefined ? {} : { me: to.me }) };
  const outcome = verifyMessage(part.bytes, receiver, freshness, crypto);
  if (outcome.verdict === 'bad-input')
    return { reason: 'PCM_TRACE_BAD_INPUT', detail: `is refused: ${reasonsOf(outcome.reasons)}` };
  if (outcome.verdict === 'reject') return rejected(outcome);
  if (outcome.skipped.includes('recipient')) {
    const told =
      to.agent === null
        ? 'an agent whose name was not seen'
        : `${brief(to.agent, DETAIL_SHOWN)}, to which the profile gives no identity`;
    return {
      reason: 'PCM_TRACE_RECEIVER_NOT_KNOWN',
      detail: `verifies, and went to ${told}`,
      missing: [to.agent === null ? 'server_agent' : 'pcm.identities'],
    };
  }
  return outcome.verdict === 'accept'
    ? null
    : { reason: 'PCM_TRACE_UNPROVEN', detail: `is accepted, and not all of it proven: ${reasonsOf(outcome.reasons)}` };
};

/** Judges messages in runtime order, each agent with the memory of one receiver. */
class Receivers {
  private readonly replays = new Map<string | null, Replay>();
  private readonly first = new Map<string, Delivery>();
  private readonly documents: PcmDocuments;
  private readonly profile: Profile;
  private readonly trace: Node<'trace_metadata'> | undefined;
  private readonly crypto: Crypto;

  constructor(documents: PcmDocuments, profile: Profile, trace: Node<'trace_metadata'> | undefined, crypto: Crypto) {
    this.documents = documents;
    this.profile = profile;
    this.trace = trace;
    this.crypto = crypto;
  }

  judge(delivery: Delivery): readonly Statement[] {
    const { views } = delivery;
    const received = views.find(({ exchange }) => exchange.record.observer === 'sdk-server') ?? views[0];
    const { exchange, part } = received;
    const names = [received, ...views].map((view) => view.exchange.record.server_agent).filter((name) => name !== null);
    const me = this.profile.pcm?.identities.find((one) => names.includes(one.agent))?.identity;
    const agent = names[0] ?? null;
    const freshness = { replay: this.replayOf(me ?? agent), now: pcmTimeOf(exchange.record.observed_at) };
    const said = judgeMessage(part, { agent, me }, this.documents, freshness, this.crypto);
    const earlier = this.earlier(delivery);
    if (said === null) return [];
    const { reason, detail, missing } = said;
    return [
      {
        reason,
        affected: exchange,
        path: [exchange],
        support: this.support(delivery, earlier),
        required: [exchange],
        explanation: `The message at ${brief(part.at, DETAIL_SHOWN)} of the request of ${named(exchange)} ${detail}.`,
        ...(missing === undefined ? {} : { missing }),
      },
    ];
  }

  private replayOf(receiver: string | null): Replay {
    const started = this.trace === undefined ? NO_START : pcmTimeOf(this.trace.record.started_at);
    const replay = this.replays.get(receiver) ?? createReplay(started);
    this.replays.set(receiver, replay);
    return replay;
  }

  /** The first delivery of the same text, on which a replay rests. */
  private earlier(delivery: Delivery): Delivery | undefined {
    const { part } = delivery.views[0];
    const text = 'bytes' in part ? new TextDecoder().decode(part.bytes) : '';
    const known = this.first.get(text);
    if (known === undefined) this.first.set(text, delivery);
    return known;
  }

  private support({ views }: Delivery, earlier: Delivery | undefined): readonly Element[] {
    return [
      ...(this.trace === undefined ? [] : [this.trace]),
      ...(earlier?.views ?? []).map(({ exchange }) => exchange),
      ...views.map(({ exchange }) => exchange),
    ];
  }
}

const judgeGraph = (graph: Graph, profile: Profile, documents: PcmDocuments, crypto: Crypto) => {
  const { sightings, unread } = messagesIn(graph);
  const deliveries = deliveriesOf(sightings);
  const receivers = new Receivers(documents, profile, graph.nodes('trace_metadata')[0], crypto);
  const statements = deliveries.flatMap((delivery) => receivers.judge(delivery));
  const notRead = unread.map(
    (exchange): Statement => ({
      reason: 'PCM_TRACE_NOT_READ',
      affected: exchange,
      path: [exchange],
      explanation: `The request of ${named(exchange)} names the media type of PCM, and is cut or no JSON.`,
      missing: ['request_body'],
    }),
  );
  return { triggers: deliveries.length + unread.length, statements: [...statements, ...notRead] };
};

/**
 * Takes the documents of the receivers of a trace; returns what judges the proof-carrying messages of its requests: the clock of a receiver is
 * `observed_at` of the exchange, its start that of the trace, its identity what the profile maps the serving agent to (docs/PCM-A2A.md).
 */
export const pcmRule = (documents: PcmDocuments, crypto: Crypto): Rule => ({
  watches: 'server_wire',
  judge: (graph, profile) => judgeGraph(graph, profile, documents, crypto),
});
