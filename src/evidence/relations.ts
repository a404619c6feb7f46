import { CARD_COLLECTIONS, type Collection } from './collections.ts';

/** The 23 relations with the collections they join (FORMAT.md section 4): [sources, destinations]. */
export const RELATIONS = {
  DISCOVERY_CONSIDERED_CARD: [['discovery_events'], ['candidate_cards']],
  DISCOVERY_REFERENCED_TRUSTED_CARD: [['discovery_events'], ['trusted_cards']],
  DISCOVERY_SELECTED_CARD: [['discovery_events'], ['selected_cards']],
  AGENTCARD_RESOLVES_TO_ENDPOINT: [CARD_COLLECTIONS, ['endpoints']],
  ENDPOINT_SERVED_EXCHANGE: [['endpoints'], ['exchanges']],
  ENDPOINT_SAMPLED_LOAD: [['endpoints'], ['task_load_snapshots']],
  EXCHANGE_INVOKED_CAPABILITY: [['exchanges'], ['capability_invocations']],
  AGENTCARD_DECLARES_CAPABILITY: [CARD_COLLECTIONS, ['capability_invocations']],
  EXCHANGE_ROUTED_STEP: [['exchanges'], ['routing_events']],
  ROUTING_STEP_FOLLOWS: [['routing_events'], ['routing_events']],
  EXCHANGE_CAUSED_TRANSITION: [['exchanges'], ['task_transitions']],
  TRANSITION_FOLLOWS: [['task_transitions'], ['task_transitions']],
  TASK_OCCUPIES_SLOT: [['task_transitions'], ['task_load_snapshots']],
  EXCHANGE_REFERENCED_URI: [['exchanges'], ['uri_references']],
  ARTIFACT_REFERENCED_URI: [['artifacts'], ['uri_references']],
  URI_REFERENCE_DEREFERENCED: [['uri_references'], ['uri_dereferences']],
  DEREFERENCE_REDIRECTED_TO: [['uri_dereferences'], ['uri_dereferences']],
  DEREFERENCE_RECEIVED_RESPONSE: [['uri_dereferences'], ['dereference_responses']],
  EXCHANGE_PRODUCED_ARTIFACT: [['exchanges'], ['artifacts']],
  ARTIFACT_APPENDS_TO: [['artifacts'], ['artifacts']],
  ARTIFACT_RENDERED: [['artifacts'], ['artifact_renders']],
  ARTIFACT_SANITIZED: [['artifacts'], ['sanitizers']],
  RENDER_SANITIZER_STATE: [['artifact_renders'], ['sanitizers']],
} as const satisfies Record<string, readonly [readonly Collection[], readonly Collection[]]>;

export type Relation = keyof typeof RELATIONS;
export type SourceOf<R extends Relation> = (typeof RELATIONS)[R][0][number];
export type DestinationOf<R extends Relation> = (typeof RELATIONS)[R][1][number];
