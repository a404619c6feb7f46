import { decodeUtf8 } from '../../base/utf8.ts';
import { parseWire, type WireNode } from '../../base/wire-json.ts';
import type { Binding } from './recognise.ts';

/** What a request says beyond its typed fields, for evidence that is derived from it. */
export type MessageFacts = {
  /** It sends a message, and does not only ask about a task. */
  readonly isSend: boolean;
  readonly task_id: string | null;
  readonly context_id: string | null;
  readonly reference_tasks: readonly string[];
  /** Skills that the message or its metadata name. */
  readonly skills: readonly string[];
};

const NOTHING: MessageFacts = { isSend: false, task_id: null, context_id: null, reference_tasks: [], skills: [] };
const SENDS: ReadonlySet<string> = new Set(['SendMessage', 'SendStreamingMessage', 'message/send', 'message/stream']);
const SEND_PATH = /\/message:(?:send|stream)$/;
const SKILL_NAMES = ['skillId', 'skill_id', 'skill'];
const MAX_TAKEN = 16;
const MAX_NAME = 1_024;

const member = (node: WireNode | undefined, ...names: readonly string[]): WireNode | undefined =>
  node?.kind === 'object' ? node.members.find(({ name }) => names.includes(name))?.value : undefined;

const stringOf = (node: WireNode | undefined): string | null =>
  node?.kind === 'string' && node.value !== '' && node.value.length <= MAX_NAME ? node.value : null;

const itemsOf = (node: WireNode | undefined): readonly WireNode[] =>
  node?.kind === 'array' ? node.items.slice(0, MAX_TAKEN) : [];

const strings = (nodes: readonly (WireNode | undefined)[]): string[] =>
  nodes.map(stringOf).filter((text) => text !== null);

/** Reads a request as A2A: 1.0 and 0.3 name these members alike. */
export const messageFacts = (binding: Binding, url: string, body: Uint8Array): MessageFacts => {
  const root = parseWire(decodeUtf8(body) ?? '');
  if (root === null) return NOTHING;
  const isRpc = binding === 'JSONRPC';
  const params = isRpc ? member(root, 'params') : root;
  const isSend = isRpc ? SENDS.has(stringOf(member(root, 'method')) ?? '') : SEND_PATH.test(url.split(/[?#]/, 1)[0]!);
  if (!isSend) return NOTHING;
  const message = member(params, 'message');
  const metadatas = [member(message, 'metadata'), member(params, 'metadata')];
  const datas = itemsOf(member(message, 'parts')).map((part) => member(part, 'data'));
  return {
    isSend,
    task_id: stringOf(member(message, 'taskId', 'task_id')),
    context_id: stringOf(member(message, 'contextId', 'context_id')),
    reference_tasks: strings(itemsOf(member(message, 'referenceTaskIds', 'reference_task_ids'))),
    skills: [
      ...new Set(strings([...metadatas, ...datas].flatMap((node) => SKILL_NAMES.map((name) => member(node, name))))),
    ],
  };
};

/** The trace id of W3C Trace Context, `traceparent`; null when there is none. */
export const traceIdOf = (headers: readonly (readonly [string, string])[]): string | null => {
  const value = headers.find(([name]) => name === 'traceparent')?.[1] ?? '';
  const id = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/.exec(value)?.[1];
  return id === undefined || /^0+$/.test(id) ? null : id;
};
