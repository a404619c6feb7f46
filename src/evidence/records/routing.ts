import * as z from 'zod';
import { common, ForeignId, Id, Label, Text } from '../fields.ts';

const JOINS = ['trace_context', 'reference_task', 'context_id', 'async_context', 'application'] as const;

export const RoutingEventEvidence = z.strictObject({
  routing_id: Id.refine((id) => id !== 'root' && id !== 'unknown', 'root and unknown are reserved').describe(
    'id of the step; not `root` or `unknown`',
  ),
  ...common,
  exchange_id: ForeignId.describe('the exchange that carried the step'),
  source_agent: Label.describe('who sent'),
  destination_agent: Label.describe('who was sent to'),
  predecessor: Id.describe('`root`, `unknown`, or a routing_id with smaller sequence'),
  joined_by: z.enum(JOINS).nullable().describe('how the predecessor was found; null for root and unknown'),
  outcome: z.enum(['ok', 'failed']).nullable().describe('whether the send succeeded; null when not seen'),
  progress: z.boolean().nullable().describe('whether the task moved on before the successor; null when not seen'),
  progress_transition_id: ForeignId.describe('the new transition that shows progress'),
  progress_artifact_record_id: ForeignId.describe('the new artifact that shows progress'),
  task_id: Text.nullable(),
  context_id: Text.nullable(),
});
