import type { ReasonEntries } from './entry.ts';

/** The documents beside the bundle: profile, family definitions, settings. */
export const PROFILE_REASONS = {
  PROFILE_MALFORMED: {
    family: null,
    level: 'read',
    title: 'The profile does not fit its schema',
    means:
      'The verification profile given to the verifier has a member that is missing, unknown or out of bounds; the message names it.',
    not: 'It says nothing about the evidence, which was not judged.',
    next: 'Correct the named member (docs/PROFILES.md lists each one), or use one of the profiles that come with the software.',
    falsePositives: "None: the profile is the verifier's own input.",
    techniques: [],
  },
  FAMILIES_MALFORMED: {
    family: null,
    level: 'read',
    title: 'A family definition does not fit its schema',
    means:
      'One of the family definition files given to the verifier has a member that is missing, unknown or out of bounds; the message names file and member.',
    not: 'It says nothing about the evidence, which was not judged.',
    next: 'Correct the named member, or verify without --families; the report then says that families were not checked.',
    falsePositives: "None: the definitions are the verifier's own input.",
    techniques: [],
  },
  PROFILE_NOT_NAMED_BY_RECEIPT: {
    family: null,
    level: 'inadmissible',
    title: 'This is not the profile that the receipt names',
    means:
      'The receipt binds the evidence to one profile by id and digest. The profile given differs from it in at least one value.',
    not: 'It does not mean that the evidence was changed: the bundle passed every integrity check before this one.',
    next: 'Use the profile that was in force at capture, or pass --other-profile to judge old evidence under another one; the verdict line then says so.',
    falsePositives: 'A profile edited after the capture, even in its description.',
    techniques: [],
  },
  FAMILIES_NOT_NAMED_BY_RECEIPT: {
    family: null,
    level: 'inadmissible',
    title: 'These are not the family definitions that the receipt names',
    means: 'The receipt binds the evidence to the family definitions that were in force. Those given differ.',
    not: 'It does not mean that the bundle was changed.',
    next: 'Use the definitions that were in force at capture; a definition changed after a run is what this check is for.',
    falsePositives: 'A definition edited after the run, even in its description.',
    techniques: [],
  },
  SETTINGS_NOT_NAMED_BY_RECEIPT: {
    family: null,
    level: 'inadmissible',
    title: 'This is not the settings document that the receipt names',
    means: 'The receipt binds the evidence to one settings document. The one given differs.',
    not: 'It does not mean that the bundle was changed.',
    next: 'Use the settings document that was in force at capture.',
    falsePositives: 'A settings document edited after the run.',
    techniques: [],
  },
} as const satisfies ReasonEntries;
