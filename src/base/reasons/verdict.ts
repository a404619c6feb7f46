import type { ReasonEntries } from './entry.ts';

/** Why a verdict is INCONCLUSIVE although no single record is: the trace as a whole. */
export const VERDICT_REASONS = {
  CAPTURE_NOT_COMPLETE: {
    family: null,
    level: 'inconclusive',
    title: 'The capture did not end cleanly',
    means:
      'The trace itself says that its recording was cut short or missed something (ended is recovered or incomplete, or gaps are listed). What it holds is intact; what it missed is not known.',
    not: 'It does not mean that the record was edited, nor that anything happened in the gap.',
    next: 'Read ended and gaps of the TraceMetadata record, and look for other evidence of that time.',
    falsePositives: 'A process that was stopped on purpose after its work was done ends in the same way.',
    techniques: [],
  },
  NO_EXCHANGE: {
    family: null,
    level: 'inconclusive',
    title: 'The trace holds no exchange',
    means:
      'Not one A2A request and response was recorded, so there is nothing from which a forensic statement could follow.',
    not: 'It does not mean that no exchange took place: only that none is in this trace.',
    next: 'Check that the capture was wired into the client or server in question.',
    falsePositives: 'An agent that was started and never called.',
    techniques: [],
  },
  NO_FAMILY_TRIGGERED: {
    family: null,
    level: 'inconclusive',
    title: 'No rule found anything to judge',
    means: 'The trace is intact, but it holds no record that any of the six rules judges.',
    not: 'It does not mean that all is well: zero evidence is never a pass.',
    next: 'See coverage in the TraceMetadata record for what was watched, and add the missing observers to the capture.',
    falsePositives: 'A short exchange that does none of the things the rules look at.',
    techniques: [],
  },
  REQUIRED_FAMILY_NOT_OBSERVED: {
    family: null,
    level: 'inconclusive',
    title: 'A family that the profile requires was not watched for',
    means: 'The profile demands a statement about this family, and the capture was not set up to see it.',
    not: 'It does not mean that the condition was present, nor that it was absent.',
    next: 'Capture again with the observer of this family, or judge under a profile that does not require it.',
    falsePositives: 'A profile that was written for another kind of deployment.',
    techniques: [],
  },
} as const satisfies ReasonEntries;
