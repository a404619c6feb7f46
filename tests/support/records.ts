import { createHash } from 'node:crypto';

/** A fixed salt for each record: 32 hex digits of a hash of its id. */
const saltOf = (id: string): string => createHash('sha256').update(`salt of ${id}`).digest('hex').slice(0, 32);

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A body as received, whole. */
const body = (text: string) => ({
  text,
  encoding: 'utf8',
  size: Buffer.byteLength(text),
  sha256: sha256(text),
  truncated: null,
});

/** The members that every record has; the time runs with the sequence, a second each. */
export const common = (id: string, sequence: number, observer = 'sdk-client') => ({
  observed_at: `2026-03-01T10:${String(Math.floor(sequence / 60)).padStart(2, '0')}:${String(sequence % 60).padStart(2, '0')}.000Z`,
  sequence,
  observer,
  salt: saltOf(`${id} ${sequence}`),
});

const card = (name: string, origin: string, skill: string) =>
  JSON.stringify({
    name,
    description: `${name} agent`,
    provider: { organization: 'Acme', url: 'https://acme.example' },
    version: '1.0.0',
    supportedInterfaces: [{ url: `${origin}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    skills: [{ id: skill, name: skill, description: skill, tags: [] }],
  });

const snapshot = (card_id: string, sequence: number, name: string, origin: string, skill: string) => ({
  card_id,
  ...common(card_id, sequence),
  url: `${origin}/.well-known/agent-card.json`,
  status: 200,
  extended: false,
  endpoint_id: null,
  raw: body(card(name, origin, skill)),
  name,
  provider_organization: 'Acme',
  interfaces: [
    { url: `${origin}/a2a`, protocol: 'JSONRPC', protocol_version: '1.0', stated_in: 'supported_interfaces' },
  ],
  skill_ids: [skill],
  wire_issue: null,
});

const worker = (sequence: number) => snapshot('card-worker', sequence, 'Worker', 'https://worker.example', 'summarise');

const rpc = (id: number, result: unknown): string => JSON.stringify({ jsonrpc: '2.0', id, result });

const question = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'SendStreamingMessage',
  params: {
    message: {
      messageId: 'message-1',
      role: 'ROLE_USER',
      parts: [{ text: 'Summarise https://files.example/report' }],
    },
  },
});
const status = (state: string) => ({
  statusUpdate: { taskId: 'task-1', contextId: 'context-1', status: { state } },
});
const chunk = (text: string, append: boolean) => ({
  artifactUpdate: {
    taskId: 'task-1',
    contextId: 'context-1',
    artifact: { artifactId: 'summary', name: 'Summary', parts: [{ text, mediaType: 'text/plain' }] },
    append,
    lastChunk: append,
  },
});
const FIRST_CHUNK = 'All is well. ';
const LAST_CHUNK = 'See https://worker.example/more';
const stream = [
  status('TASK_STATE_WORKING'),
  chunk(FIRST_CHUNK, false),
  chunk(LAST_CHUNK, true),
  status('TASK_STATE_INPUT_REQUIRED'),
]
  .map((result) => `data: ${rpc(1, result)}\n\n`)
  .join('');

const poll = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'GetTask', params: { id: 'task-1' } });
const task = rpc(2, { id: 'task-1', contextId: 'context-1', status: { state: 'TASK_STATE_INPUT_REQUIRED' } });

const exchange = (exchange_id: string, sequence: number, request: string, response: string, type: string) => ({
  exchange_id,
  ...common(exchange_id, sequence),
  endpoint_id: 'endpoint-worker',
  client_agent: 'Planner',
  server_agent: 'Worker',
  binding: 'JSONRPC',
  method: 'POST',
  url: 'https://worker.example/a2a',
  status: 200,
  ended: 'complete',
  request_headers: [
    ['content-type', 'application/json'],
    ['a2a-version', '1.0'],
  ],
  response_headers: [['content-type', type]],
  request_body: body(request),
  response_body: body(response),
  protocol_version: '1.0',
  error_code: null,
  response_task_id: 'task-1',
  response_context_id: 'context-1',
  wire_issue: null,
});

const fromEvent = (wire_event: number) => ({ exchange_id: 'exchange-1', wire_event, raw: null });

const transition = (id: string, sequence: number, event: number, state: string, previous: string | null) => ({
  transition_id: id,
  ...common(id, sequence),
  ...fromEvent(event),
  agent: 'Worker',
  task_id: 'task-1',
  context_id: 'context-1',
  state,
  previous_transition_id: previous,
  wire_issue: null,
});

const artifact = (id: string, sequence: number, event: number, text: string, appendsTo: string | null) => ({
  artifact_record_id: id,
  ...common(id, sequence),
  ...fromEvent(event),
  agent: 'Worker',
  payload: 'artifact_update',
  artifact_index: null,
  part_index: 0,
  task_id: 'task-1',
  context_id: 'context-1',
  artifact_id: 'summary',
  name: 'Summary',
  part_kind: 'text',
  media_type: 'text/plain',
  filename: null,
  part_url: null,
  append: appendsTo !== null,
  last_chunk: appendsTo !== null,
  appends_to: appendsTo,
  content: body(text),
  wire_issue: null,
});

const step = (routing_id: string, sequence: number, exchange_id: string, predecessor: string) => ({
  routing_id,
  ...common(routing_id, sequence),
  exchange_id,
  source_agent: 'Planner',
  destination_agent: 'Worker',
  predecessor,
  joined_by: predecessor === 'root' ? null : 'context_id',
  outcome: 'ok',
  progress: true,
  progress_transition_id: 'transition-1',
  progress_artifact_record_id: 'artifact-1',
  task_id: 'task-1',
  context_id: 'context-1',
});

const hop = (dereference_id: string, sequence: number, number: number, uri: string, status: number) => ({
  dereference_id,
  ...common(dereference_id, sequence, 'process-hook'),
  reference_id: number === 0 ? 'reference-1' : null,
  redirect_of: number === 0 ? null : 'dereference-1',
  hop: number,
  agent: 'Worker',
  uri,
  method: 'GET',
  resolved_addresses: ['93.184.216.34'],
  connected_address: '93.184.216.34',
  dial_override: null,
  via_proxy: null,
  outcome: 'connected',
  status,
  ended: 'complete',
  request_headers: [],
  response_headers:
    status === 302 ? [['location', 'https://files.example/report-2']] : [['content-type', 'text/plain']],
  request_body: null,
});

/** The records of a small quiet trace that uses every collection, and from which every relation derives. */
export const records = () => ({
  trace_metadata: [
    {
      trace_id: 'trace-1',
      ...common('trace-1', 0, 'harness'),
      incident_id: 'incident-1',
      profile_id: 'profile-1',
      capture_backend: 'forensictrace',
      versions: [{ name: 'forensictrace', version: '0.1.0' }],
      started_at: '2026-03-01T10:00:00.000Z',
      ended_at: '2026-03-01T10:05:00.000Z',
      ended: 'complete',
      gaps: [],
      coverage: {
        discovery: true,
        capability_use: true,
        routing: true,
        task_load: true,
        uri_dereference: true,
        artifact_render: true,
        client_wire: true,
        server_wire: true,
      },
      coverage_notes: ['one note'],
      redactions: [{ what: 'authorization', count: 1 }],
    },
  ],
  candidate_cards: [
    { ...worker(1), attributes: { ['__proto__']: 'a', 'Free Name': 'b' } },
    snapshot('card-other', 2, 'Painter', 'https://painter.example', 'draw'),
  ],
  trusted_cards: [{ ...worker(3), attributes: {} }],
  selected_cards: [worker(4)],
  endpoints: [
    {
      endpoint_id: 'endpoint-worker',
      ...common('endpoint-worker', 5),
      card_id: 'card-worker',
      url: 'https://worker.example/a2a',
      protocol: 'JSONRPC',
      protocol_version: '1.0',
      agent: 'Worker',
    },
  ],
  discovery_events: [
    {
      discovery_id: 'discovery-1',
      ...common('discovery-1', 6),
      client_agent: 'Planner',
      considered_card_ids: ['card-worker', 'card-other'],
      trusted_card_ids: ['card-worker'],
      selected_card_id: 'card-worker',
    },
  ],
  exchanges: [
    {
      ...exchange('exchange-1', 7, question, stream, 'text/event-stream'),
      rpc_method: 'SendStreamingMessage',
      request_id: '1',
      message_id: 'message-1',
      request_task_id: null,
      request_context_id: null,
      response_id: '1',
      event_count: 4,
    },
    {
      ...exchange('exchange-2', 15, poll, task, 'application/json'),
      rpc_method: 'GetTask',
      request_id: '2',
      message_id: null,
      request_task_id: 'task-1',
      request_context_id: null,
      response_id: '2',
      event_count: null,
    },
  ],
  capability_invocations: [
    {
      invocation_id: 'invocation-1',
      ...common('invocation-1', 8, 'sdk-server'),
      exchange_id: 'exchange-1',
      capability: 'summarise',
      basis: 'executed',
      caller_agent: 'Planner',
    },
  ],
  routing_events: [step('step-1', 9, 'exchange-1', 'root'), step('step-2', 16, 'exchange-2', 'step-1')],
  task_transitions: [
    transition('transition-1', 10, 0, 'working', null),
    transition('transition-2', 13, 3, 'input-required', 'transition-1'),
  ],
  task_load_snapshots: [
    {
      snapshot_id: 'snapshot-1',
      ...common('snapshot-1', 14, 'sdk-server'),
      endpoint_id: 'endpoint-worker',
      agent: 'Worker',
      awaiting_input_count: 1,
      queue_depth: 0,
      latency_us: 1500,
      timeouts: 0,
      window_us: 60_000_000,
    },
  ],
  uri_references: [
    {
      reference_id: 'reference-1',
      ...common('reference-1', 17),
      uri: 'https://files.example/report',
      exchange_id: 'exchange-1',
      artifact_record_id: null,
      body: 'request',
      wire_event: null,
      pointer: '/params/message/parts/0/text',
    },
    {
      reference_id: 'reference-2',
      ...common('reference-2', 18),
      uri: 'https://worker.example/more',
      exchange_id: null,
      artifact_record_id: 'artifact-2',
      body: null,
      wire_event: null,
      pointer: null,
    },
  ],
  uri_dereferences: [
    hop('dereference-1', 19, 0, 'https://files.example/report', 302),
    hop('dereference-2', 20, 1, 'https://files.example/report-2', 200),
  ],
  dereference_responses: [
    {
      response_id: 'response-1',
      ...common('response-1', 21, 'process-hook'),
      dereference_id: 'dereference-1',
      status: 302,
      body: null,
    },
    {
      response_id: 'response-2',
      ...common('response-2', 22, 'process-hook'),
      dereference_id: 'dereference-2',
      status: 200,
      body: body('The report.'),
    },
  ],
  artifacts: [
    artifact('artifact-1', 11, 1, FIRST_CHUNK, null),
    artifact('artifact-2', 12, 2, LAST_CHUNK, 'artifact-1'),
  ],
  artifact_renders: [
    {
      render_id: 'render-1',
      ...common('render-1', 24, 'application'),
      artifact_record_id: 'artifact-2',
      renderer: 'panel',
      interpreted_as: 'text/plain',
      mode: 'interpreted',
      input_sha256: sha256(FIRST_CHUNK + LAST_CHUNK),
      sanitizer_id: 'sanitizer-1',
    },
  ],
  sanitizers: [
    {
      sanitizer_id: 'sanitizer-1',
      ...common('sanitizer-1', 23, 'application'),
      artifact_record_id: 'artifact-2',
      name: 'escape',
      version: '1.0.0',
      applied: true,
      input_sha256: sha256(FIRST_CHUNK + LAST_CHUNK),
      output: body(FIRST_CHUNK + LAST_CHUNK),
    },
  ],
});
