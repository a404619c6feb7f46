/**
 * What can be wrong with the results of an experiment, and the exit code it ends with: 2 the files could not be read as results, 4 they are not what
 * was sealed or not all of it, 5 they were made under other documents than those at hand. The first of 4, 2, 5 decides (RULES.md).
 */
export const FAULTS = {
  FILE_MALFORMED: { exit: 2, title: 'A file of the results is not of its format' },
  SEAL_MISSING: { exit: 4, title: 'The results are not sealed: the experiment did not end, or its seal was removed' },
  SEAL_NOT_TRUSTED: { exit: 4, title: 'The seal is not signed by a key of the trust store, or is incomplete' },
  FILE_NOT_AS_SEALED: { exit: 4, title: 'A file was changed after the results were sealed' },
  SCHEDULE_NOT_AS_SET: { exit: 4, title: 'The schedule is not the one that the settings name' },
  SCHEDULE_NOT_OF_SEED: { exit: 4, title: 'The schedule is not the one that follows from its seed' },
  RUN_MISSING: { exit: 4, title: 'A scheduled run has no outcome, choice, bundle or receipt' },
  RUN_ADDITIONAL: { exit: 4, title: 'There is something of a run that was never scheduled' },
  RUN_REPEATED: { exit: 4, title: 'A run has more than one outcome, or more than one reply of a chooser' },
  LABEL_NOT_AS_SCHEDULED: { exit: 4, title: 'An outcome has another family or run type than the schedule' },
  MARKER_NOT_OF_RUN: { exit: 4, title: 'An outcome has the marker of another run' },
  OUTCOME_NOT_AS_LOGGED: { exit: 4, title: 'What an outcome says does not follow from its own external log' },
  MARKER_NOT_IN_EVIDENCE: { exit: 4, title: 'A message was sent, and no exchange of the bundle holds the marker' },
  REPLY_NOT_AS_JUDGED: { exit: 4, title: 'A reply is not what its recorded validity and action say' },
  PROMPT_NOT_OF_DEFINITION: { exit: 5, title: 'A chooser was asked something else than the family definition says' },
  ACTION_NOT_CHOSEN: { exit: 4, title: 'Another action was carried out than the one that was chosen' },
  EVIDENCE_REFUSED: { exit: 4, title: 'Bundle and receipt do not pass integrity' },
  EVIDENCE_OF_ANOTHER_RUN: { exit: 4, title: 'Bundle and receipt are those of another run' },
  EVIDENCE_UNREADABLE: { exit: 2, title: 'Bundle or receipt, or a document they are verified by, could not be read' },
  EVIDENCE_NOT_ADMISSIBLE: {
    exit: 5,
    title: 'The evidence was made under another profile, other families or settings, or contradicts itself',
  },
} as const;
export type FaultReason = keyof typeof FAULTS;

/** One thing that is wrong: in which file or run, and with the actual values. */
export type Fault = { readonly reason: FaultReason; readonly at: string; readonly detail: string };

/** A name or a value of the results may be of any length; this much of it is told. */
const TOLD = 400;
const brief = (text: string): string =>
  text.length > TOLD ? `${text.slice(0, TOLD)}… (${text.length} characters)` : text;

export const fault = (reason: FaultReason, at: string, detail: string): Fault => ({
  reason,
  at: brief(at),
  detail: brief(detail),
});
