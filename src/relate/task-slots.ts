import type { RecordOf, Records } from '../evidence/bundle.ts';

type Transition = RecordOf<'task_transitions'>;
type Snapshot = RecordOf<'task_load_snapshots'>;

const byRank = (a: Transition, b: Transition): number =>
  a.sequence - b.sequence || (a.transition_id < b.transition_id ? -1 : 1);

const isHalfOpen = (transition: Transition): boolean =>
  transition.state === 'input-required' || transition.state === 'auth-required';

const key = (agent: string, task: string): string => JSON.stringify([agent, task]);

/** Tasks that their server's own records show: these are judged from the server's view alone (RULES.md HOTF). */
const seenByServer = (transitions: readonly Transition[]): ReadonlySet<string> =>
  new Set(
    transitions.flatMap(({ observer, agent, task_id }) =>
      observer === 'sdk-server' && agent !== null && task_id !== null ? [key(agent, task_id)] : [],
    ),
  );

/**
 * For each snapshot the tasks of its agent that are half-open then, each by the transition that entered the
 * interrupted state, in slot order. One sweep along the sequence.
 */
export function* slots(records: Records): Iterable<readonly [Snapshot, readonly string[]]> {
  if (records.task_load_snapshots.length === 0) return;
  const server = seenByServer(records.task_transitions);
  const halfOpen = new Map<string, Map<string, Transition>>();
  const transitions = [...records.task_transitions].sort(byRank);
  let next = 0;
  for (const snapshot of [...records.task_load_snapshots].sort((a, b) => a.sequence - b.sequence)) {
    for (let entry = transitions[next]; entry && entry.sequence < snapshot.sequence; entry = transitions[++next]) {
      const { agent, task_id, observer } = entry;
      if (agent === null || task_id === null) continue;
      if (server.has(key(agent, task_id)) !== (observer === 'sdk-server')) continue;
      const tasks = halfOpen.get(agent) ?? new Map<string, Transition>();
      halfOpen.set(agent, tasks);
      tasks.delete(task_id);
      if (isHalfOpen(entry)) tasks.set(task_id, entry);
    }
    const open = snapshot.agent === null ? undefined : halfOpen.get(snapshot.agent);
    yield [snapshot, open === undefined ? [] : [...open.values()].sort(byRank).map((entry) => entry.transition_id)];
  }
}
