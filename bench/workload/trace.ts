import { createHash } from 'node:crypto';
import type { RecordOf } from '../../src/index.ts';
import type { Random } from './random.ts';

export const AGENT = 'Worker';
export const ENDPOINT_ID = 'endpoint-0';
const START_MS = Date.UTC(2026, 2, 1, 10);

export type Common = Pick<RecordOf<'artifacts'>, 'observed_at' | 'sequence' | 'observer' | 'salt'>;
type Body = NonNullable<RecordOf<'artifacts'>['content']>;

/** One record a millisecond. */
const timeOf = (sequence: number): string => new Date(START_MS + sequence).toISOString();

export const commonOf = (random: Random, sequence: number): Common => ({
  observed_at: timeOf(sequence),
  sequence,
  observer: 'sdk-client',
  salt: random.hex(32),
});

/** A body as received, whole. */
export const bodyOf = (text: string): Body => ({
  text,
  encoding: 'utf8',
  size: Buffer.byteLength(text),
  sha256: createHash('sha256').update(text).digest('hex'),
  truncated: null,
});

const cardText = (name: string): string =>
  JSON.stringify({
    name,
    description: `${name} of a benchmark`,
    version: '1.0.0',
    supportedInterfaces: [{ url: 'https://worker.example/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    skills: [{ id: 'summarise', name: 'summarise', description: 'makes a text short', tags: [] }],
  });

export const cardOf = (card_id: string, name: string, common: Common): RecordOf<'selected_cards'> => ({
  card_id,
  ...common,
  url: 'https://worker.example/.well-known/agent-card.json',
  status: 200,
  extended: false,
  endpoint_id: null,
  raw: bodyOf(cardText(name)),
  name,
  provider_organization: null,
  interfaces: [
    {
      url: 'https://worker.example/a2a',
      protocol: 'JSONRPC',
      protocol_version: '1.0',
      stated_in: 'supported_interfaces',
    },
  ],
  skill_ids: ['summarise'],
  wire_issue: null,
});

export const endpointOf = (common: Common): RecordOf<'endpoints'> => ({
  endpoint_id: ENDPOINT_ID,
  ...common,
  card_id: 'card-0',
  url: 'https://worker.example/a2a',
  protocol: 'JSONRPC',
  protocol_version: '1.0',
  agent: AGENT,
});

export const metadataOf = (
  common: Common,
  incident_id: string,
  profile_id: string,
  last: number,
): RecordOf<'trace_metadata'> => ({
  trace_id: 'trace-0',
  ...common,
  observer: 'harness',
  incident_id,
  profile_id,
  capture_backend: 'forensictrace-bench',
  versions: [{ name: 'forensictrace-bench', version: '1' }],
  started_at: timeOf(0),
  ended_at: timeOf(last),
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
  coverage_notes: [],
  redactions: [],
});
