import type { ReasonEntries } from './entry.ts';

const TECHNIQUES = ['AML.T0074', 'AML.T0073', 'AML.T0109', 'ASI04', 'ASI07', 'CWE-345', 'CWE-290', 'CWE-1007'];
const ASK_OWNER =
  'Ask the organisation whose card is pinned, over a channel that this card did not supply, whether the selected card and its endpoints are theirs.';
const NOT_HONEST =
  'Neither this statement nor its absence says that what the card promises in words is true or harmless.';

const as = { family: 'AS', techniques: TECHNIQUES } as const;

/** AgentCard spoofing (RULES, AS). */
export const AS_REASONS = {
  AS_LOOKALIKE_CARD_USED: {
    ...as,
    level: 'finding',
    title: 'A card that passes for a trusted one was selected, and its endpoint was used',
    means:
      'The selected Agent Card is not trusted: its digest is not pinned, and not all of its interfaces are under the allowed origins of one pinned agent. Its name can be taken for that of a pinned agent (the same letters, marks and digits, or confusable ones by Unicode UTS #39), or name, provider and skills together are at least as similar as the threshold of the profile. At least one exchange went to an endpoint resolved from it.',
    not: `It does not prove who made the card, nor that it was made to deceive. ${NOT_HONEST}`,
    next: `Stop sending to the endpoint, keep the stored card, and list every exchange with it. ${ASK_OWNER}`,
    falsePositives:
      'A new card of the same operator under an origin that the profile does not list; two unrelated agents with one generic name.',
  },
  AS_LOOKALIKE_NOT_CONTACTED: {
    ...as,
    level: 'warning',
    title: 'A card that passes for a trusted one was selected, but never contacted',
    means:
      'The selected card is not trusted and can be taken for a pinned one, as in AS_LOOKALIKE_CARD_USED, but no exchange in the trace used its endpoint.',
    not: 'It does not say that nothing was sent to the endpoint outside what was captured.',
    next: `Find out where the card came from and why it was selected. ${ASK_OWNER}`,
    falsePositives: 'As for AS_LOOKALIKE_CARD_USED.',
  },
  AS_ENDPOINT_NOT_IN_CARD: {
    ...as,
    level: 'finding',
    title: 'An exchange went to an endpoint that the selected card does not state',
    means:
      'The selected card must have supplied the endpoint, but the URL of an exchange with it lies under none of the interfaces of the card: compared after URL parsing, by origin, then by path and query as the protocol binding requires.',
    not: 'It does not say who supplied the other URL: a changed card, a configuration, a redirect or the client itself.',
    next: 'Compare the URL with the interfaces in the stored card, and find in the configuration and logs of the client where the URL came from.',
    falsePositives:
      'A gateway or test set-up that sends the traffic of an agent to another URL without a card that says so.',
  },
  AS_ENDPOINT_SPELLED_OTHERWISE: {
    ...as,
    level: 'warning',
    title: 'An exchange went to a URL that is nearly, but not exactly, in the selected card',
    means:
      'The URL of an exchange differs from an interface of the card only by a slash at the end of the path, or by a loopback address where the card states the unspecified address (0.0.0.0 or ::). Both are named.',
    not: 'It does not say that both URLs reach the same program, nor that they do not.',
    next: 'Ask the operator of the agent whether both URLs are theirs, and have the card corrected.',
    falsePositives:
      'Routers that ignore a slash at the end; development servers that print the address they listen on.',
  },
  PINNED_CARD_CHANGED: {
    ...as,
    level: 'warning',
    title: 'The card of a trusted agent is not the pinned one',
    means:
      'Every interface of the selected card is under an allowed origin of one pinned agent, but the digest of the card is not pinned: its content changed.',
    not: `It does not say that the change was unauthorised. ${NOT_HONEST}`,
    next: 'Compare the stored card with the pinned one, member by member, and ask the operator for the reason. Pin the new digest if it is right.',
    falsePositives:
      'A version bump; an extended card shown after authentication; a card written anew with other white space.',
  },
  PINNED_CARD_CHANGED_REFUSED: {
    ...as,
    level: 'finding',
    title: 'The card of a trusted agent is not the pinned one, and the profile allows no change',
    means:
      'As PINNED_CARD_CHANGED, and the profile treats every change of a pinned card as a condition (changed_card is strict). An exchange used its endpoint.',
    not: `It does not say that the change was unauthorised. ${NOT_HONEST}`,
    next: 'Compare the stored card with the pinned one, member by member, and ask the operator for the reason before the agent is used again.',
    falsePositives: 'As for PINNED_CARD_CHANGED.',
  },
  CARD_UNKNOWN: {
    ...as,
    level: 'warning',
    title: 'An agent was selected that nobody pinned',
    means:
      'The selected card is not trusted by digest or origin, and is not like any pinned card: neither its name nor its similarity reaches the limits of the profile.',
    not: `It does not say that the agent is hostile: it is merely not among the trusted ones. ${NOT_HONEST}`,
    next: 'Decide whether this agent belongs to the system, and pin its card if so.',
    falsePositives: 'Every agent that joins at run time in an open system.',
  },
  CARD_UNKNOWN_REFUSED: {
    ...as,
    level: 'finding',
    title: 'An agent was used that nobody pinned, and the profile allows pinned agents only',
    means:
      'As CARD_UNKNOWN, and the profile treats the use of an unpinned agent as a condition (unknown_card is finding). An exchange used its endpoint.',
    not: `It does not say that the agent is hostile. ${NOT_HONEST}`,
    next: 'Stop sending to the endpoint until it is decided whether the agent belongs to the system.',
    falsePositives: 'An agent that was approved after the profile was written.',
  },
  CARD_NOT_CONTACTED: {
    ...as,
    level: 'note',
    title: 'A selected card was never contacted',
    means:
      'The discovery selected the card and resolved an endpoint from it, but no exchange in the trace used that endpoint.',
    not: 'It does not say that nothing was sent to the endpoint outside what was captured.',
    next: 'None, unless the trace was expected to hold exchanges with this agent.',
    falsePositives: 'A run that ended before the first message.',
  },
} as const satisfies ReasonEntries;
