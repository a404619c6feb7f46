import * as z from 'zod';
import { Body, Count, common, Ending, ForeignId, Headers, HttpStatus, Id, Label, Text, WireIssues } from '../fields.ts';
import { PROTOCOL_BINDINGS } from './discovery.ts';

const Token = Text.nullable();

export const RuntimeExchange = z.strictObject({
  exchange_id: Id.describe('id of the exchange'),
  ...common,
  endpoint_id: ForeignId.describe('the endpoint it used'),
  client_agent: Label.nullable().describe('the sending agent, by the name this trace uses'),
  server_agent: Label.nullable().describe('the serving agent, by the name this trace uses'),
  binding: z.enum(PROTOCOL_BINDINGS).describe('how the bodies are read'),
  method: Text.describe('HTTP method'),
  url: Text.describe('request URL, secrets redacted'),
  status: HttpStatus.describe('HTTP status; null when no response came'),
  ended: Ending.describe('how the exchange ended'),
  request_headers: Headers,
  response_headers: Headers,
  request_body: Body.nullable(),
  response_body: Body.nullable(),
  protocol_version: Text.nullable().describe('value of the first a2a-version in request_headers'),
  rpc_method: Text.nullable().describe('from request_body, JSONRPC: method'),
  request_id: Token.describe('from request_body, JSONRPC: id, as its JSON token, null included'),
  message_id: Text.nullable().describe('from request_body: params.message.messageId (HTTP+JSON: message.messageId)'),
  request_task_id: Text.nullable().describe(
    'from request_body: params.message.taskId, else params.taskId, else params.id (HTTP+JSON: message.taskId, else taskId)',
  ),
  request_context_id: Text.nullable().describe(
    'from request_body: params.message.contextId (HTTP+JSON: message.contextId)',
  ),
  response_id: Token.describe(
    'from response_body (of an event stream: its event 0), JSONRPC: id, as its JSON token, null included',
  ),
  error_code: z
    .int()
    .nullable()
    .meta({ title: 'integer or null' })
    .describe('from response_body (event 0): error.code'),
  response_task_id: Text.nullable().describe(
    'from response_body (event 0): id of the payload when it is a task, else its taskId; the payload stands in result (HTTP+JSON: the outermost object)',
  ),
  response_context_id: Text.nullable().describe('from response_body (event 0): contextId of that payload'),
  event_count: Count.nullable().describe(
    'closed events of response_body when it is an event stream; null when it is none, or cut',
  ),
  wire_issue: WireIssues,
});

export const CapabilityInvocationEvidence = z.strictObject({
  invocation_id: Id.describe('id of the invocation'),
  ...common,
  exchange_id: ForeignId.describe('the exchange during which it was observed'),
  capability: Label.describe('skill id or the name the agent gave it'),
  basis: z.enum(['executed', 'requested']).describe('executed: the agent did it; requested: it was only asked for'),
  caller_agent: Label.nullable().describe('on whose behalf'),
});
