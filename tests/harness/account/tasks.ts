import { taskStateToJSON } from '@a2a-js/sdk';
import type { SavedTask } from '../../../harness/lab/agent.ts';
import type { ServedRequest } from '../../../harness/lab/network.ts';
import type { RecordOf } from '../../../src/evidence/bundle.ts';
import { AGENTS, agentAt, at, type Case, callsOf, type Expected, hold, parsed, wholeBody } from './compare.ts';
import { exchangeIdOf } from './exchanges.ts';

type Transition = RecordOf<'task_transitions'>;
type Entered = Expected<'task_transitions'> & { readonly task_id: string };

const spelt = (state: string): string => state.replace('TASK_STATE_', '').toLowerCase().replaceAll('_', '-');
const taskOf = (call: ServedRequest): unknown => at(parsed(call.response), 'result', 'task');

/** The states that a task store says a task went through: saves that change it. */
const changesOf = (saved: readonly SavedTask[], task: string): string[] => {
  const states = saved.filter(({ taskId }) => taskId === task).map(({ state }) => spelt(taskStateToJSON(state)));
  return states.filter((state, place) => state !== states[place - 1]);
};

/** Adds to each transition the one before of the same task. */
const linked = (entered: readonly Entered[], records: readonly Transition[]): Entered[] =>
  entered.map((one, place) => {
    const before = entered.findLastIndex((other, index) => index < place && other.task_id === one.task_id);
    return { ...one, previous_transition_id: before < 0 ? null : records[before]?.transition_id };
  });

/** From the task stores: a task's states, split over the calls that its answers ended. */
const enteredAtServer = (given: Case): Entered[] => {
  const left = new Map<string, string[]>();
  return callsOf(given, 'sdk-server').flatMap((call) => {
    const task = taskOf(call);
    if (task === null) return [];
    const id = at(task, 'id') as string;
    const agent = agentAt(call.host) ?? '';
    const states = left.get(id) ?? changesOf(given.run.witness.saved.get(agent) ?? [], id);
    const until = states.indexOf(spelt(at(task, 'status', 'state') as string)) + 1;
    left.set(id, states.slice(until));
    return states.slice(0, until).map((state) => ({
      exchange_id: exchangeIdOf(given, 'sdk-server', call),
      agent,
      task_id: id,
      context_id: at(task, 'contextId'),
      state,
    }));
  });
};

/** From the answers that the servers sent: the state of the task in each. */
const enteredAtClient = (given: Case): Entered[] =>
  callsOf(given, 'sdk-client').flatMap((call) => {
    const task = taskOf(call);
    if (task === null) return [];
    return {
      exchange_id: exchangeIdOf(given, 'sdk-client', call),
      agent: agentAt(call.host),
      task_id: at(task, 'id') as string,
      context_id: at(task, 'contextId'),
      state: spelt(at(task, 'status', 'state') as string),
      raw: null,
    };
  });

/** An event of the bus has no other witness: its text must be whole, and say what the task store says. */
const rawOf = ({ raw, task_id, state }: Transition): string[] => {
  if (raw === null) return ['task_transitions: an event of the bus without its text'];
  const event = parsed(raw.text);
  const [task, update] = [at(event, 'task'), at(event, 'statusUpdate')];
  return hold(
    'task_transitions',
    [{ raw, task_id, state } as Transition],
    [
      {
        raw: wholeBody(raw.text),
        task_id: at(task, 'id') ?? at(update, 'taskId'),
        state: spelt(String(at(task ?? update, 'status', 'state'))),
      },
    ],
  );
};

const ofAll = { wire_event: null, wire_issue: null } as const;

export const taskTransitions = (given: Case): string[] => {
  const seenBy = (observer: string) => given.bundle.task_transitions.filter((one) => one.observer === observer);
  const [server, client] = [seenBy('sdk-server'), seenBy('sdk-client')];
  const [atServer, atClient] = [enteredAtServer(given), enteredAtClient(given)];
  return [
    ...hold(
      'task_transitions',
      server,
      linked(atServer, server).map((one) => ({ ...one, ...ofAll })),
    ),
    ...hold(
      'task_transitions',
      client,
      linked(atClient, client).map((one) => ({ ...one, ...ofAll })),
    ),
    ...server.flatMap(rawOf),
    ...(server.length + client.length === given.bundle.task_transitions.length ? [] : ['task_transitions: others']),
  ];
};

export const taskLoadSnapshots = ({ bundle, run }: Case): string[] =>
  hold(
    'task_load_snapshots',
    bundle.task_load_snapshots,
    run.witness.log
      .filter((entry) => entry.what === 'load_measured')
      .map(({ agent, awaiting, depth, longestWaitUs, windowUs }) => ({
        endpoint_id: bundle.endpoints.find(
          ({ url }) => url === `http://${AGENTS.find((identity) => identity.agent === agent)?.host}/a2a`,
        )?.endpoint_id,
        agent,
        awaiting_input_count: awaiting,
        queue_depth: depth,
        latency_us: longestWaitUs,
        timeouts: null,
        window_us: windowUs,
        observer: 'application',
      })),
  );
