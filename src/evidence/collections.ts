/** The 17 collections in Merkle order (FORMAT.md section 3). The order is the source of the kinds. */
export const COLLECTIONS = [
  'trace_metadata',
  'candidate_cards',
  'trusted_cards',
  'selected_cards',
  'endpoints',
  'discovery_events',
  'exchanges',
  'capability_invocations',
  'routing_events',
  'task_transitions',
  'task_load_snapshots',
  'uri_references',
  'uri_dereferences',
  'dereference_responses',
  'artifacts',
  'artifact_renders',
  'sanitizers',
] as const;
export type Collection = (typeof COLLECTIONS)[number];

/** Record type, id member, and the type's name in edges and findings (a card's carries its role: three id spaces). */
export const COLLECTION_INFO = {
  trace_metadata: { type: 'TraceMetadata', id: 'trace_id', node: 'TraceMetadata' },
  candidate_cards: { type: 'AgentCardSnapshot', id: 'card_id', node: 'AgentCardSnapshot.candidate' },
  trusted_cards: { type: 'AgentCardSnapshot', id: 'card_id', node: 'AgentCardSnapshot.trusted' },
  selected_cards: { type: 'AgentCardSnapshot', id: 'card_id', node: 'AgentCardSnapshot.selected' },
  endpoints: { type: 'SelectedEndpoint', id: 'endpoint_id', node: 'SelectedEndpoint' },
  discovery_events: { type: 'DiscoveryEventEvidence', id: 'discovery_id', node: 'DiscoveryEventEvidence' },
  exchanges: { type: 'RuntimeExchange', id: 'exchange_id', node: 'RuntimeExchange' },
  capability_invocations: {
    type: 'CapabilityInvocationEvidence',
    id: 'invocation_id',
    node: 'CapabilityInvocationEvidence',
  },
  routing_events: { type: 'RoutingEventEvidence', id: 'routing_id', node: 'RoutingEventEvidence' },
  task_transitions: { type: 'TaskStateTransition', id: 'transition_id', node: 'TaskStateTransition' },
  task_load_snapshots: { type: 'TaskLoadSnapshot', id: 'snapshot_id', node: 'TaskLoadSnapshot' },
  uri_references: { type: 'UriReferenceEvidence', id: 'reference_id', node: 'UriReferenceEvidence' },
  uri_dereferences: { type: 'UriDereferenceEvidence', id: 'dereference_id', node: 'UriDereferenceEvidence' },
  dereference_responses: {
    type: 'DereferenceResponseEvidence',
    id: 'response_id',
    node: 'DereferenceResponseEvidence',
  },
  artifacts: { type: 'ArtifactEvidence', id: 'artifact_record_id', node: 'ArtifactEvidence' },
  artifact_renders: { type: 'ArtifactRenderEvidence', id: 'render_id', node: 'ArtifactRenderEvidence' },
  sanitizers: { type: 'SanitizerEvidence', id: 'sanitizer_id', node: 'SanitizerEvidence' },
} as const satisfies Record<Collection, { type: string; id: string; node: string }>;

export type RecordType = (typeof COLLECTION_INFO)[Collection]['type'];
/** A record's type as edges and findings name it. */
export type NodeType = (typeof COLLECTION_INFO)[Collection]['node'];
/** The three role lists of agent cards. */
export type CardCollection = 'candidate_cards' | 'trusted_cards' | 'selected_cards';
export const CARD_COLLECTIONS = [
  'candidate_cards',
  'trusted_cards',
  'selected_cards',
] as const satisfies CardCollection[];
