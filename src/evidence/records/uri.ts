import * as z from 'zod';
import { Body, Count, common, Ending, ForeignId, Headers, HttpStatus, Id, Label, Text } from '../fields.ts';

export const UriReferenceEvidence = z.strictObject({
  reference_id: Id.describe('id of the reference'),
  ...common,
  uri: Text.describe('as written'),
  exchange_id: ForeignId.describe('the exchange whose body holds it'),
  artifact_record_id: ForeignId.describe('the artifact whose content holds it'),
  body: z
    .enum(['request', 'response'])
    .nullable()
    .describe('which body of the exchange; null: either, or the artifact alone'),
  wire_event: Count.nullable().describe('event of the response stream, from 0'),
  pointer: Text.nullable().describe(
    'RFC 6901 pointer of the string in that body (or event) that contains the URI; null: any string of it, or bytes that were cut away',
  ),
});

const OUTCOMES = ['connected', 'connect_failed', 'blocked_by_guard', 'not_attempted'] as const;

export const UriDereferenceEvidence = z.strictObject({
  dereference_id: Id.describe('id of the hop'),
  ...common,
  reference_id: ForeignId.describe('the reference that was followed; null for a redirect hop'),
  redirect_of: ForeignId.describe('the dereference whose redirect this hop follows'),
  hop: Count.describe('0 for the first request, then one more per redirect'),
  agent: Label.nullable().describe('who dereferenced'),
  uri: Text.describe('the URL requested'),
  method: Text.describe('HTTP method'),
  resolved_addresses: z
    .array(Text)
    .nullable()
    .meta({ title: 'list of strings or null' })
    .describe('addresses the name resolved to; null when not seen'),
  connected_address: Text.nullable().describe('address of the connected socket; null when not seen'),
  dial_override: z
    .strictObject({ host: Text, address: Text })
    .nullable()
    .meta({ title: '{host, address} or null' })
    .describe('the dialer sent this host to this address instead of a resolved one'),
  via_proxy: Text.nullable().describe('the proxy it went through'),
  outcome: z.enum(OUTCOMES),
  status: HttpStatus.describe('HTTP status; null when no response came'),
  ended: Ending.nullable().describe('how it ended; null when it was not attempted'),
  request_headers: Headers,
  response_headers: Headers,
  request_body: Body.nullable(),
});

export const DereferenceResponseEvidence = z.strictObject({
  response_id: Id.describe('id of the response'),
  ...common,
  dereference_id: ForeignId.describe('the hop it answers'),
  status: HttpStatus.describe('equal to the status of that hop'),
  body: Body.nullable().describe('the response body as received'),
});
