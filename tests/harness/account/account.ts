import { installed } from '../../../harness/lab/versions.ts';
import { VERSION } from '../../../src/base/version.ts';
import type { AnyRecord, Bundle } from '../../../src/evidence/bundle.ts';
import { COLLECTIONS, type Collection } from '../../../src/evidence/collections.ts';
import { COVERAGE_SUBJECTS } from '../../../src/evidence/records/trace.ts';
import { artifactRenders, artifacts, sanitizers } from './artifacts.ts';
import { candidateCards, discoveryEvents, endpoints, selectedCards, trustedCards } from './cards.ts';
import { type Case, hold } from './compare.ts';
import { capabilityInvocations, exchanges, routingEvents } from './exchanges.ts';
import { taskLoadSnapshots, taskTransitions } from './tasks.ts';
import { dereferenceResponses, uriDereferences, uriReferences } from './uris.ts';

/** What a family's run reports by observers: nothing else counts as watched. */
const WATCHED: Readonly<Record<string, readonly string[]>> = {
  AS: [],
  CC: ['capability_use'],
  CO: ['routing'],
  HOTF: ['task_load'],
  ASRF: ['uri_dereference'],
  ATSI: ['artifact_render'],
};

/** The taps that a lab wires, in that order: each says in words what it cannot see. */
const NOTED = ['server wire', 'event bus', 'client wire', 'agent cards'] as const;
const NOTED_BY_FAMILY: Readonly<Record<string, readonly string[]>> = { ASRF: ['URI fetches'] };

const traceMetadata = ({ bundle, run }: Case): string[] => {
  const { family } = run.play.scenario;
  const watched = ['discovery', 'client_wire', 'server_wire', ...WATCHED[family]!];
  return hold('trace_metadata', bundle.trace_metadata, [
    {
      incident_id: run.evidence.incident,
      profile_id: 'experiment',
      capture_backend: `forensictrace-${VERSION}`,
      versions: [
        { name: 'forensictrace', version: VERSION },
        { name: 'node', version: process.versions.node },
        installed('@a2a-js/sdk'),
      ],
      ended: 'complete',
      gaps: [],
      redactions: [],
      coverage: Object.fromEntries(COVERAGE_SUBJECTS.map((subject) => [subject, watched.includes(subject)])),
      coverage_notes: [...NOTED, ...(NOTED_BY_FAMILY[family] ?? [])].map(
        (tap) => bundle.trace_metadata[0]?.coverage_notes.find((note) => note.startsWith(`${tap}: `)) ?? tap,
      ),
      observer: 'harness',
    },
  ]);
};

/** One check for each collection: one that is missing does not compile. */
export const CHECKS = {
  trace_metadata: traceMetadata,
  candidate_cards: candidateCards,
  trusted_cards: trustedCards,
  selected_cards: selectedCards,
  endpoints,
  discovery_events: discoveryEvents,
  exchanges,
  capability_invocations: capabilityInvocations,
  routing_events: routingEvents,
  task_transitions: taskTransitions,
  task_load_snapshots: taskLoadSnapshots,
  uri_references: uriReferences,
  uri_dereferences: uriDereferences,
  dereference_responses: dereferenceResponses,
  artifacts,
  artifact_renders: artifactRenders,
  sanitizers,
} satisfies Record<Collection, (given: Case) => string[]>;

/** Holds every record of a bundle to the logs of services, renderer and agents, and to the task stores; returns what differs. */
export const differences = (given: Case): string[] => COLLECTIONS.flatMap((collection) => CHECKS[collection](given));

/** Members that no other witness knows: they must be within the run, in one order, and by chance unlike. */
export const misplaced = (bundle: Bundle, from: string, to: string): string[] => {
  const records = COLLECTIONS.flatMap((collection): readonly AnyRecord[] => bundle[collection]);
  const inOrder = [...records].sort((a, b) => a.sequence - b.sequence);
  const last = inOrder.at(-1)!.observed_at;
  return [
    ...inOrder.flatMap(({ sequence, observed_at }, place) => {
      const before = inOrder[place - 1];
      const follows = before === undefined || (before.sequence < sequence && before.observed_at <= observed_at);
      return follows && from <= observed_at && observed_at <= to ? [] : [`sequence ${sequence} at ${observed_at}`];
    }),
    ...bundle.trace_metadata.flatMap(({ started_at, ended_at }) =>
      from <= started_at && started_at <= inOrder[0]!.observed_at && last <= ended_at && ended_at <= to
        ? []
        : ['bounds'],
    ),
    ...(new Set(records.map(({ salt }) => salt)).size === records.length ? [] : ['salts that are alike']),
  ];
};
