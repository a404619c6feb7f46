import * as z from 'zod';
import { Body, Count, common, ForeignId, Id, Label, Text, WireIssues } from '../fields.ts';

/** A2A task states in their 0.3 spelling; 1.0's TASK_STATE_… names are the same states. */
export const TASK_STATES = [
  'submitted',
  'working',
  'input-required',
  'auth-required',
  'completed',
  'canceled',
  'failed',
  'rejected',
] as const;
export type TaskState = (typeof TASK_STATES)[number];

/** Where a record's typed fields are read from: its own raw text, else an event or the whole of an exchange's response. */
export const wireSource = {
  exchange_id: ForeignId.describe('the exchange it came with or was caused by'),
  wire_event: Count.nullable().describe("event of that exchange's response stream, from 0; null when it is no stream"),
  raw: Body.nullable().describe(
    'its own JSON text where the exchange does not hold it (server event bus, event beyond a cut); then it alone is read; else null',
  ),
};

export const TaskStateTransition = z.strictObject({
  transition_id: Id.describe('id of the transition'),
  ...common,
  ...wireSource,
  agent: Label.nullable().describe('the agent that holds the task'),
  task_id: Text.nullable().describe('from the wire: id of a task, taskId of a status update'),
  context_id: Text.nullable().describe('from the wire: contextId of it'),
  state: z
    .enum(TASK_STATES)
    .nullable()
    .describe(
      'from the wire: status.state of it, by name in the spelling of 0.3 or 1.0 (cancelled too) or by number in a2a.proto; unspecified and unknown states are null',
    ),
  previous_transition_id: ForeignId.describe('the transition of the same task seen before by the same observer'),
  wire_issue: WireIssues,
});

export const TaskLoadSnapshot = z.strictObject({
  snapshot_id: Id.describe('id of the snapshot'),
  ...common,
  endpoint_id: ForeignId.describe('the endpoint whose load was measured'),
  agent: Label.nullable().describe('the agent whose tasks were counted'),
  awaiting_input_count: Count.describe('tasks awaiting input or authorisation, as the agent counts them'),
  queue_depth: Count.nullable().describe('requests waiting'),
  latency_us: Count.nullable().describe('latency in the window, whole microseconds'),
  timeouts: Count.nullable().describe('timeouts in the window'),
  window_us: Count.nullable().describe('length of the window, whole microseconds'),
});
