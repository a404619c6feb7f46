import type { Graph } from '../relate/graph.ts';
import type { Node } from '../relate/nodes.ts';
import type { Statement } from './rule.ts';

type Transition = Node<'task_transitions'>;

const isUnfinished = ({ record }: Transition): boolean => record.state === 'submitted' || record.state === 'working';

/** The transitions that no later one follows, by agent and task: one for each observer of the task. */
const lastTransitions = (graph: Graph): ReadonlyMap<string, ReadonlyMap<string, readonly Transition[]>> => {
  const agents = new Map<string, Map<string, Transition[]>>();
  for (const node of graph.nodes('task_transitions')) {
    const { agent, task_id } = node.record;
    if (agent === null || task_id === null || graph.targets(node, 'TRANSITION_FOLLOWS').length > 0) continue;
    const tasks = agents.get(agent) ?? new Map<string, Transition[]>();
    agents.set(agent, tasks);
    const ends = tasks.get(task_id);
    if (ends === undefined) tasks.set(task_id, [node]);
    else ends.push(node);
  }
  return agents;
};

/**
 * Tasks that stay submitted or working (RULES.md HOTF): one observation for each agent that has as many of them as the
 * threshold, about the transition with which their number reached it. Transitions that no exchange is known to have caused do not count.
 */
export const unfinishedTasks = (graph: Graph, threshold: number): readonly Statement[] => {
  const statements: Statement[] = [];
  for (const [agent, tasks] of lastTransitions(graph)) {
    const counted = [...tasks.values()].flatMap((ends) => {
      const last = ends.at(-1)!;
      const [cause] = graph.sources(last, 'EXCHANGE_CAUSED_TRANSITION');
      return cause !== undefined && ends.every(isUnfinished) ? [{ last, cause }] : [];
    });
    const reaching = counted.toSorted((a, b) => a.last.record.sequence - b.last.record.sequence).slice(0, threshold);
    const affected = reaching.at(-1);
    if (affected === undefined || reaching.length < threshold) continue;
    const grounds = reaching.flatMap(({ last, cause }) => [cause.node, cause.edge, last]);
    statements.push({
      reason: 'HOTF_TASKS_UNFINISHED',
      affected: affected.last,
      path: [affected.cause.node, affected.cause.edge, affected.last],
      support: grounds,
      required: grounds,
      explanation: `Agent ${agent}: ${counted.length} tasks have submitted or working as their last recorded state, the threshold is ${threshold}.`,
    });
  }
  return statements;
};
