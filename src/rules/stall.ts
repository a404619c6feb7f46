import type { Graph } from '../relate/graph.ts';
import type { Link, LinkList, Node } from '../relate/nodes.ts';
import type { Profile } from './profile.ts';

/** A routing step with both its anchors, and no progress before its successor. */
export type StallStep = {
  readonly node: Node<'routing_events'>;
  readonly exchange: Link<'exchanges'>;
  /** The step it follows; absent for a root. */
  readonly previous: Link<'routing_events'> | undefined;
};
/** The stall steps of a graph, by their id. */
export type StallSteps = ReadonlyMap<string, StallStep>;

/** The first step of a tree of stall steps that exceeds a limit, and by how much. */
export type Excess = {
  readonly step: StallStep;
  readonly steps: number;
  /** How often the segment returned to the step's destination. */
  readonly closures: number;
  readonly limit: 'max_cycle_repeats' | 'max_hops';
};

const hasEndsOf = (a: Node<'routing_events'>, b: Node<'routing_events'>): boolean =>
  a.record.source_agent === b.record.source_agent && a.record.destination_agent === b.record.destination_agent;

/** Whether a step repeats its predecessor's send, which failed; null when it repeats a send whose outcome was not seen. */
export const isRetry = ({ node, previous }: StallStep): boolean | null => {
  if (previous === undefined || !hasEndsOf(node, previous.node)) return false;
  const { outcome } = previous.node.record;
  return outcome === null ? null : outcome === 'failed';
};

const add = (counts: Map<string, number>, agent: string, change: 1 | -1): number => {
  const count = (counts.get(agent) ?? 0) + change;
  if (count === 0) counts.delete(agent);
  else counts.set(agent, count);
  return count;
};

/** The segment from the root of a tree to the step now looked at: entering and leaving a step each take constant time. */
class Segment {
  private steps = 0;
  private readonly vertices = new Map<string, number>();
  private readonly closures = new Map<string, number>();
  private readonly limits: Profile['co'];

  constructor(first: StallStep, limits: Profile['co']) {
    add(this.vertices, first.node.record.source_agent, 1);
    this.limits = limits;
  }

  /** Returns whether the step closes, and the excess when it passes a limit. What may be a retry is not counted. */
  enter(step: StallStep): { readonly closes: boolean; readonly excess: Excess | undefined } {
    const agent = step.node.record.destination_agent;
    const isCounted = isRetry(step) === false;
    const closes = isCounted && this.vertices.has(agent);
    add(this.vertices, agent, 1);
    if (!isCounted) return { closes, excess: undefined };
    this.steps++;
    const closures = closes ? add(this.closures, agent, 1) : 0;
    const { max_cycle_repeats, max_hops } = this.limits;
    const limit = closures > max_cycle_repeats ? 'max_cycle_repeats' : this.steps > max_hops ? 'max_hops' : undefined;
    return { closes, excess: limit && { step, steps: this.steps, closures, limit } };
  }

  leave(step: StallStep, closed: boolean): void {
    const agent = step.node.record.destination_agent;
    add(this.vertices, agent, -1);
    if (isRetry(step) !== false) return;
    this.steps--;
    if (closed) add(this.closures, agent, -1);
  }
}

/** Takes consecutive steps of a stall segment; returns whether the last of them alone makes them pass the limit. */
const exceeds = (steps: readonly StallStep[], limit: Excess['limit'], limits: Profile['co']): boolean => {
  const segment = new Segment(steps[0]!, limits);
  let excess: Excess | undefined;
  for (const step of steps) ({ excess } = segment.enter(step));
  return excess?.limit === limit;
};

/** Takes a segment whose last step exceeds; returns the fewest last steps that still do: more steps never make fewer closures. */
export const leastExceeding = (
  segment: readonly StallStep[],
  { limit }: Excess,
  limits: Profile['co'],
): readonly StallStep[] => {
  let [enough, tooMany] = [0, segment.length];
  while (tooMany - enough > 1) {
    const middle = Math.floor((enough + tooMany) / 2);
    if (exceeds(segment.slice(middle), limit, limits)) enough = middle;
    else tooMany = middle;
  }
  return segment.slice(enough);
};

/**
 * Takes the first step of a stall segment; walks every stall path from it and returns the excess of the step with the smallest
 * sequence, if any passes a limit. Time and memory are linear in the steps of the tree; the depth is an attacker's to choose.
 */
export const firstExcess = (
  first: StallStep,
  steps: StallSteps,
  graph: Graph,
  limits: Profile['co'],
): Excess | undefined => {
  const segment = new Segment(first, limits);
  let found: Excess | undefined;
  const open: { step: StallStep; closed: boolean; next: number; followers: LinkList<'routing_events'> }[] = [];
  const enter = (step: StallStep): void => {
    const { closes, excess } = segment.enter(step);
    if (excess !== undefined && (found === undefined || step.node.record.sequence < found.step.node.record.sequence)) {
      found = excess;
    }
    // Beyond an excess every step exceeds, and none of them is the first.
    const followers = excess === undefined ? graph.targets(step.node, 'ROUTING_STEP_FOLLOWS') : [];
    open.push({ step, closed: closes, next: 0, followers });
  };
  enter(first);
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const follower = top.followers.at(top.next++);
    if (follower === undefined) {
      segment.leave(top.step, top.closed);
      open.pop();
      continue;
    }
    const step = steps.get(follower.node.id);
    if (step !== undefined) enter(step);
  }
  return found;
};
