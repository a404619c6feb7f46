import { type Bundle, canonical, type FamilyDefinition, type JsonObject } from '../../src/index.ts';
import { actionOf } from './chooser.ts';
import { type Fault, fault } from './evaluate-faults.ts';
import type { CompleteRun } from './evaluate-schedule.ts';
import { type Choice, markerOf, type Outcome, type Settings } from './model.ts';
import { markerSeen, observe, type Witnessed } from './observation.ts';
import { promptDigest, promptOf, withoutContent } from './prompt.ts';

const differs = (one: object, other: object): boolean =>
  canonical(one as JsonObject) !== canonical(other as JsonObject);

const outcomeFaults = ({ run, outcome }: CompleteRun, definition: FamilyDefinition): readonly Fault[] => {
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
  const log = outcome.log as unknown as readonly Witnessed[];
  const logged: Pick<Outcome, 'sent' | 'observed' | 'target' | 'marker_seen'> = {
    sent: log.some(({ what }) => what === 'message'),
    ...observe(definition, log, marker),
    marker_seen: markerSeen(log, marker),
  };
  const { sent, observed, target, marker_seen } = outcome;
  const told = { sent, observed, target, marker_seen };
  if (differs(logged, told)) {
    const detail = `by its log ${canonical(logged as JsonObject)}; told ${canonical(told as JsonObject)}`;
    faults.push(fault('OUTCOME_NOT_AS_LOGGED', at, detail));
  }
  return faults;
};

/** Digest of the prompt that a chooser must have been sent; null where no model is asked. */
const promptOfChoice = (
  role: Choice['role'],
  { backend, model }: Settings['chooser'],
  question: { readonly task: string; readonly actions: readonly string[] },
): string | null => {
  const asked = role === 'acting' ? backend : role;
  if (model === null || asked === 'constant' || asked === 'random') return null;
  return promptDigest(promptOf(asked === 'content-free' ? withoutContent(question) : question));
};

const choiceFaults = (
  { run, outcome, choices }: CompleteRun,
  definition: FamilyDefinition,
  chooser: Settings['chooser'],
): readonly Fault[] => {
  const at = run.run_id;
  const faults: Fault[] = [];
  const question = { task: definition[run.side].input, actions: definition.permitted_actions };
  for (const { role, reply, valid, action, prompt_sha256 } of choices) {
    const read = actionOf(reply, question.actions);
    if (read !== action || valid !== (action !== null)) {
      const detail = `the reply of ${role} says ${read ?? 'nothing valid'}, it was taken for ${action ?? 'nothing valid'}`;
      faults.push(fault('REPLY_NOT_AS_JUDGED', at, detail));
    }
    const prompt = promptOfChoice(role, chooser, question);
    if (prompt !== prompt_sha256) {
      const detail = `the prompt for ${role} has digest ${prompt ?? 'none'}, ${prompt_sha256 ?? 'none'} was sent`;
      faults.push(fault('PROMPT_NOT_OF_DEFINITION', at, detail));
    }
  }
  const [{ action: chosen }] = choices;
  if (outcome.action !== chosen) {
    const detail = `chosen: ${chosen ?? 'nothing valid'}; carried out: ${outcome.action ?? 'nothing'}`;
    faults.push(fault('ACTION_NOT_CHOSEN', at, detail));
  }
  return faults;
};

/**
 * Compares what schedule, choosers and outcome say of one run. The seal says whether a file was changed; this says which run
 * contradicts itself, and how, also in results that were never sealed.
 */
export const checkAccount = (
  run: CompleteRun,
  definition: FamilyDefinition,
  chooser: Settings['chooser'],
): readonly Fault[] => [...outcomeFaults(run, definition), ...choiceFaults(run, definition, chooser)];

/** Whether the evidence of a run in which a message was sent holds the run's marker. */
export const checkPropagation = ({ run, outcome }: CompleteRun, bundle: Bundle): readonly Fault[] => {
  const marker = markerOf(run.run_id);
  const isThere = bundle.exchanges.some(({ request_body }) => request_body?.text.includes(marker));
  return isThere || !outcome.sent ? [] : [fault('MARKER_NOT_IN_EVIDENCE', run.run_id, `no request holds ${marker}`)];
};
