import type { ReasonEntries } from './entry.ts';

/** Cycle overflow (RULES, CO). */
export const CO_REASONS = {
  CO_CYCLE_WITHOUT_PROGRESS: {
    family: 'CO',
    level: 'finding',
    title: 'Agents sent a task in a circle without progress, more often than allowed',
    means:
      'On one path of sends, each following from the one before, no step moved the task on (no new state, no artifact of new content), and the sends returned to one agent more often than max_cycle_repeats of the profile. Retries of a failed send are not counted. The step named is the first one past the limit.',
    not: 'It does not say which agent is at fault, nor that anyone meant to cause cost.',
    next: 'Read the exchanges of the path in order: they show what each agent asked of the other. Stop the task if it still runs, and check what calls and money it used.',
    falsePositives:
      'Work whose progress is not visible on the wire, such as a negotiation inside message text; a limit that is lower than the normal number of rounds.',
    techniques: ['AML.T0034.002', 'AML.T0029', 'ASI08', 'CWE-835', 'CWE-674'],
  },
  CO_TOO_MANY_HOPS_WITHOUT_PROGRESS: {
    family: 'CO',
    level: 'finding',
    title: 'A task was handed on without progress, further than allowed',
    means:
      'On one path of sends, each following from the one before, no step moved the task on (no new state, no artifact of new content), and there are more of them than max_hops of the profile. Retries of a failed send are not counted. The step named is the first one past the limit.',
    not: 'It does not say that the path is a circle, which agent is at fault, nor that anyone meant to cause cost.',
    next: 'Read the exchanges of the path in order. Stop the task if it still runs, and check what calls and money it used.',
    falsePositives:
      'Long chains of specialised agents of which only the last one shows a result; a limit that is lower than the normal length.',
    techniques: ['AML.T0034.002', 'AML.T0029', 'ASI08', 'CWE-835', 'CWE-674'],
  },
} as const satisfies ReasonEntries;
