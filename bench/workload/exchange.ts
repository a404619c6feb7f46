import type { RecordOf } from '../../src/index.ts';
import type { Random } from './random.ts';
import { proseOf } from './text.ts';
import { AGENT, bodyOf, type Common, ENDPOINT_ID } from './trace.ts';

/** What one exchange says: its number, and the texts of the artifacts that its response carries. */
export type Spoken = { readonly number: number; readonly artifacts: readonly string[] };

const taskId = (number: number): string => `task-${number}`;
const contextId = (number: number): string => `context-${number}`;
const exchangeId = (number: number): string => `exchange-${number}`;
export const uriOf = (number: number): string => `https://files.example/report-${number}`;

const requestText = (number: number, prose: string): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: number,
    method: 'SendMessage',
    params: {
      message: {
        messageId: `message-${number}`,
        contextId: contextId(number),
        role: 'ROLE_USER',
        parts: [{ text: `${prose} ${uriOf(number)}` }],
      },
    },
  });

const responseText = ({ number, artifacts }: Spoken, prose: string): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: number,
    result: {
      task: {
        id: taskId(number),
        contextId: contextId(number),
        status: {
          state: 'TASK_STATE_COMPLETED',
          message: { messageId: `answer-${number}`, role: 'ROLE_AGENT', parts: [{ text: prose }] },
        },
        artifacts: artifacts.map((text, at) => ({
          artifactId: `a-${at}`,
          name: 'Summary',
          parts: [{ text, mediaType: 'text/plain' }],
        })),
      },
    },
  });

export const exchangeOf = (spoken: Spoken, random: Random, common: Common): RecordOf<'exchanges'> => ({
  exchange_id: exchangeId(spoken.number),
  ...common,
  endpoint_id: ENDPOINT_ID,
  client_agent: 'Planner',
  server_agent: AGENT,
  binding: 'JSONRPC',
  method: 'POST',
  url: 'https://worker.example/a2a',
  status: 200,
  ended: 'complete',
  request_headers: [
    ['content-type', 'application/json'],
    ['a2a-version', '1.0'],
  ],
  response_headers: [['content-type', 'application/json']],
  request_body: bodyOf(requestText(spoken.number, proseOf(random))),
  response_body: bodyOf(responseText(spoken, proseOf(random))),
  protocol_version: '1.0',
  rpc_method: 'SendMessage',
  request_id: String(spoken.number),
  message_id: `message-${spoken.number}`,
  request_task_id: null,
  request_context_id: contextId(spoken.number),
  response_id: String(spoken.number),
  error_code: null,
  response_task_id: taskId(spoken.number),
  response_context_id: contextId(spoken.number),
  event_count: null,
  wire_issue: null,
});

const fromResponse = (number: number) => ({
  exchange_id: exchangeId(number),
  wire_event: null,
  raw: null,
  agent: AGENT,
  task_id: taskId(number),
  context_id: contextId(number),
  wire_issue: null,
});

/** The record of the artifact with that index in the response. */
export const artifactOf = ({ number, artifacts }: Spoken, index: number, common: Common): RecordOf<'artifacts'> => ({
  artifact_record_id: `artifact-${number}-${index}`,
  ...common,
  ...fromResponse(number),
  payload: 'task_artifact',
  artifact_index: index,
  part_index: 0,
  artifact_id: `a-${index}`,
  name: 'Summary',
  part_kind: 'text',
  media_type: 'text/plain',
  filename: null,
  part_url: null,
  append: null,
  last_chunk: null,
  appends_to: null,
  content: bodyOf(artifacts[index]!),
});

export const transitionOf = (number: number, common: Common): RecordOf<'task_transitions'> => ({
  transition_id: `transition-${number}`,
  ...common,
  ...fromResponse(number),
  state: 'completed',
  previous_transition_id: null,
});

export const renderOf = ({ number, artifacts }: Spoken, common: Common): RecordOf<'artifact_renders'> => ({
  render_id: `render-${number}`,
  ...common,
  observer: 'application',
  artifact_record_id: `artifact-${number}-0`,
  renderer: 'panel',
  interpreted_as: 'text/plain',
  mode: 'interpreted',
  input_sha256: bodyOf(artifacts[0]!).sha256,
  sanitizer_id: null,
});

export const invocationOf = (number: number, common: Common): RecordOf<'capability_invocations'> => ({
  invocation_id: `invocation-${number}`,
  ...common,
  exchange_id: exchangeId(number),
  capability: 'summarise',
  basis: 'executed',
  caller_agent: 'Planner',
});

export const stepOf = (number: number, common: Common): RecordOf<'routing_events'> => ({
  routing_id: `step-${number}`,
  ...common,
  exchange_id: exchangeId(number),
  source_agent: 'Planner',
  destination_agent: AGENT,
  predecessor: 'root',
  joined_by: null,
  outcome: 'ok',
  progress: true,
  progress_transition_id: `transition-${number}`,
  progress_artifact_record_id: null,
  task_id: taskId(number),
  context_id: contextId(number),
});
