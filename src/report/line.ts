import { isObject, type JsonObject, type JsonValue } from '../base/json-value.ts';
import type { Collection } from '../evidence/collections.ts';

const SHOWN = 200;

/** A stranger's text no longer than a line has room for, cut between two code points. */
export const cut = (text: string, limit = SHOWN): string =>
  text.length <= limit ? text : `${text.slice(0, limit).replace(/[\ud800-\udbff]$/, '')}…`;

const told = (value: JsonValue | undefined): string => {
  if (typeof value === 'string') return cut(value);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '?';
};

const sizeOf = (body: JsonValue | undefined): string => (isObject(body) ? `${told(body.size)} bytes` : 'no bytes kept');

const card = (row: JsonObject): string => `card "${told(row.name)}" of "${told(row.provider_organization)}"`;

const LINES: Readonly<Record<Collection, (row: JsonObject) => string>> = {
  trace_metadata: (row) => `capture by ${told(row.capture_backend)}, ended ${told(row.ended)}`,
  candidate_cards: card,
  trusted_cards: card,
  selected_cards: card,
  endpoints: (row) => `${told(row.agent)} serves ${told(row.protocol)} at ${told(row.url)}`,
  discovery_events: (row) => `${told(row.client_agent)} selected ${told(row.selected_card_id)}`,
  exchanges: (row) =>
    `${told(row.client_agent)} → ${told(row.server_agent)} ${told(row.rpc_method ?? row.method)} ${told(row.url)}: ${told(row.status)}, ${told(row.ended)}`,
  capability_invocations: (row) => `${told(row.capability)} ${told(row.basis)} on behalf of ${told(row.caller_agent)}`,
  routing_events: (row) =>
    `${told(row.source_agent)} → ${told(row.destination_agent)}: ${told(row.outcome)}, progress ${told(row.progress)}`,
  task_transitions: (row) => `task ${told(row.task_id)} at ${told(row.agent)} is ${told(row.state)}`,
  task_load_snapshots: (row) =>
    `${told(row.agent)} has ${told(row.awaiting_input_count)} tasks awaiting input, queue ${told(row.queue_depth)}, latency ${told(row.latency_us)} µs`,
  uri_references: (row) => `names ${told(row.uri)}`,
  uri_dereferences: (row) =>
    `${told(row.agent)} ${told(row.method)} ${told(row.uri)}: ${told(row.outcome)} to ${told(row.connected_address)}, ${told(row.status)}`,
  dereference_responses: (row) => `answer ${told(row.status)}, ${sizeOf(row.body)}`,
  artifacts: (row) =>
    `${told(row.part_kind)} of ${told(row.agent)}, ${row.media_type === null ? '' : `${told(row.media_type)}, `}${sizeOf(row.content)}`,
  artifact_renders: (row) => `${told(row.renderer)} took it as ${told(row.interpreted_as)}, ${told(row.mode)}`,
  sanitizers: (row) => `${told(row.name)} ${told(row.version)}, ${row.applied === false ? 'bypassed' : 'applied'}`,
};

/** A record in one line for people: who did what to whom, `?` where it is not known. The words are a stranger's: neutralise them. */
export const lineOf = (collection: Collection, row: JsonObject): string => LINES[collection](row);
