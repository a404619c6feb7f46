import type { EdgePayload, RecordOf, Records } from '../evidence/bundle.ts';
import { CARD_COLLECTIONS, type CardCollection, COLLECTION_INFO, type Collection } from '../evidence/collections.ts';
import type { DestinationOf, Relation, SourceOf } from '../evidence/relations.ts';
import { similarityOf } from './card-similarity.ts';
import { slots } from './task-slots.ts';

type Metadata = EdgePayload['metadata'];
/** One candidate edge: collections and ids as the joining fields state them; null means "not seen". */
type Join<R extends Relation> = {
  readonly from: readonly [SourceOf<R>, string | null];
  readonly to: readonly [DestinationOf<R>, string | null];
  readonly metadata?: Metadata;
};

/** One of two collections holds the id of the other in a member of its records. */
export type Held = {
  readonly source: Collection;
  readonly destination: Collection;
  readonly by: 'source' | 'destination';
  readonly member: string;
};

/** One row per relation (FORMAT.md section 10): the words are the documentation, `joins` is the law. */
type Row<R extends Relation> = {
  readonly on: string;
  readonly metadata: string;
  /** Where one end holds the id of the other in one member, and the metadata is `{}`. */
  readonly held?: Held;
  readonly joins: (records: Records) => Iterable<Join<R>>;
};

const each = <C extends Collection, R extends Relation>(
  collection: C,
  join: (record: RecordOf<C>) => Iterable<Join<R>>,
): Row<R>['joins'] =>
  function* (records) {
    for (const record of records[collection]) yield* join(record as RecordOf<C>);
  };

const memberOf = (record: unknown, member: string): string | null =>
  (record as Readonly<Record<string, string | null>>)[member] ?? null;

/** The destination holds the id of the source. */
const heldBy = <R extends Relation, D extends DestinationOf<R>>(
  source: SourceOf<R>,
  destination: D,
  member: string,
): Row<R> => ({
  on: `destination.${member} = source.${COLLECTION_INFO[source].id}`,
  metadata: '`{}`',
  held: { source, destination, by: 'destination', member },
  joins: each<D, R>(destination, (record) => [
    { from: [source, memberOf(record, member)], to: [destination, memberOf(record, COLLECTION_INFO[destination].id)] },
  ]),
});

/** The source holds the id of the destination. */
const holding = <R extends Relation, S extends SourceOf<R>>(
  source: S,
  destination: DestinationOf<R>,
  member: string,
): Row<R> => ({
  on: `source.${member} = destination.${COLLECTION_INFO[destination].id}`,
  metadata: '`{}`',
  held: { source, destination, by: 'source', member },
  joins: each<S, R>(source, (record) => [
    { from: [source, memberOf(record, COLLECTION_INFO[source].id)], to: [destination, memberOf(record, member)] },
  ]),
});

const isStep = (predecessor: string): boolean => predecessor !== 'root' && predecessor !== 'unknown';

export const DERIVATION: { readonly [R in Relation]: Row<R> } = {
  DISCOVERY_CONSIDERED_CARD: {
    on: 'source.considered_card_ids contains destination.card_id',
    metadata:
      '`similarity_bp` and `closest_trusted_card_id` of the destination against all trusted_cards (RULES.md AS); `{}` when trusted_cards is empty',
    joins: function* (records) {
      const similarity = similarityOf(records, 'candidate_cards');
      for (const event of records.discovery_events) {
        for (const id of event.considered_card_ids) {
          yield {
            from: ['discovery_events', event.discovery_id],
            to: ['candidate_cards', id],
            metadata: similarity(id),
          };
        }
      }
    },
  },
  DISCOVERY_REFERENCED_TRUSTED_CARD: {
    on: 'source.trusted_card_ids contains destination.card_id',
    metadata: '`{}`',
    joins: each('discovery_events', (event) =>
      event.trusted_card_ids.map((id) => ({
        from: ['discovery_events', event.discovery_id],
        to: ['trusted_cards', id],
      })),
    ),
  },
  DISCOVERY_SELECTED_CARD: {
    on: 'source.selected_card_id = destination.card_id',
    metadata: 'as DISCOVERY_CONSIDERED_CARD',
    joins: function* (records) {
      const similarity = similarityOf(records, 'selected_cards');
      for (const { discovery_id, selected_card_id: id } of records.discovery_events) {
        yield { from: ['discovery_events', discovery_id], to: ['selected_cards', id], metadata: similarity(id) };
      }
    },
  },
  AGENTCARD_RESOLVES_TO_ENDPOINT: {
    on: 'a selected card: destination.card_id = source.card_id; a card of any role: source.endpoint_id = destination.endpoint_id',
    metadata: '`{}`',
    joins: cardEndpoints,
  },
  ENDPOINT_SERVED_EXCHANGE: heldBy('endpoints', 'exchanges', 'endpoint_id'),
  ENDPOINT_SAMPLED_LOAD: heldBy('endpoints', 'task_load_snapshots', 'endpoint_id'),
  EXCHANGE_INVOKED_CAPABILITY: heldBy('exchanges', 'capability_invocations', 'exchange_id'),
  AGENTCARD_DECLARES_CAPABILITY: {
    on: 'source resolves (AGENTCARD_RESOLVES_TO_ENDPOINT) to the endpoint whose endpoint_id the exchange with destination.exchange_id holds; source.skill_ids contains destination.capability; source.sequence < destination.sequence',
    metadata: '`{}`',
    joins: declarations,
  },
  EXCHANGE_ROUTED_STEP: heldBy('exchanges', 'routing_events', 'exchange_id'),
  ROUTING_STEP_FOLLOWS: {
    on: 'destination.predecessor = source.routing_id; predecessor is neither `root` nor `unknown`',
    metadata: '`source_agent` and `destination_agent` of the destination',
    joins: each('routing_events', (step) => [
      {
        from: ['routing_events', isStep(step.predecessor) ? step.predecessor : null],
        to: ['routing_events', step.routing_id],
        metadata: { source_agent: step.source_agent, destination_agent: step.destination_agent },
      },
    ]),
  },
  EXCHANGE_CAUSED_TRANSITION: heldBy('exchanges', 'task_transitions', 'exchange_id'),
  TRANSITION_FOLLOWS: heldBy('task_transitions', 'task_transitions', 'previous_transition_id'),
  TASK_OCCUPIES_SLOT: {
    on: "source is the last transition, with sequence below the destination's, of a task (agent, task_id) with agent = destination.agent, taken from records of observer sdk-server if the task has any at all, else from the others; its state is input-required or auth-required",
    metadata: '`slot`: 0-based rank of the source among all of one destination, by (sequence, transition_id)',
    joins: function* (records) {
      for (const [snapshot, entries] of slots(records)) {
        for (const [slot, id] of entries.entries()) {
          yield {
            from: ['task_transitions', id],
            to: ['task_load_snapshots', snapshot.snapshot_id],
            metadata: { slot },
          };
        }
      }
    },
  },
  EXCHANGE_REFERENCED_URI: heldBy('exchanges', 'uri_references', 'exchange_id'),
  ARTIFACT_REFERENCED_URI: heldBy('artifacts', 'uri_references', 'artifact_record_id'),
  URI_REFERENCE_DEREFERENCED: heldBy('uri_references', 'uri_dereferences', 'reference_id'),
  DEREFERENCE_REDIRECTED_TO: heldBy('uri_dereferences', 'uri_dereferences', 'redirect_of'),
  DEREFERENCE_RECEIVED_RESPONSE: heldBy('uri_dereferences', 'dereference_responses', 'dereference_id'),
  EXCHANGE_PRODUCED_ARTIFACT: heldBy('exchanges', 'artifacts', 'exchange_id'),
  ARTIFACT_APPENDS_TO: holding('artifacts', 'artifacts', 'appends_to'),
  ARTIFACT_RENDERED: heldBy('artifacts', 'artifact_renders', 'artifact_record_id'),
  ARTIFACT_SANITIZED: heldBy('artifacts', 'sanitizers', 'artifact_record_id'),
  RENDER_SANITIZER_STATE: holding('artifact_renders', 'sanitizers', 'sanitizer_id'),
};

function* cardEndpoints(records: Records): Iterable<Join<'AGENTCARD_RESOLVES_TO_ENDPOINT'>> {
  for (const endpoint of records.endpoints) {
    yield { from: ['selected_cards', endpoint.card_id], to: ['endpoints', endpoint.endpoint_id] };
  }
  for (const role of CARD_COLLECTIONS) {
    for (const card of records[role]) {
      if (card.endpoint_id !== null) yield { from: [role, card.card_id], to: ['endpoints', card.endpoint_id] };
    }
  }
}

type Declaring = { readonly role: CardCollection; readonly id: string; readonly sequence: number };

/** The cards that resolve to each endpoint, by skill, earliest first: nobody pays for cards that declare something else. */
const declaring = (records: Records) => {
  const endpoints = new Set<string>(records.endpoints.map(({ endpoint_id }) => endpoint_id));
  const cards = new Map(
    CARD_COLLECTIONS.map((role) => [role, new Map(records[role].map((card) => [card.card_id, card]))]),
  );
  const declared = new Map<string, Map<string, Declaring[]>>();
  for (const { from, to } of cardEndpoints(records)) {
    const [role, id] = from;
    const card = id === null ? undefined : cards.get(role)?.get(id);
    if (card === undefined || to[1] === null || !endpoints.has(to[1])) continue;
    const bySkill = declared.get(to[1]) ?? new Map<string, Declaring[]>();
    declared.set(to[1], bySkill);
    for (const skill of new Set(card.skill_ids)) {
      const held = bySkill.get(skill);
      const entry = { role, id: card.card_id, sequence: card.sequence };
      if (held === undefined) bySkill.set(skill, [entry]);
      else held.push(entry);
    }
  }
  for (const bySkill of declared.values()) {
    for (const held of bySkill.values()) held.sort((x, y) => x.sequence - y.sequence);
  }
  return declared;
};

function* declarations(records: Records): Iterable<Join<'AGENTCARD_DECLARES_CAPABILITY'>> {
  if (records.capability_invocations.length === 0) return;
  const endpointOf = new Map(records.exchanges.map((exchange) => [exchange.exchange_id, exchange.endpoint_id]));
  const declared = declaring(records);
  for (const { exchange_id, capability, sequence, invocation_id } of records.capability_invocations) {
    const endpoint = exchange_id === null ? null : endpointOf.get(exchange_id);
    for (const card of (endpoint && declared.get(endpoint)?.get(capability)) || []) {
      if (card.sequence >= sequence) break;
      yield { from: [card.role, card.id], to: ['capability_invocations', invocation_id] };
    }
  }
}
