import type { Bundle, FamilyDefinition } from '../../src/index.ts';
import { actionOf } from './chooser.ts';
import { type Fault, fault } from './evaluate-faults.ts';
import type { CompleteRun } from './evaluate-schedule.ts';
import { markerOf, type Outcome } from './model.ts';

/** Where the external log holds a marker: `PLACE/KIND`, each once, sorted. */
const placesOf = ({ log }: Outcome, marker: string): readonly string[] => {
  const holding = log.filter((entry) => JSON.stringify(entry).includes(marker));
  return [...new Set(holding.map(({ place, what }) => `${String(place)}/${String(what)}`))].sort();
};

/**
 * Compares what schedule, choosers and outcome say of one run. The seal says whether a file was changed; this says which run
 * contradicts itself, and how, also in results that were never sealed.
 */
export const checkAccount = (
  { run, outcome, choices }: CompleteRun,
  permitted: FamilyDefinition['permitted_actions'],
): readonly Fault[] => {
  const at = run.run_id;
  const faults: Fault[] = [];
  if (outcome.family !== run.family || outcome.side !== run.side) {
    const detail = `scheduled as ${run.family} ${run.side}, told as ${outcome.family} ${outcome.side}`;
    faults.push(fault('LABEL_NOT_AS_SCHEDULED', at, detail));
  }
  const marker = markerOf(at);
  if (outcome.marker !== marker) {
    faults.push(fault('MARKER_NOT_OF_RUN', at, `its marker is ${marker}, the outcome has ${outcome.marker}`));
  }
  const logged = placesOf(outcome, marker);
  if (logged.join() !== outcome.marker_seen.join()) {
    const detail = `logged at: ${logged.join(', ') || 'no place'}; told of: ${outcome.marker_seen.join(', ') || 'no place'}`;
    faults.push(fault('MARKER_NOT_AS_LOGGED', at, detail));
  }
  for (const { role, reply, valid, action } of choices) {
    const read = actionOf(reply, permitted);
    if (read === action && valid === (action !== null)) continue;
    const detail = `the reply of ${role} says ${read ?? 'nothing valid'}, it was taken for ${action ?? 'nothing valid'}`;
    faults.push(fault('REPLY_NOT_AS_JUDGED', at, detail));
  }
  const [{ action: chosen }] = choices;
  if (outcome.action !== chosen) {
    const detail = `chosen: ${chosen ?? 'nothing valid'}; carried out: ${outcome.action ?? 'nothing'}`;
    faults.push(fault('ACTION_NOT_CHOSEN', at, detail));
  }
  return faults;
};

/** Whether the evidence of a run in which a message was sent holds the run's marker. */
export const checkPropagation = ({ run, outcome }: CompleteRun, bundle: Bundle): readonly Fault[] => {
  const marker = markerOf(run.run_id);
  const isThere = bundle.exchanges.some(({ request_body }) => request_body?.text.includes(marker));
  return isThere || !outcome.sent ? [] : [fault('MARKER_NOT_IN_EVIDENCE', run.run_id, `no request holds ${marker}`)];
};
