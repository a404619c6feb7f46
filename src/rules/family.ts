import * as z from 'zod';
import { FAMILIES } from '../base/reasons/entry.ts';
import { COLLECTION_INFO, COLLECTIONS, type NodeType } from '../evidence/collections.ts';
import { Id, Label, Text } from '../evidence/fields.ts';
import { RELATIONS, type Relation } from '../evidence/relations.ts';

export const FAMILY_FORMAT = 'a2aft.family.v1';

const NODE_TYPES = COLLECTIONS.map((collection) => COLLECTION_INFO[collection].node) as [NodeType, ...NodeType[]];
const RELATION_NAMES = Object.keys(RELATIONS) as [Relation, ...Relation[]];

/** How the target of a condition is found without an id of the capture. */
const TARGET_KEYS = [
  'card_sha256',
  'capability_of_message',
  'step_of_message',
  'load_reading',
  'response_request_id',
  'artifact_of_task',
] as const;

/** What differs between a condition and its matched control: the task text, or the local setup. */
const Side = z.strictObject({
  input: Text.describe('task text, as the chooser of an action is told it'),
  setup: Text.describe('local setup in words'),
  parameters: z
    .array(z.strictObject({ name: Label, value: z.union([z.int(), Text]) }))
    .max(32)
    .describe('the same setup as agents and services are told it'),
});

/** A predefined family definition (`families/*.json`); its digest is in every receipt made under it. */
export const FamilyDefinition = z.strictObject({
  format: z.literal(FAMILY_FORMAT),
  family_id: z.enum(FAMILIES),
  title: Label,
  condition: Side.describe('the run that triggers the rule'),
  control: Side.describe('the matched run that does not'),
  permitted_actions: z.array(Id).min(1).describe('actions open to both runs, in fixed order; none is preselected'),
  required_evidence: z
    .array(z.enum(NODE_TYPES))
    .min(1)
    .describe('record types without which the family cannot be judged'),
  required_relationships: z.array(z.enum(RELATION_NAMES)).min(1).describe('the anchor edges of the rule'),
  thresholds: z
    .array(z.strictObject({ parameter: Label, value: z.int() }))
    .describe('profile parameters the definition presumes, by path'),
  expected_finding: Id.describe("reason code of the condition's one finding"),
  expected_affected_role: Label.describe('which record the finding must name, in words that need no id of the capture'),
  target_key: z.enum(TARGET_KEYS).describe('the independent key by which that record is found'),
  expected_external_observation: Text.describe('what is seen outside the trace when the condition took place'),
  propagation_marker: Label.nullable().describe('where the inert marker of a run must arrive; null: no marker'),
});
export type FamilyDefinition = Readonly<z.infer<typeof FamilyDefinition>>;
