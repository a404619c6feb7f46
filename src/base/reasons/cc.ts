import type { ReasonEntries } from './entry.ts';

const cc = {
  family: 'CC',
  techniques: ['AML.T0053', 'AML.T0086', 'ASI02', 'ASI03', 'CWE-863', 'CWE-441'],
} as const;

const ASK_CALLER = 'Read the stored text of the exchange, and find out who asked for the capability and what it did.';

/** Capability cloaking (RULES, CC). */
export const CC_REASONS = {
  CAPABILITY_NOT_DECLARED: {
    ...cc,
    level: 'finding',
    title: 'An agent executed a capability that its card does not declare',
    means:
      'An observer saw the agent execute the capability. No card snapshot of that agent that was captured before (the extended card included) lists a skill with this exact id, and the profile lists no alias of a declared skill under this name. All card snapshots captured before could be read.',
    not: 'It does not say that the capability is harmful, nor that it was hidden on purpose. It does not cover capabilities that no observer saw.',
    next: `${ASK_CALLER} Ask the operator why the card does not declare it.`,
    falsePositives:
      'Observers that report the name of an internal tool instead of the skill id: list it as an alias. A card that was extended before the capture began.',
  },
  CAPABILITY_NOT_PERMITTED: {
    ...cc,
    level: 'finding',
    title: 'An agent executed a declared capability for a caller that may not use it',
    means:
      'The card declares the capability, but the profile permits it to named callers only, and the caller is not one of them.',
    not: 'It does not say that the caller knew of the limit, nor that the agent has no permissions of its own that allow it.',
    next: `${ASK_CALLER} Check the identity of the caller by other means: the name in the trace is the one the observer used.`,
    falsePositives: 'A caller that was renamed, or permitted after the profile was written.',
  },
  CAPABILITY_DECLARED_LATER: {
    ...cc,
    level: 'warning',
    title: 'A capability was declared only after it had been executed',
    means: 'No card snapshot captured before the execution lists the skill, but one captured after it does.',
    not: 'It does not say when the agent changed its card: only when the capture saw it.',
    next: 'Compare the two card snapshots, and ask the operator when and why the skill was added.',
    falsePositives: 'An extended card that was fetched only after the first call.',
  },
  CAPABILITY_ONLY_REQUESTED: {
    ...cc,
    level: 'note',
    title: 'A capability was requested that the agent does not declare or the caller may not use',
    means: 'The capability was asked for. Nobody saw the agent execute it, so it may have been refused.',
    not: 'It does not say that it was executed, nor that the request was refused.',
    next: ASK_CALLER,
    falsePositives: 'Clients that ask for a capability to find out whether it exists.',
  },
} as const satisfies ReasonEntries;
