import * as z from 'zod';
import { Count, common, Id, Label, Text, Timestamp } from '../fields.ts';

/** What a capture can watch; a rule without a trigger reads its own switch here. */
export const COVERAGE_SUBJECTS = [
  'discovery',
  'capability_use',
  'routing',
  'task_load',
  'uri_dereference',
  'artifact_render',
  'client_wire',
  'server_wire',
] as const;
export type CoverageSubject = (typeof COVERAGE_SUBJECTS)[number];

export const TraceMetadata = z.strictObject({
  trace_id: Id.describe('id of the trace'),
  ...common,
  incident_id: Id.describe('the incident this capture belongs to; the receipt names the same'),
  profile_id: Id.describe('the profile the capture was made for; the receipt names the same'),
  capture_backend: Id.describe('the capture software; the receipt names the same'),
  versions: z
    .array(z.strictObject({ name: Label, version: Label }))
    .max(256)
    .meta({ title: 'list of {name, version}' })
    .describe('software that took part, as far as the capture knew it'),
  started_at: Timestamp.describe('start of the capture'),
  ended_at: Timestamp.describe('end of the capture: not before any observed_at'),
  ended: z.enum(['complete', 'recovered', 'incomplete']).describe('how the capture ended'),
  gaps: z
    .array(z.strictObject({ at: Timestamp, what: Text }))
    .meta({ title: 'list of {at, what}' })
    .describe('what the recorder knows that it missed; not empty only when ended is not complete'),
  coverage: z
    .strictObject(
      Object.fromEntries(COVERAGE_SUBJECTS.map((name) => [name, z.boolean()])) as Record<CoverageSubject, z.ZodBoolean>,
    )
    .meta({ title: 'object of booleans' })
    .describe(`what was watched for: ${COVERAGE_SUBJECTS.join(', ')}`),
  coverage_notes: z
    .array(Text)
    .max(256)
    .meta({ title: 'list of strings' })
    .describe('what the taps could not see, in words'),
  redactions: z
    .array(z.strictObject({ what: Label, count: Count }))
    .max(256)
    .meta({ title: 'list of {what, count}' })
    .describe('kinds of secrets replaced before anything was written, and how often'),
});
