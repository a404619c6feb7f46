import { FAMILIES, type ReportFamily } from '../base/reasons/entry.ts';
import type { Reason } from '../base/reasons.ts';
import { REASONS } from '../base/reasons.ts';
import type { Records } from '../evidence/bundle.ts';
import { ByNode, type Edges, type Ends } from '../relate/ends.ts';
import { graphOf } from '../relate/graph.ts';
import { type Element, type Node, nodesOf } from '../relate/nodes.ts';
import { observeExchanges } from '../rules/exchanges.ts';
import { minimalEvidence } from '../rules/minimal.ts';
import type { Profile } from '../rules/profile.ts';
import { RULES } from '../rules/registry.ts';
import type { Rule, Statement } from '../rules/rule.ts';

export type FamilyStatus = 'INDICATED' | 'CONSISTENT' | 'INCONCLUSIVE' | 'NOT_OBSERVED';
export type FamilyOutcome = { readonly family: ReportFamily; readonly status: FamilyStatus; readonly triggers: number };
/** A statement with the family it belongs to (null: of the exchange itself) and its minimal evidence. */
export type Judged = Statement & { readonly family: ReportFamily | null; readonly minimal: readonly Element[] };
export type FamilyRule = { readonly family: ReportFamily; readonly rule: Rule };
export type VerdictReason = { readonly reason: Reason; readonly detail: string };

export type Judgement = {
  readonly verdict: 'FORENSICALLY_INDICATED' | 'INCONCLUSIVE' | 'FORENSICALLY_CONSISTENT';
  readonly verdictReasons: readonly VerdictReason[];
  readonly families: readonly FamilyOutcome[];
  readonly statements: readonly Judged[];
  readonly unlinked: readonly Node[];
};

const OF_PROFILE: readonly FamilyRule[] = FAMILIES.map((family) => ({ family, rule: RULES[family] }));

const levelOf = (statement: Statement) => REASONS[statement.reason].level;

const statusOf = (statements: readonly Statement[], triggers: number, watched: boolean): FamilyStatus => {
  const levels = new Set(statements.map(levelOf));
  if (levels.has('finding')) return 'INDICATED';
  if (levels.has('inconclusive')) return 'INCONCLUSIVE';
  return triggers > 0 || watched ? 'CONSISTENT' : 'NOT_OBSERVED';
};

/**
 * Runs the six rules, and `more` that are not of the profile, over records that passed integrity and admissibility (RULES.md "Status, verdict,
 * exit code"). `edges` is empty in records-only mode: the rules are the same, their graph has no edges; `ends` where it
 * is known which nodes they join.
 */
export const judge = (
  records: Records,
  edges: Edges,
  profile: Profile,
  more: readonly FamilyRule[] = [],
  ends?: Ends,
): Judgement => {
  const nodes = nodesOf(records);
  const graph = graphOf(nodes, edges, ends);
  const coverage = records.trace_metadata[0]?.coverage;
  const families: FamilyOutcome[] = [];
  const statements: Judged[] = [];
  for (const { family, rule } of [...OF_PROFILE, ...more]) {
    const applies = rule.applies?.(profile) ?? true;
    const outcome = applies ? rule.judge(graph, profile) : { triggers: 0, statements: [] };
    const watched = applies && coverage?.[rule.watches] === true;
    families.push({
      family,
      status: statusOf(outcome.statements, outcome.triggers, watched),
      triggers: outcome.triggers,
    });
    for (const statement of outcome.statements) {
      statements.push({ ...statement, family, minimal: minimalEvidence(rule.judge, statement, profile) });
    }
  }
  const observe: Rule['judge'] = (part) => ({ triggers: 0, statements: observeExchanges(part, profile) });
  for (const statement of observeExchanges(graph, profile)) {
    statements.push({ ...statement, family: null, minimal: minimalEvidence(observe, statement, profile) });
  }
  const verdictReasons = wholeTraceReasons(records, families, profile);
  return {
    verdict: verdictOf(families, verdictReasons),
    verdictReasons,
    families,
    statements,
    unlinked: unlinked(nodes, edges, ends),
  };
};

const verdictOf = (families: readonly FamilyOutcome[], reasons: readonly VerdictReason[]): Judgement['verdict'] => {
  const has = (status: FamilyStatus): boolean => families.some((outcome) => outcome.status === status);
  if (has('INDICATED')) return 'FORENSICALLY_INDICATED';
  return has('INCONCLUSIVE') || reasons.length > 0 ? 'INCONCLUSIVE' : 'FORENSICALLY_CONSISTENT';
};

/** The first gaps in the words of the capture; the record holds them all. */
const gapsTold = (gaps: readonly { readonly what: string }[]): string =>
  `gaps: ${gaps.length}${gaps
    .slice(0, 5)
    .map(({ what }) => `; ${what}`)
    .join('')}`;

/** What keeps a trace from being called consistent although no single record does: zero evidence is never a pass. */
const wholeTraceReasons = (
  records: Records,
  families: readonly FamilyOutcome[],
  profile: Profile,
): readonly VerdictReason[] => {
  const reasons: VerdictReason[] = [];
  const isRequired = (family: ReportFamily): boolean => profile.required_families.some((one) => one === family);
  const metadata = records.trace_metadata[0];
  if (metadata?.ended !== 'complete') {
    reasons.push({
      reason: 'CAPTURE_NOT_COMPLETE',
      detail: `ended: ${metadata?.ended}; ${gapsTold(metadata?.gaps ?? [])}`,
    });
  }
  if (records.exchanges.length === 0) reasons.push({ reason: 'NO_EXCHANGE', detail: 'exchanges: 0' });
  if (families.every((outcome) => outcome.triggers === 0)) {
    reasons.push({ reason: 'NO_FAMILY_TRIGGERED', detail: 'records that a rule judges: 0' });
  }
  for (const { family, status } of families) {
    if (status === 'NOT_OBSERVED' && isRequired(family)) {
      reasons.push({ reason: 'REQUIRED_FAMILY_NOT_OBSERVED', detail: `family: ${family}` });
    }
  }
  return reasons;
};

/** Records that no edge touches: admissible, and listed. TraceMetadata stands for the whole trace and is never linked. */
const unlinked = (nodes: readonly Node[], edges: Edges, ends?: Ends): readonly Node[] => {
  const isLinked = ends === undefined ? linkedIn(edges) : linkedBy(ends, nodes.length);
  return nodes.filter((node, at) => node.collection !== 'trace_metadata' && !isLinked(node, at));
};

const linkedIn = (edges: Edges) => {
  const linked = new ByNode<true>();
  for (let at = 0; at < edges.length; at++) {
    const { source_type, source_id, destination_type, destination_id } = edges.at(at)!;
    linked.set(source_type, source_id, true);
    linked.set(destination_type, destination_id, true);
  }
  return ({ type, id }: Node): boolean => linked.get(type, id) === true;
};

const linkedBy = ({ sources, destinations }: Ends, count: number) => {
  const linked = new Uint8Array(count);
  for (const at of sources) linked[at] = 1;
  for (const at of destinations) linked[at] = 1;
  return (_: Node, at: number): boolean => linked[at] === 1;
};
