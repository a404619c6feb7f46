import type { JsonValue } from '../../base/json-value.ts';
import { isObject, type JsonObject } from '../../base/json-value.ts';
import { readUrl } from '../../base/url.ts';
import type { Collection } from '../../evidence/collections.ts';

/** A value of a record in words; `unknown` where it is neither text nor number. */
export const told = (value: JsonValue | undefined, unknown = '?'): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : unknown;

const agent = (value: JsonValue | undefined): string => told(value, 'unnamed agent');

export const hostOf = (url: string): string => readUrl(url)?.host || url;
const pathOf = (url: string): string => readUrl(url)?.pathname ?? url;

/** What was asked of an agent: the A2A method, else the HTTP method and path. */
export const askedOf = (row: JsonObject): string =>
  typeof row.rpc_method === 'string' ? row.rpc_method : `${told(row.method)} ${pathOf(told(row.url))}`;

const sizeOf = (body: JsonValue | undefined): string => (isObject(body) ? `${told(body.size)} bytes` : 'no content');

const card = (row: JsonObject): string =>
  [told(row.name, 'no name'), told(row.provider_organization, ''), told(row.url, 'not fetched')]
    .filter((part) => part !== '')
    .join(', ');

const LINES: Readonly<Record<Collection, (row: JsonObject) => string>> = {
  trace_metadata: (row) => `${told(row.capture_backend)}, ended: ${told(row.ended)}`,
  candidate_cards: card,
  trusted_cards: card,
  selected_cards: card,
  endpoints: (row) => `${told(row.protocol)} at ${told(row.url)}, served by ${agent(row.agent)}`,
  discovery_events: (row) =>
    `${agent(row.client_agent)} considered ${Array.isArray(row.considered_card_ids) ? row.considered_card_ids.length : '?'} and chose ${told(row.selected_card_id, 'none')}`,
  exchanges: (row) =>
    `${told(row.client_agent, 'unnamed client')} → ${agent(row.server_agent)}: ${askedOf(row)}, ${answerOf(row)}`,
  capability_invocations: (row) => `${told(row.capability)}, ${told(row.basis)}, for ${agent(row.caller_agent)}`,
  routing_events: (row) =>
    `${told(row.source_agent)} → ${told(row.destination_agent)}, after ${told(row.predecessor)}, progress: ${row.progress === true ? 'yes' : row.progress === false ? 'no' : 'not seen'}`,
  task_transitions: (row) => `${agent(row.agent)}: ${told(row.state, 'unknown state')} (task ${told(row.task_id)})`,
  task_load_snapshots: (row) =>
    `${agent(row.agent)}: ${told(row.awaiting_input_count)} tasks await input, ${told(row.queue_depth)} requests wait`,
  uri_references: (row) => told(row.uri),
  uri_dereferences: (row) => `${agent(row.agent)}: ${told(row.method)} ${told(row.uri)}, ${fetchedOf(row)}`,
  dereference_responses: (row) => `status ${told(row.status)}, ${sizeOf(row.body)}`,
  artifacts: (row) =>
    [
      told(row.name, ''),
      told(row.part_kind, 'unknown kind'),
      told(row.media_type, ''),
      sizeOf(row.content),
      `from ${agent(row.agent)}`,
    ]
      .filter((part) => part !== '')
      .join(', '),
  artifact_renders: (row) => `${told(row.renderer)}: ${told(row.mode)} as ${told(row.interpreted_as, 'unknown type')}`,
  sanitizers: (row) => `${told(row.name)} ${told(row.version, '')}: ${row.applied === true ? 'applied' : 'bypassed'}`,
};

/** How an exchange was answered: status, error, and how it ended when not completely. */
export const answerOf = (row: JsonObject): string =>
  [
    row.status === null ? 'no HTTP status' : `status ${told(row.status)}`,
    row.error_code === null ? '' : `error ${told(row.error_code)}`,
    row.ended === 'complete' ? '' : told(row.ended),
  ]
    .filter((part) => part !== '')
    .join(', ');

/** How a request for an address went. */
export const fetchedOf = (row: JsonObject): string =>
  [
    row.status === null ? 'no HTTP status' : `status ${told(row.status)}`,
    [
      told(row.outcome).replaceAll('_', ' '),
      row.connected_address === null ? '' : ` to ${told(row.connected_address)}`,
      row.dial_override === null ? '' : ' (test redirection)',
    ].join(''),
  ].join(', ');

/** A record in one line, in words; the words of strangers in it are as they wrote them. */
export const lineOf = (collection: Collection, row: JsonObject): string => LINES[collection](row);
