import * as z from 'zod';
import { COLLECTIONS, type Collection } from './collections.ts';
import { Id } from './fields.ts';
import { ArtifactEvidence, ArtifactRenderEvidence, SanitizerEvidence } from './records/artifacts.ts';
import { AgentCardSnapshot, DiscoveryEventEvidence, SelectedEndpoint } from './records/discovery.ts';
import { CapabilityInvocationEvidence, RuntimeExchange } from './records/exchange.ts';
import { RoutingEventEvidence } from './records/routing.ts';
import { TaskLoadSnapshot, TaskStateTransition } from './records/tasks.ts';
import { TraceMetadata } from './records/trace.ts';
import { DereferenceResponseEvidence, UriDereferenceEvidence, UriReferenceEvidence } from './records/uri.ts';
import { RELATIONS, type Relation } from './relations.ts';

export const BUNDLE_FORMAT = 'a2aft.bundle.v3';
export const PROFILE_VERSION = '3';

/** One schema per collection; a missing one does not compile. */
export const RECORD_SCHEMAS = {
  trace_metadata: TraceMetadata,
  candidate_cards: AgentCardSnapshot,
  trusted_cards: AgentCardSnapshot,
  selected_cards: AgentCardSnapshot,
  endpoints: SelectedEndpoint,
  discovery_events: DiscoveryEventEvidence,
  exchanges: RuntimeExchange,
  capability_invocations: CapabilityInvocationEvidence,
  routing_events: RoutingEventEvidence,
  task_transitions: TaskStateTransition,
  task_load_snapshots: TaskLoadSnapshot,
  uri_references: UriReferenceEvidence,
  uri_dereferences: UriDereferenceEvidence,
  dereference_responses: DereferenceResponseEvidence,
  artifacts: ArtifactEvidence,
  artifact_renders: ArtifactRenderEvidence,
  sanitizers: SanitizerEvidence,
} as const satisfies Record<Collection, z.ZodType>;

export type RecordOf<C extends Collection> = Readonly<z.infer<(typeof RECORD_SCHEMAS)[C]>>;
export type AnyRecord = RecordOf<Collection>;
/** The 17 collections of a bundle whose records fit their schemas. */
export type Records = { readonly [C in Collection]: readonly RecordOf<C>[] };

/** An edge as stored: the payload e of FORMAT.md section 4, and its label. */
export const Edge = z.strictObject({
  source_type: z.string(),
  source_id: Id,
  destination_type: z.string(),
  destination_id: Id,
  relation: z.enum(Object.keys(RELATIONS) as [Relation, ...Relation[]]),
  metadata: z.record(z.string(), z.union([z.string(), z.int()])),
  edge_id: z.string().regex(/^[0-9a-f]{24}(?!\n)$/),
});
export type Edge = Readonly<z.infer<typeof Edge>>;
export type EdgePayload = Omit<Edge, 'edge_id'>;

/** A bundle whose members, records and edges fit their schemas. */
export type Bundle = Records & {
  readonly format: typeof BUNDLE_FORMAT;
  readonly profile_version: typeof PROFILE_VERSION;
  readonly edges: readonly Edge[];
};

/** The members of a bundle, exactly. */
export const BUNDLE_MEMBERS = ['format', 'profile_version', ...COLLECTIONS, 'edges'] as const;
