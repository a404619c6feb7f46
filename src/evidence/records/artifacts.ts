import * as z from 'zod';
import { Body, Count, common, ForeignId, Hex64, Id, Label, Text, WireIssues } from '../fields.ts';
import { wireSource } from './tasks.ts';

export const PART_KINDS = ['text', 'raw', 'url', 'data'] as const;
const PAYLOADS = ['artifact_update', 'task_artifact', 'message'] as const;

/** One part of one artifact chunk, artifact, or message. */
export const ArtifactEvidence = z.strictObject({
  artifact_record_id: Id.describe("id of this record; A2A's own artifact id may recur over chunks"),
  ...common,
  ...wireSource,
  agent: Label.nullable().describe('the agent that produced it'),
  payload: z
    .enum(PAYLOADS)
    .describe(
      'where the part stands: artifact of an artifact update, artifacts of a task, or a message (the payload, or status.message of a task or status update)',
    ),
  artifact_index: Count.nullable().describe("place in the task's artifact list; null otherwise"),
  part_index: Count.nullable().describe('place in the part list; null when that list is empty'),
  task_id: Text.nullable().describe('from the wire: id of the task, taskId of another payload'),
  context_id: Text.nullable().describe('from the wire: contextId of the payload'),
  artifact_id: Text.nullable().describe('from the wire: artifactId of the artifact'),
  name: Text.nullable().describe('from the wire: name of the artifact'),
  part_kind: z
    .enum(PART_KINDS)
    .nullable()
    .describe(
      'from the wire: the one member of the part that is set: text; raw, file.bytes or file.fileWithBytes; url, file.uri or file.fileWithUri; data',
    ),
  media_type: Text.nullable().describe(
    'from the wire: mediaType, else mimeType, else file.mimeType, else file.mediaType of the part',
  ),
  filename: Text.nullable().describe('from the wire: filename, else file.name of the part'),
  part_url: Text.nullable().describe('from the wire: url, file.uri or file.fileWithUri of a part of kind url'),
  append: z
    .boolean()
    .nullable()
    .describe('from the wire: append of an update; absent is false; null when it is no update'),
  last_chunk: z
    .boolean()
    .nullable()
    .describe('from the wire: lastChunk of an update; absent is false; null when it is no update'),
  appends_to: ForeignId.describe('the artifact record whose content this one continues'),
  content: Body.nullable().describe(
    "the part's bytes, whole: text as UTF-8, raw decoded (RFC 4648 section 4 or 5, padding optional), data as its JSON text exactly as written; null for url, an empty list, or an issue",
  ),
  wire_issue: WireIssues,
});

export const ArtifactRenderEvidence = z.strictObject({
  render_id: Id.describe('id of the render'),
  ...common,
  artifact_record_id: ForeignId.describe('the artifact record that was handed over (of chunks, the last one)'),
  renderer: Label.describe('who rendered'),
  interpreted_as: Text.nullable().describe(
    'media type with parameters under which the bytes were interpreted; null when not known',
  ),
  mode: z.enum(['interpreted', 'source']).describe('source: shown as text'),
  input_sha256: Hex64.describe('of the bytes the renderer received'),
  sanitizer_id: ForeignId.describe('the sanitizer run whose output it received; null when none'),
});

export const SanitizerEvidence = z.strictObject({
  sanitizer_id: Id.describe('id of the sanitizer run'),
  ...common,
  artifact_record_id: ForeignId.describe('the artifact record it worked on'),
  name: Label.describe('sanitizer'),
  version: Label.nullable(),
  applied: z.boolean().describe('false: it was there and was bypassed'),
  input_sha256: Hex64.nullable().describe('of the bytes it received'),
  output: Body.nullable().describe('what it gave back; null when not applied'),
});
