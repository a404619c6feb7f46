import { expect } from 'vitest';
import { REASONS } from '../../src/base/reasons.ts';
import type { Edge, RecordOf, Records } from '../../src/evidence/bundle.ts';
import { COLLECTIONS, type Collection } from '../../src/evidence/collections.ts';
import type { Relation } from '../../src/evidence/relations.ts';
import { deriveEdges } from '../../src/relate/derive.ts';
import { type Graph, graphOf } from '../../src/relate/graph.ts';
import { type Element, isEdge, type Node, nodesOf } from '../../src/relate/nodes.ts';
import { minimalEvidence } from '../../src/rules/minimal.ts';
import type { Profile } from '../../src/rules/profile.ts';
import type { Rule, RuleOutcome, Statement } from '../../src/rules/rule.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { COMMON, DEFAULTS } from './defaults.ts';

export { body, sha256 } from './defaults.ts';

/** Records of one trace, in the order in which a test adds them. */
export class Trace {
  private readonly added = Object.fromEntries(COLLECTIONS.map((collection) => [collection, []])) as unknown as {
    [C in Collection]: RecordOf<C>[];
  };
  private sequence = 0;

  /** Adds a record under an id, with the given fields, and the next sequence unless one is given. */
  add<C extends Collection>(collection: C, id: string, fields: Partial<RecordOf<C>> = {}): this {
    const record = { ...DEFAULTS[collection](id), ...COMMON, sequence: this.sequence++, ...fields };
    (this.added[collection] as unknown[]).push(record);
    return this;
  }

  records(): Records {
    return this.added;
  }

  edges(): readonly Edge[] {
    return deriveEdges(this.records(), nativeCrypto);
  }

  /** The graph of all records and of the derived edges that are kept. */
  graph(keep: (edge: Edge) => boolean = () => true): Graph {
    return graphOf(nodesOf(this.records()), this.edges().filter(keep));
  }
}

/** A profile that pins, permits and limits next to nothing; a test says what it needs of one family's part. */
export const profile = (parts: { readonly [P in keyof Profile]?: Partial<Profile[P]> } = {}): Profile => {
  const base: Profile = {
    format: 'a2aft.profile.v1',
    profile_id: 'test',
    description: '',
    required_families: [],
    time_tolerance_ms: 0,
    as: { pinned_cards: [], similarity_threshold_bp: 7500, unknown_card: 'observe', changed_card: 'observe' },
    cc: { aliases: [], permissions: [] },
    co: { max_cycle_repeats: 2, max_hops: 16 },
    hotf: { awaiting_input_threshold: 3, max_queue_depth: null, max_latency_us: null, max_timeouts: null },
    asrf: {
      schemes: ['https', 'http'],
      ports: null,
      hosts: null,
      origins: [],
      allowed_cidrs: [],
      denied_cidrs: [],
      allowed_classes: ['public'],
      require_connected_address: false,
      test_redirects: [],
    },
    atsi: { sandboxed_renderers: [], inert_marker: null },
  };
  const { as, cc, co, hotf, asrf, atsi } = parts;
  return {
    ...base,
    as: { ...base.as, ...as },
    cc: { ...base.cc, ...cc },
    co: { ...base.co, ...co },
    hotf: { ...base.hotf, ...hotf },
    asrf: { ...base.asrf, ...asrf },
    atsi: { ...base.atsi, ...atsi },
  };
};

export const level = ({ reason }: Statement): string => REASONS[reason].level;

/** Statements as `REASON id`, in the rule's order. */
export const told = (statements: readonly Statement[]): readonly string[] =>
  statements.map(({ reason, affected }) => `${reason} ${affected.id}`);

export const findings = ({ statements }: RuleOutcome): readonly Statement[] =>
  statements.filter((statement) => level(statement) === 'finding');

/** An element as `type id` or `RELATION`, as a test writes it down. */
export const shown = (elements: readonly Element[] = []): readonly string[] =>
  elements.map((element) => (isEdge(element) ? element.relation : `${element.type} ${element.id}`));

const graphOfElements = (elements: readonly Element[]): Graph =>
  graphOf(
    elements.filter((element): element is Node => !isEdge(element)),
    elements.filter(isEdge),
  );

/** Path and support reproduce the statement; its minimal evidence does so alone, and never without any one of its elements. */
export const expectMinimal = (judge: Rule['judge'], statement: Statement, by: Profile): readonly Element[] => {
  const told = (elements: readonly Element[]) =>
    judge(graphOfElements(elements), by).statements.filter(
      ({ reason, affected }) =>
        reason === statement.reason &&
        affected.type === statement.affected.type &&
        affected.id === statement.affected.id,
    ).length;
  expect(told([...new Set([...statement.path, ...(statement.support ?? [])])])).toBe(1);
  const minimal = minimalEvidence(judge, statement, by);
  expect(told(minimal)).toBe(1);
  for (const element of minimal)
    expect([shown([element]), told(minimal.filter((e) => e !== element))]).toEqual([shown([element]), 0]);
  return minimal;
};

/** A path alternates between records and the edges that join them, and ends at the affected record. */
export const expectPath = ({ path, affected }: Statement): void => {
  expect(path.at(-1)).toMatchObject({ type: affected.type, id: affected.id });
  for (let i = 1; i < path.length; i += 2) {
    const [from, edge, to] = [path[i - 1]!, path[i]!, path[i + 1]!];
    if (isEdge(from) || !isEdge(edge) || isEdge(to)) throw new Error(`no record, edge, record at ${i}`);
    const ends = [`${edge.source_type} ${edge.source_id}`, `${edge.destination_type} ${edge.destination_id}`];
    expect(ends.toSorted()).toEqual([`${from.type} ${from.id}`, `${to.type} ${to.id}`].toSorted());
  }
};

/** Without any one edge of each anchor relation the rule finds nothing, and names that relation as missing. */
export const expectAnchored = (judge: Rule['judge'], trace: Trace, by: Profile, anchors: readonly Relation[]): void => {
  for (const relation of anchors) {
    const edges = trace.edges().filter((edge) => edge.relation === relation);
    expect(edges.length, relation).toBeGreaterThan(0);
    for (const { edge_id } of edges) {
      const outcome = judge(
        trace.graph((edge) => edge.edge_id !== edge_id),
        by,
      );
      expect(told(findings(outcome))).toEqual([]);
      const missing = outcome.statements.filter(({ reason }) => reason === 'ANCHOR_MISSING');
      expect(
        missing.flatMap((statement) => statement.missing ?? []),
        relation,
      ).toContain(relation);
    }
  }
};

/** On records without edges every trigger is INCONCLUSIVE for want of an anchor, and nothing else is said. */
export const expectNothingWithoutEdges = (judge: Rule['judge'], trace: Trace, by: Profile): void => {
  const { triggers, statements } = judge(
    trace.graph(() => false),
    by,
  );
  expect(triggers).toBeGreaterThan(0);
  expect(statements.map(({ reason }) => reason)).toEqual(Array.from({ length: triggers }, () => 'ANCHOR_MISSING'));
};
