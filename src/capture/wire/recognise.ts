import { decodeUtf8 } from '../../base/utf8.ts';
import { parseWire, type WireNode } from '../../base/wire-json.ts';

/** What of a request tells whether it is A2A. Header names are lower-case. */
export type RequestShape = {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array;
  /** The protocol binding of a known interface at that URL; null when none is known. */
  readonly known: 'JSONRPC' | 'HTTP+JSON' | 'GRPC' | null;
};
export type Binding = 'JSONRPC' | 'HTTP+JSON';

/** JSON-RPC methods of A2A 1.0 (specification, section 5.3) and 0.3 (section 7). */
const RPC_METHODS: ReadonlySet<string> = new Set([
  'SendMessage',
  'SendStreamingMessage',
  'GetTask',
  'ListTasks',
  'CancelTask',
  'SubscribeToTask',
  'CreateTaskPushNotificationConfig',
  'GetTaskPushNotificationConfig',
  'ListTaskPushNotificationConfigs',
  'DeleteTaskPushNotificationConfig',
  'GetExtendedAgentCard',
  'message/send',
  'message/stream',
  'tasks/get',
  'tasks/cancel',
  'tasks/resubscribe',
  'tasks/pushNotificationConfig/set',
  'tasks/pushNotificationConfig/get',
  'tasks/pushNotificationConfig/list',
  'tasks/pushNotificationConfig/delete',
  'agent/getAuthenticatedExtendedCard',
]);
/** REST paths of 1.0 (section 11) and 0.3, below any prefix. */
const REST_PATH =
  /\/(?:message:(?:send|stream)|tasks(?:\/[^/]+(?::(?:cancel|subscribe)|\/pushNotificationConfigs(?:\/[^/]+)?)?)?|extendedAgentCard|v1\/card)$/;
const SEND_PATH = /\/message:(?:send|stream)$/;
const CARD_PATH = /\/\.well-known\/agent(?:-card)?\.json$/;
/** The Model Context Protocol has JSON-RPC methods of the same names. */
const MCP_HEADERS: ReadonlySet<string> = new Set(['mcp-protocol-version', 'mcp-session-id', 'mcp-method']);
const A2A_TYPE = 'application/a2a+json';
/** The method of a text that is no JSON, such as one that was cut. */
const METHOD_MEMBER = /"method"[ \t\r\n]{0,16}:[ \t\r\n]{0,16}"([A-Za-z/]{1,64})"/;
const MAX_SEARCHED = 4_096;

const pathOf = (url: string): string => url.split(/[?#]/, 1)[0]!;

export const isCardRequest = ({ method, url }: Pick<RequestShape, 'method' | 'url'>): boolean =>
  method === 'GET' && CARD_PATH.test(pathOf(url));

const member = (node: WireNode | null, name: string): WireNode | undefined =>
  node?.kind === 'object' ? node.members.findLast((row) => row.name === name)?.value : undefined;

const headerOf = (headers: RequestShape['headers'], name: string): string | undefined =>
  headers.find(([header]) => header === name)?.[1];

/** A push notification (1.0 section 4.3.3, 0.3 section 9.5): a stream response or a task, sent to a URL that its receiver chose. */
export const isPushNotification = ({ method, url, headers, body }: RequestShape): boolean => {
  if (method !== 'POST' || REST_PATH.test(pathOf(url))) return false;
  if (headerOf(headers, 'x-a2a-notification-token') !== undefined) return true;
  if (!(headerOf(headers, 'content-type') ?? '').startsWith(A2A_TYPE)) return false;
  const root = parseWire(decodeUtf8(body) ?? '');
  return ['task', 'message', 'statusUpdate', 'artifactUpdate'].some((name) => member(root, name) !== undefined);
};

const isTaskCall = (method: WireNode | undefined): boolean =>
  method?.kind === 'string' && (method.value === 'tasks/get' || method.value === 'tasks/cancel');

const rpcMethodOf = (body: Uint8Array): string | null => {
  const text = decodeUtf8(body);
  const root = text === null ? null : parseWire(text);
  if (root === null) {
    return METHOD_MEMBER.exec(Buffer.from(body.subarray(0, MAX_SEARCHED)).toString('latin1'))?.[1] ?? null;
  }
  // A batch is no A2A, and is answered by an error: what was asked for is in its first call.
  const call = root.kind === 'array' ? (root.items[0] ?? null) : root;
  const version = member(call, 'jsonrpc');
  const method = member(call, 'method');
  // Both protocols get and cancel tasks by these names: A2A 0.3 names the task `id`, MCP `taskId`.
  if (member(member(call, 'params') ?? null, 'taskId') !== undefined && isTaskCall(method)) return null;
  return version?.kind === 'string' && method?.kind === 'string' ? method.value : null;
};

/** The binding of an A2A request, told by its wire; null when it is none. */
export const bindingOf = (request: RequestShape): Binding | null => {
  const { method, url, headers, body, known } = request;
  if (headers.some(([name]) => MCP_HEADERS.has(name))) return null;
  const path = pathOf(url);
  const isRest = REST_PATH.test(path);
  if (method === 'POST' && !isRest) {
    if (RPC_METHODS.has(rpcMethodOf(body) ?? '')) return 'JSONRPC';
    if (known === 'JSONRPC') return 'JSONRPC';
  }
  if (isRest && (known === 'HTTP+JSON' || (method === 'POST' && SEND_PATH.test(path)))) return 'HTTP+JSON';
  if (headerOf(headers, 'a2a-version') === undefined) return null;
  return isRest ? 'HTTP+JSON' : method === 'POST' ? 'JSONRPC' : null;
};
