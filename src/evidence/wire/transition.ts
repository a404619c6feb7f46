import type { WireField } from '../../base/wire-fields.ts';
import type { WireNode } from '../../base/wire-json.ts';
import type { RecordOf } from '../bundle.ts';
import { TASK_STATES, type TaskState } from '../records/tasks.ts';
import { PAYLOAD_PATHS } from './paths.ts';
import type { PayloadText } from './payload-text.ts';
import { firstAt, Issues, integer, shortString } from './read-fields.ts';

export type TransitionFields = Pick<RecordOf<'task_transitions'>, 'task_id' | 'context_id' | 'state' | 'wire_issue'>;

const FIELDS = ['task_id', 'context_id', 'state'] as const;

/** Spellings of A2A 0.3 and 1.0, and both of `canceled` (0.3 had two). */
export const STATE_NAMES: ReadonlyMap<string, TaskState> = new Map([
  ...TASK_STATES.map((state) => [state, state] as const),
  ...TASK_STATES.map((state) => [`TASK_STATE_${state.toUpperCase().replace('-', '_')}`, state] as const),
  ['cancelled', 'canceled'],
  ['TASK_STATE_CANCELLED', 'canceled'],
]);

/** ProtoJSON parsers take an enum's number for its name: those of TaskState in a2a.proto. */
const STATE_NUMBERS: ReadonlyMap<number, TaskState> = new Map([
  [1, 'submitted'],
  [2, 'working'],
  [3, 'completed'],
  [4, 'failed'],
  [5, 'canceled'],
  [6, 'input-required'],
  [7, 'rejected'],
  [8, 'auth-required'],
]);

const NONE = { task_id: null, context_id: null, state: null } as const;

const taskPayloads = (text: PayloadText) =>
  'issue' in text.payloads
    ? []
    : text.payloads.payloads.filter(({ kind }) => kind === 'task' || kind === 'status_update');

/** True when the text states a task or a status update, or cannot be read, so that it may. */
export const holdsTransition = (text: PayloadText): boolean =>
  'issue' in text.whole || 'issue' in text.payloads || taskPayloads(text).length > 0;

/** The typed fields of the transition that a text states, and why any is null. Two payloads in one text are `wrong_type`: peers may read either. */
export const transitionFields = (text: PayloadText): TransitionFields => text.once('transition', () => read(text));

const read = (text: PayloadText): TransitionFields => {
  const issues = new Issues();
  if ('issue' in text.whole) issues.note(text.of, text.whole.issue);
  const [payload, other] = taskPayloads(text);
  const issue = 'issue' in text.payloads ? text.payloads.issue : other === undefined ? null : 'wrong_type';
  if (issue !== null) for (const name of FIELDS) issues.note(name, issue);
  if (issue !== null || payload === undefined) return { ...NONE, wire_issue: issues.wireIssue() };
  const { task_id, context_id } = PAYLOAD_PATHS[payload.kind];
  return {
    task_id: issues.take('task_id', shortString(payload.node, [task_id])),
    context_id: issues.take('context_id', shortString(payload.node, [context_id])),
    state: issues.take('state', state(payload.node)),
    wire_issue: issues.wireIssue(),
  };
};

const state = (payload: WireNode): WireField<TaskState> => {
  const there = firstAt(payload, [PAYLOAD_PATHS.task.state]);
  const numbered = 'found' in there && there.found.kind === 'number';
  const stated = numbered ? integer(there.found, ['']) : shortString(payload, [PAYLOAD_PATHS.task.state]);
  if (stated.issue !== null || stated.value === null) return { value: null, issue: stated.issue };
  const known = typeof stated.value === 'number' ? STATE_NUMBERS.get(stated.value) : STATE_NAMES.get(stated.value);
  return { value: known ?? null, issue: null };
};
