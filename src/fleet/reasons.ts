import type { ReasonEntries, ReasonEntry } from '../base/reasons/entry.ts';

const unchecked = (told: Pick<ReasonEntry, 'title' | 'means' | 'not' | 'next'>) =>
  ({
    family: null,
    level: 'read',
    falsePositives: 'None: this program tried and could not.',
    techniques: [],
    ...told,
  }) as const;

/** Why one pair of many has no verdict of a verifier: each is a result of its own, and the others go on. */
export const FLEET_REASONS = {
  PAIR_WITHOUT_RECEIPT: unchecked({
    title: 'There is no receipt for this bundle',
    means: 'A bundle has no receipt of the same base name, so nothing says who signed it.',
    not: 'It does not mean that the bundle was altered: the receipt may lie in another folder.',
    next: 'Look for the receipt, and name its folder with --receipts. If the capture was killed, recover it from its journal.',
  }),
  PAIR_WITHOUT_BUNDLE: unchecked({
    title: 'There is no bundle for this receipt',
    means: 'A receipt has no bundle of the same base name: something was captured and signed, and it is not here.',
    not: 'It does not say whether the bundle was removed, renamed or never copied.',
    next: 'Ask the custodian for the bundle that the receipt names by its digest.',
  }),
  FILE_UNREADABLE: unchecked({
    title: 'A file could not be read',
    means: 'A file of the pair cannot be opened, is no regular file, or is larger than this verifier reads.',
    not: 'It says nothing of what the file holds.',
    next: 'See the type, owner and permissions of the file, and verify again.',
  }),
  LIST_LINE_MALFORMED: unchecked({
    title: 'A line of the list names no pair',
    means: 'A line of the list is not bundle, receipt and profile, separated by tabs, or no profile is given at all.',
    not: 'It says nothing of any evidence.',
    next: 'Mend the line; a last column that is left out is the profile of --profile.',
  }),
  VERIFIER_FAILED: unchecked({
    title: 'The verifier failed on this pair',
    means:
      'The worker that verified this pair, and nothing else then, ended or threw: out of memory, or a bug of this program.',
    not: 'It does not mean that the evidence is bad, nor that it is good.',
    next: 'Verify the pair alone with forensictrace verify, and report a bug with what it prints.',
  }),
} as const satisfies ReasonEntries;
export type FleetReason = keyof typeof FLEET_REASONS;
