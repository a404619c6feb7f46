import type { RecordOf } from '../../src/index.ts';
import { uriOf } from './exchange.ts';
import { AGENT, bodyOf, type Common } from './trace.ts';

/** The URI of a request, the request for it, and what came back. */
export const referenceOf = (number: number, common: Common): RecordOf<'uri_references'> => ({
  reference_id: `reference-${number}`,
  ...common,
  uri: uriOf(number),
  exchange_id: `exchange-${number}`,
  artifact_record_id: null,
  body: 'request',
  wire_event: null,
  pointer: '/params/message/parts/0/text',
});

export const dereferenceOf = (number: number, common: Common): RecordOf<'uri_dereferences'> => ({
  dereference_id: `dereference-${number}`,
  ...common,
  reference_id: `reference-${number}`,
  redirect_of: null,
  hop: 0,
  agent: AGENT,
  uri: uriOf(number),
  method: 'GET',
  resolved_addresses: ['93.184.216.34'],
  connected_address: '93.184.216.34',
  dial_override: null,
  via_proxy: null,
  outcome: 'connected',
  status: 200,
  ended: 'complete',
  request_headers: [],
  response_headers: [['content-type', 'text/plain']],
  request_body: null,
});

export const answerOf = (number: number, text: string, common: Common): RecordOf<'dereference_responses'> => ({
  response_id: `response-${number}`,
  ...common,
  dereference_id: `dereference-${number}`,
  status: 200,
  body: bodyOf(text),
});
