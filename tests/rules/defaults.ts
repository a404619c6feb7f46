import { createHash } from 'node:crypto';
import type { RecordOf } from '../../src/evidence/bundle.ts';
import type { Collection } from '../../src/evidence/collections.ts';
import { COVERAGE_SUBJECTS, type CoverageSubject } from '../../src/evidence/records/trace.ts';

type Common = 'observed_at' | 'sequence' | 'observer' | 'salt' | 'attributes';
type Defaults = { readonly [C in Collection]: (id: string) => Omit<RecordOf<C>, Common> };

export const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');

/** A whole body of UTF-8 text. */
export const body = (text: string) => ({
  text,
  encoding: 'utf8' as const,
  size: Buffer.byteLength(text),
  sha256: sha256(text),
  truncated: null,
});

const TIME = '2026-01-01T00:00:00.000Z';
const watched = Object.fromEntries(COVERAGE_SUBJECTS.map((subject) => [subject, true])) as Record<
  CoverageSubject,
  boolean
>;

const card = (card_id: string): Omit<RecordOf<'selected_cards'>, Common> => ({
  card_id,
  url: null,
  status: null,
  extended: false,
  endpoint_id: null,
  raw: body(`{"card":"${card_id}"}`),
  name: card_id,
  provider_organization: null,
  interfaces: [],
  skill_ids: [],
  wire_issue: null,
});

const wire = { exchange_id: null, wire_event: null, raw: null };

/** What a record holds where a test does not say: as little as its schema allows. */
export const DEFAULTS: Defaults = {
  trace_metadata: (trace_id) => ({
    trace_id,
    incident_id: 'incident-1',
    profile_id: 'test',
    capture_backend: 'test',
    versions: [],
    started_at: TIME,
    ended_at: TIME,
    ended: 'complete',
    gaps: [],
    coverage: watched,
    coverage_notes: [],
    redactions: [],
  }),
  candidate_cards: card,
  trusted_cards: card,
  selected_cards: card,
  endpoints: (endpoint_id) => ({
    endpoint_id,
    card_id: null,
    url: 'https://agent.example/a2a',
    protocol: 'JSONRPC',
    protocol_version: null,
    agent: null,
  }),
  discovery_events: (discovery_id) => ({
    discovery_id,
    client_agent: null,
    considered_card_ids: [],
    trusted_card_ids: [],
    selected_card_id: null,
  }),
  exchanges: (exchange_id) => ({
    exchange_id,
    endpoint_id: null,
    client_agent: null,
    server_agent: null,
    binding: 'JSONRPC',
    method: 'POST',
    url: 'https://agent.example/a2a',
    status: 200,
    ended: 'complete',
    request_headers: [],
    response_headers: [],
    request_body: null,
    response_body: null,
    protocol_version: null,
    rpc_method: null,
    request_id: null,
    message_id: null,
    request_task_id: null,
    request_context_id: null,
    response_id: null,
    error_code: null,
    response_task_id: null,
    response_context_id: null,
    event_count: null,
    wire_issue: null,
  }),
  capability_invocations: (invocation_id) => ({
    invocation_id,
    exchange_id: null,
    capability: 'skill',
    basis: 'executed',
    caller_agent: null,
  }),
  routing_events: (routing_id) => ({
    routing_id,
    exchange_id: null,
    source_agent: 'a',
    destination_agent: 'b',
    predecessor: 'root',
    joined_by: null,
    outcome: 'ok',
    progress: false,
    progress_transition_id: null,
    progress_artifact_record_id: null,
    task_id: null,
    context_id: null,
  }),
  task_transitions: (transition_id) => ({
    transition_id,
    ...wire,
    agent: null,
    task_id: null,
    context_id: null,
    state: null,
    previous_transition_id: null,
    wire_issue: null,
  }),
  task_load_snapshots: (snapshot_id) => ({
    snapshot_id,
    endpoint_id: null,
    agent: null,
    awaiting_input_count: 0,
    queue_depth: null,
    latency_us: null,
    timeouts: null,
    window_us: null,
  }),
  uri_references: (reference_id) => ({
    reference_id,
    uri: 'https://files.example/',
    exchange_id: null,
    artifact_record_id: null,
    body: null,
    wire_event: null,
    pointer: null,
  }),
  uri_dereferences: (dereference_id) => ({
    dereference_id,
    reference_id: null,
    redirect_of: null,
    hop: 0,
    agent: null,
    uri: 'https://files.example/',
    method: 'GET',
    resolved_addresses: null,
    connected_address: null,
    dial_override: null,
    via_proxy: null,
    outcome: 'connected',
    status: null,
    ended: 'complete',
    request_headers: [],
    response_headers: [],
    request_body: null,
  }),
  dereference_responses: (response_id) => ({ response_id, dereference_id: null, status: 200, body: null }),
  artifacts: (artifact_record_id) => ({
    artifact_record_id,
    ...wire,
    agent: null,
    payload: 'artifact_update',
    artifact_index: null,
    part_index: 0,
    task_id: null,
    context_id: null,
    artifact_id: null,
    name: null,
    part_kind: 'text',
    media_type: null,
    filename: null,
    part_url: null,
    append: false,
    last_chunk: false,
    appends_to: null,
    content: body(''),
    wire_issue: null,
  }),
  artifact_renders: (render_id) => ({
    render_id,
    artifact_record_id: null,
    renderer: 'panel',
    interpreted_as: null,
    mode: 'interpreted',
    input_sha256: sha256(''),
    sanitizer_id: null,
  }),
  sanitizers: (sanitizer_id) => ({
    sanitizer_id,
    artifact_record_id: null,
    name: 'sanitizer',
    version: null,
    applied: true,
    input_sha256: null,
    output: null,
  }),
};

export const COMMON = { observed_at: TIME, observer: 'harness', salt: '0'.repeat(32) } as const;
