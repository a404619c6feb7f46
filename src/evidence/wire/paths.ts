/**
 * From where each typed field is read: the normative table of FORMAT section 3. A field has one or more paths; the first that leads to something
 * other than JSON null counts. Each name is also read in the snake_case that ProtoJSON parsers accept, where the camelCase one is absent or null.
 */

/** Exchange fields by binding and body. GRPC bodies are not JSON: its fields are null. */
export const EXCHANGE_PATHS = {
  JSONRPC: {
    request: {
      rpc_method: ['method'],
      request_id: ['id'],
      message_id: ['params.message.messageId'],
      request_task_id: ['params.message.taskId', 'params.taskId', 'params.id'],
      request_context_id: ['params.message.contextId'],
    },
    response: { response_id: ['id'], error_code: ['error.code'] },
  },
  'HTTP+JSON': {
    request: {
      rpc_method: [],
      request_id: [],
      message_id: ['message.messageId'],
      request_task_id: ['message.taskId', 'taskId'],
      request_context_id: ['message.contextId'],
    },
    response: { response_id: [], error_code: ['error.code'] },
  },
} as const;

export const PAYLOAD_KINDS = ['task', 'message', 'status_update', 'artifact_update'] as const;
export type PayloadKind = (typeof PAYLOAD_KINDS)[number];

/** A2A 1.0: the member of SendMessageResponse and StreamResponse that holds each payload. */
export const PAYLOAD_MEMBERS = {
  task: 'task',
  message: 'message',
  status_update: 'statusUpdate',
  artifact_update: 'artifactUpdate',
} as const satisfies Record<PayloadKind, string>;

/** A2A 0.3: the `kind` of a payload that is the result itself. */
export const PAYLOAD_DISCRIMINATORS: ReadonlyMap<string, PayloadKind> = new Map([
  ['task', 'task'],
  ['message', 'message'],
  ['status-update', 'status_update'],
  ['artifact-update', 'artifact_update'],
]);

/** A payload that is the result itself and names no kind (GetTask, CancelTask): the first row whose members are there, one of `any` at least. */
export const BARE_PAYLOADS = [
  { kind: 'message', all: ['messageId'], any: [] },
  { kind: 'artifact_update', all: ['taskId', 'artifact'], any: [] },
  { kind: 'status_update', all: ['taskId', 'status'], any: [] },
  { kind: 'task', all: ['id'], any: ['contextId', 'status', 'artifacts', 'history'] },
] as const satisfies readonly { kind: PayloadKind; all: readonly string[]; any: readonly string[] }[];

/** Fields inside each payload. */
export const PAYLOAD_PATHS = {
  task: { task_id: 'id', context_id: 'contextId', state: 'status.state', message: 'status.message' },
  message: { task_id: 'taskId', context_id: 'contextId', state: null, message: '' },
  status_update: { task_id: 'taskId', context_id: 'contextId', state: 'status.state', message: 'status.message' },
  artifact_update: { task_id: 'taskId', context_id: 'contextId', state: null, message: null },
} as const satisfies Record<PayloadKind, Record<string, string | null>>;

/** Fields of an artifact, and where the part list of an artifact or message stands (`content`: 0.3 over HTTP+JSON). */
export const ARTIFACT_PATHS = { artifact_id: ['artifactId'], name: ['name'], parts: ['parts', 'content'] } as const;

/** Fields of a part: 1.0 and 0.3, and the file of 0.3 over HTTP+JSON. */
export const PART_PATHS = {
  content: {
    text: ['text'],
    raw: ['raw', 'file.bytes', 'file.fileWithBytes'],
    url: ['url', 'file.uri', 'file.fileWithUri'],
    data: ['data'],
  },
  media_type: ['mediaType', 'mimeType', 'file.mimeType', 'file.mediaType'],
  filename: ['filename', 'file.name'],
} as const;

/** Fields of an Agent Card of 1.0 and 0.3. */
export const CARD_PATHS = {
  name: ['name'],
  provider_organization: ['provider.organization'],
  skills: ['skills'],
  supported_interfaces: ['supportedInterfaces'],
  url: ['url'],
  additional_interfaces: ['additionalInterfaces'],
  preferred_transport: ['preferredTransport'],
  protocol_version: ['protocolVersion'],
  interface_url: ['url'],
  interface_protocol: ['protocolBinding', 'transport'],
} as const;
