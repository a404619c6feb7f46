import type { ReasonEntries } from './entry.ts';

const TECHNIQUES = ['AML.T0029', 'AML.T0034.002', 'ASI08', 'CWE-770', 'CWE-400'] as const;

/** Half-open task flooding: tasks left waiting for input until the service suffers (RULES.md HOTF). */
export const HOTF_REASONS = {
  HOTF_DEGRADED_BY_HALF_OPEN_TASKS: {
    family: 'HOTF',
    level: 'finding',
    title: 'Service degraded while half-open tasks piled up',
    means:
      'At this measurement the agent held at least as many tasks waiting for input or authorisation as the profile allows, each shown by its own recorded state change, and a measured load value was above the limit of the profile that it had not passed before the tasks piled up.',
    not: 'It does not prove that the waiting tasks caused the slowdown, nor that anybody intended it: it proves that one followed the other.',
    next: 'List the clients that opened the waiting tasks (the exchanges on the evidence path are the start), see whether they ever answered, and look for another cause of load in the same minutes.',
    falsePositives:
      'A queue of honest approvals that meets an unrelated slowdown, or limits set below the normal load of the service.',
    techniques: TECHNIQUES,
  },
  HOTF_COUNT_NOT_SUPPORTED: {
    family: 'HOTF',
    level: 'inconclusive',
    title: 'The stated number of waiting tasks is not borne out by state changes',
    means:
      'The measurement states a number of waiting tasks at or above the threshold, but fewer recorded state changes support it. The rule counts only what the records show.',
    not: 'It does not mean that the stated number is false: the missing state changes may have happened before the capture or out of its sight.',
    next: "Look for the server's own task list of that time, or capture on the server side, where every state change is seen.",
    falsePositives: 'A capture that began after the tasks did.',
    techniques: TECHNIQUES,
  },
  HOTF_NO_BASELINE: {
    family: 'HOTF',
    level: 'inconclusive',
    title: 'Load was high, but nothing was measured before the tasks piled up',
    means:
      'A measured load value is above its limit and enough tasks are waiting, but the first measurement of this agent at this endpoint already had that many. Whether the service was slow before cannot be told.',
    not: 'It does not mean that the service was healthy before, nor that it was not.',
    next: "Get the service's own monitoring of the time before the first measurement.",
    falsePositives: 'Measurements switched on only after somebody noticed a slowdown.',
    techniques: TECHNIQUES,
  },
  HOTF_THRESHOLD_WITHOUT_DEGRADATION: {
    family: 'HOTF',
    level: 'warning',
    title: 'Many tasks wait, and the service did not get worse',
    means:
      'The number of tasks waiting for input or authorisation reached the threshold of the profile, but no load value rose above a limit that it had not passed already.',
    not: 'It is not a finding of flooding: a queue of approvals looks the same.',
    next: 'See who opened the waiting tasks and whether they are expected; watch the load.',
    falsePositives: 'Approval queues, nightly batches that people answer in the morning.',
    techniques: TECHNIQUES,
  },
  HOTF_TASKS_UNFINISHED: {
    family: 'HOTF',
    level: 'note',
    title: 'Many tasks were still submitted or working at the end',
    means:
      'As many tasks of one agent as the threshold names have submitted or working as their last recorded state. Such tasks are not half-open and do not count towards a finding.',
    not: 'It does not mean that the tasks hang: the capture may have ended before they did.',
    next: 'Ask the agent for the present state of these tasks.',
    falsePositives: 'A capture that was stopped in the middle of normal work.',
    techniques: TECHNIQUES,
  },
} as const satisfies ReasonEntries;
