import type { ReasonEntries, ReasonEntry } from './entry.ts';

type Told = Pick<ReasonEntry, 'title' | 'means' | 'next'> &
  Partial<Pick<ReasonEntry, 'not' | 'falsePositives' | 'techniques'>>;

const inadmissible = (told: Told) =>
  ({
    family: null,
    level: 'inadmissible',
    not: 'It does not mean that the file was changed after signing, nor that an agent did anything wrong: the record itself cannot stand as evidence.',
    falsePositives: 'None by chance: the check is exact. A fault in the capturing program gives the same refusal.',
    techniques: [],
    ...told,
  }) as const;

const ASK_CAPTURE =
  'Read the named record beside the text it was taken from, and ask who ran the capture which program and version wrote it.';

/** Why intact records are not evidence that a profile can judge (RULES, Profile-admissibility). */
export const ADMISSIBILITY_REASONS = {
  INADMISSIBLE_BODY: inadmissible({
    title: 'A kept text does not agree with its own size, digest or encoding',
    means:
      'The record keeps a body as it was received and states its length, SHA-256 and encoding; what is kept does not have them.',
    next: ASK_CAPTURE,
    techniques: ['CWE-345'],
  }),
  INADMISSIBLE_FIELD: inadmissible({
    title: 'A field contradicts the text it was taken from',
    means:
      'The record states a value, and the text kept with it gives another one when it is read again by the published table. The detail shows both.',
    next: ASK_CAPTURE,
    techniques: ['CWE-345'],
  }),
  INADMISSIBLE_WIRE_PLACE: inadmissible({
    title: 'A record names a place that its text does not have',
    means:
      'The record says that it was taken from a certain event, payload or part of a response, and the response that was kept has no such place.',
    next: ASK_CAPTURE,
    techniques: ['CWE-345'],
  }),
  INADMISSIBLE_REFERENCE: inadmissible({
    title: 'A URI is not where the record says it was found',
    means:
      'The record says that a body, or an artifact, holds a URI; the string at the stated place does not contain it.',
    next: ASK_CAPTURE,
    techniques: ['CWE-345'],
  }),
  INADMISSIBLE_STATUS: inadmissible({
    title: 'A response and its request state different HTTP statuses',
    means: 'The record of a response to a retrieved URI and the record of the retrieval do not state the same status.',
    next: ASK_CAPTURE,
  }),
  INADMISSIBLE_DANGLING_ID: inadmissible({
    title: 'A record refers to a record that is not there',
    means:
      'A field holds the id of another record of this bundle, and no record of the right kind has that id. An empty field would have been allowed: it says "not seen".',
    next: `${ASK_CAPTURE} If records were withheld from this disclosure, ask for the complete bundle.`,
  }),
  INADMISSIBLE_ORDER: inadmissible({
    title: 'A record follows one that came later',
    means:
      'The record names another as the one before it, and the sequence numbers say that the other one was made at the same time or later.',
    next: ASK_CAPTURE,
  }),
  INADMISSIBLE_ROUTE: inadmissible({
    title: 'A routing step does not continue the step before it',
    means:
      'The sender of the step is neither the receiver nor the sender of the step that it names as its predecessor, so the two are not one path.',
    next: ASK_CAPTURE,
  }),
  INADMISSIBLE_PROGRESS: inadmissible({
    title: 'A routing step claims progress without showing it',
    means: 'The step says that the task moved on, and names neither the new task state nor the new artifact.',
    next: ASK_CAPTURE,
  }),
  INADMISSIBLE_HOP: inadmissible({
    title: 'A redirect is miscounted',
    means:
      'The record follows a redirect of another one, so its hop number must be one more than that of the other, and it has no reference of its own.',
    next: ASK_CAPTURE,
  }),
  INADMISSIBLE_CHAIN: inadmissible({
    title: 'A record continues one of something else',
    means:
      'The record names as its predecessor a transition of another task or observer, or an artifact chunk of another artifact or task.',
    next: ASK_CAPTURE,
  }),
  INADMISSIBLE_TIME: inadmissible({
    title: 'Time runs backwards along the sequence',
    means:
      'The record was made after others by its sequence number, and its time lies before theirs by more than the profile tolerates.',
    not: 'It does not tell which of the two is wrong. The rules judge by sequence and never by time.',
    next: 'Compare the clocks of the machines that took part; if the drift is known and accepted, judge under a profile with a larger tolerance.',
    falsePositives: 'A clock that was set back during the capture.',
  }),
  INADMISSIBLE_END: inadmissible({
    title: 'The capture was declared over before its last record',
    means:
      'The stated end of the capture lies before the time of the named record, so the record cannot be part of it.',
    next: ASK_CAPTURE,
    falsePositives: 'A clock that was set back during the capture.',
  }),
  INADMISSIBLE_GAPS: inadmissible({
    title: 'The capture is declared complete and lists gaps',
    means: 'The trace says that nothing was missed, and lists moments in which something was.',
    next: ASK_CAPTURE,
  }),
  INADMISSIBLE_TRUSTED_CARDS: inadmissible({
    title: 'The trusted Agent Cards are not those of the profile',
    means:
      'The trusted cards in the bundle must be exactly the cards whose digests the profile pins: here one is missing, or one is there that nobody pinned.',
    not: 'It does not mean that a card was forged: the capture may have been made for another edition of the profile.',
    next: 'Compare the named digest with the pinned cards of the profile, and find out which profile the capture was made for.',
  }),
} as const satisfies ReasonEntries;
