import type { RecordOf, Records } from '../evidence/bundle.ts';
import type { Collection } from '../evidence/collections.ts';
import type { KnownIds } from './admissibility-ids.ts';
import { type Inadmissible, shown } from './admissibility-refusals.ts';

/** What follows something came after it, and continues it: steps, redirect hops, transitions of a task, chunks of an artifact. */
export const checkOrder = (records: Records, refusals: Inadmissible, known: KnownIds): void => {
  const following = <C extends Collection>(
    collection: C,
    id: keyof RecordOf<C>,
    member: keyof RecordOf<C> & string,
  ): Iterable<readonly [RecordOf<C>, RecordOf<C>]> =>
    known.isUnused(collection, member) ? [] : followers(records, collection, id, member, refusals);

  for (const [step, before] of following('routing_events', 'routing_id', 'predecessor')) {
    checkRoute(step, before, refusals);
  }
  for (const step of records.routing_events) {
    if (step.progress === true && step.progress_transition_id === null && step.progress_artifact_record_id === null) {
      const detail = 'progress is true; progress_transition_id and progress_artifact_record_id are null';
      refusals.refuse('routing_events', step, 'progress', 'INADMISSIBLE_PROGRESS', detail);
    }
  }
  for (const [hop, before] of following('uri_dereferences', 'dereference_id', 'redirect_of')) {
    checkHop(hop, before, refusals);
  }
  for (const [entered, before] of following('task_transitions', 'transition_id', 'previous_transition_id')) {
    sameValue('task_transitions', entered, before, 'task_id', refusals);
    sameValue('task_transitions', entered, before, 'observer', refusals);
  }
  for (const [chunk, before] of following('artifacts', 'artifact_record_id', 'appends_to')) {
    sameValue('artifacts', chunk, before, 'task_id', refusals);
    sameValue('artifacts', chunk, before, 'artifact_id', refusals);
  }
};

/** Each record with the one it names as its predecessor; refuses one that is not earlier. A dangling id is judged elsewhere. */
function* followers<C extends Collection>(
  records: Records,
  collection: C,
  id: keyof RecordOf<C>,
  member: keyof RecordOf<C> & string,
  refusals: Inadmissible,
): Iterable<readonly [RecordOf<C>, RecordOf<C>]> {
  const rows = records[collection] as readonly RecordOf<C>[];
  const naming = rows.filter((row) => row[member] !== null);
  if (naming.length === 0) return;
  const byId = new Map<unknown, RecordOf<C>>(rows.map((row) => [row[id], row]));
  for (const row of naming) {
    const before = byId.get(row[member]);
    if (before === undefined) continue;
    if (before.sequence < row.sequence) yield [row, before];
    else {
      const detail = `${member} is ${shown(row[member])}, whose sequence ${before.sequence} is not below ${row.sequence}`;
      refusals.refuse(collection, row, member, 'INADMISSIBLE_ORDER', detail);
    }
  }
}

const checkRoute = (
  step: RecordOf<'routing_events'>,
  before: RecordOf<'routing_events'>,
  refusals: Inadmissible,
): void => {
  if (step.source_agent === before.destination_agent || step.source_agent === before.source_agent) return;
  const detail = `source_agent is ${shown(step.source_agent)}; its predecessor ${before.routing_id} went from ${shown(before.source_agent)} to ${shown(before.destination_agent)}`;
  refusals.refuse('routing_events', step, 'source_agent', 'INADMISSIBLE_ROUTE', detail);
};

const checkHop = (
  hop: RecordOf<'uri_dereferences'>,
  before: RecordOf<'uri_dereferences'>,
  refusals: Inadmissible,
): void => {
  if (hop.hop !== before.hop + 1) {
    const detail = `hop is ${hop.hop}; it follows a redirect of hop ${before.hop}`;
    refusals.refuse('uri_dereferences', hop, 'hop', 'INADMISSIBLE_HOP', detail);
  }
  if (hop.reference_id !== null) {
    const detail = `reference_id is ${shown(hop.reference_id)} although the record is a redirect of ${before.dereference_id}`;
    refusals.refuse('uri_dereferences', hop, 'reference_id', 'INADMISSIBLE_HOP', detail);
  }
};

/** Null is "not seen", and contradicts nothing. */
const sameValue = <C extends Collection>(
  collection: C,
  record: RecordOf<C>,
  before: RecordOf<C>,
  member: keyof RecordOf<C> & string,
  refusals: Inadmissible,
): void => {
  if (record[member] === null || before[member] === null || record[member] === before[member]) return;
  const detail = `${member} is ${shown(record[member])}; that of the record it continues is ${shown(before[member])}`;
  refusals.refuse(collection, record, member, 'INADMISSIBLE_CHAIN', detail);
};
