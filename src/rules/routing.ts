import type { Relation } from '../evidence/relations.ts';
import type { Graph } from '../relate/graph.ts';
import type { Element } from '../relate/nodes.ts';
import { anchorMissing, factMissing, named } from './anchors.ts';
import { quoted, quotedList } from './detectors/uri/quoted.ts';
import type { Profile } from './profile.ts';
import type { Rule, RuleOutcome, Statement } from './rule.ts';
import { type Excess, firstExcess, isRetry, leastExceeding, type StallStep, type StallSteps } from './stall.ts';

/** The steps of a segment, first to last. */
const segmentOf = (last: StallStep, steps: StallSteps): readonly StallStep[] => {
  const segment: StallStep[] = [];
  for (let step: StallStep | undefined = last; step !== undefined; ) {
    segment.push(step);
    step = step.previous && steps.get(step.previous.node.id);
  }
  return segment.reverse();
};

const told = (
  { step, steps, closures, limit }: Excess,
  segment: readonly StallStep[],
  limits: Profile['co'],
): string => {
  const agents = [segment[0]!.node.record.source_agent, ...segment.map(({ node }) => node.record.destination_agent)];
  const uncounted = segment.length - steps;
  const counted = `${steps} steps without progress from ${named(segment[0]!.node)} on${uncounted === 0 ? '' : `, ${uncounted} retries not counted`}`;
  const excess =
    limit === 'max_cycle_repeats'
      ? `makes it ${closures} returns to agent ${quoted(step.node.record.destination_agent)} (limit ${limits.max_cycle_repeats})`
      : `is one more than the limit of ${limits.max_hops} steps`;
  return `${named(step.node)} ${excess}: ${counted}, over the agents ${quotedList(agents)}.`;
};

const finding = (excess: Excess, steps: StallSteps, limits: Profile['co']): Statement => {
  const segment = segmentOf(excess.step, steps);
  const path: Element[] = [];
  const support: Element[] = [];
  for (const [i, { node, exchange, previous }] of segment.entries()) {
    (i === 0 ? path : support).push(exchange.node, exchange.edge);
    if (previous !== undefined && i === 0) support.push(previous.node, previous.edge);
    if (previous !== undefined && i > 0) path.push(previous.edge);
    path.push(node);
  }
  return {
    reason: excess.limit === 'max_hops' ? 'CO_TOO_MANY_HOPS_WITHOUT_PROGRESS' : 'CO_CYCLE_WITHOUT_PROGRESS',
    affected: excess.step.node,
    path,
    support,
    required: leastExceeding(segment, excess, limits).flatMap(({ node, exchange, previous }) => [
      exchange.node,
      exchange.edge,
      node,
      ...(previous === undefined ? [] : [previous.node, previous.edge]),
    ]),
    explanation: told(excess, segment, limits),
  };
};

/** Why a step's part in a segment is not known although it is anchored, or nothing. */
const unknownOf = (step: StallStep, isStalled: boolean): Statement | undefined => {
  const { node, exchange, previous } = step;
  const basis = {
    path: [exchange.node, exchange.edge, node],
    support: previous === undefined ? [] : [previous.node, previous.edge],
  };
  if (node.record.progress === null) {
    return factMissing(node, ['progress'], `It was not seen whether the task moved on after ${named(node)}.`, basis);
  }
  if (!isStalled || previous === undefined || isRetry(step) !== null) return undefined;
  const explanation = `${named(node)} repeats ${named(previous.node)}, of which it was not seen whether it failed: it may be a retry, and was not counted.`;
  return factMissing(node, ['outcome'], explanation, basis);
};

/**
 * A step whose anchors or progress were not seen ends the segment that is known. What follows it is still INDICATED when that alone
 * exceeds a limit, since a longer segment would only hold more; otherwise the statement on that step leaves the family INCONCLUSIVE.
 */
const judge = (graph: Graph, { co }: Profile): RuleOutcome => {
  const triggers = graph.nodes('routing_events');
  const statements: Statement[] = [];
  const steps = new Map<string, StallStep>();
  for (const node of triggers) {
    const exchange = graph.sources(node, 'EXCHANGE_ROUTED_STEP').at(0);
    const previous = graph.sources(node, 'ROUTING_STEP_FOLLOWS').at(0);
    const missing: Relation[] = [];
    if (previous === undefined && node.record.predecessor !== 'root') missing.push('ROUTING_STEP_FOLLOWS');
    if (exchange === undefined) missing.push('EXCHANGE_ROUTED_STEP');
    if (exchange === undefined || missing.length > 0) {
      statements.push(anchorMissing(node, missing));
      continue;
    }
    const step = { node, exchange, previous };
    const isStalled = node.record.progress === false;
    if (isStalled) steps.set(node.id, step);
    const unknown = unknownOf(step, isStalled);
    if (unknown !== undefined) statements.push(unknown);
  }
  for (const step of steps.values()) {
    if (step.previous !== undefined && steps.has(step.previous.node.id)) continue;
    const excess = firstExcess(step, steps, graph, co);
    if (excess !== undefined) statements.push(finding(excess, steps, co));
  }
  return { triggers: triggers.length, statements };
};

/** Cycle overflow (RULES, CO): sends that return to an agent, or go on, without progress beyond the limits of the profile. */
export const routing: Rule = { watches: 'routing', judge };
