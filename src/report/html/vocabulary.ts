import { COLLECTION_INFO, COLLECTIONS, type Collection } from '../../evidence/collections.ts';

/** The kinds of records as people say them, and what each is. */
export const KINDS: Readonly<Record<Collection, { readonly name: string; readonly means: string }>> = {
  trace_metadata: {
    name: 'capture',
    means: 'What the recorder says of the capture itself: when it began and ended, what it watched, what it missed.',
  },
  candidate_cards: {
    name: 'offered card',
    means: 'An agent card that a client was offered when it looked for an agent.',
  },
  trusted_cards: { name: 'trusted card', means: 'An agent card that the profile trusts, kept for comparison.' },
  selected_cards: { name: 'chosen card', means: 'The agent card that a client chose.' },
  endpoints: {
    name: 'endpoint',
    means: 'The network address at which an agent was called, and the card that named it.',
  },
  discovery_events: { name: 'discovery', means: 'The moment at which a client chose among agent cards.' },
  exchanges: { name: 'exchange', means: 'One request from one agent to another, and its response.' },
  capability_invocations: {
    name: 'capability use',
    means: 'An ability that an agent was seen to use, or was asked for.',
  },
  routing_events: { name: 'routing step', means: 'One agent handing a task on to another.' },
  task_transitions: {
    name: 'task state',
    means: 'A task entering a state, such as working, waiting for input, or completed.',
  },
  task_load_snapshots: { name: 'load', means: 'How busy an agent was: tasks that wait, requests that wait, delays.' },
  uri_references: { name: 'web address', means: 'A web address (URI) that stands in a message or an artifact.' },
  uri_dereferences: {
    name: 'web request',
    means: 'An agent requesting a web address; each redirect that was followed is one more.',
  },
  dereference_responses: { name: 'web response', means: 'What came back from such a request.' },
  artifacts: { name: 'artifact', means: 'A piece of content that an agent sent: a text, a file, a part of a message.' },
  artifact_renders: { name: 'rendering', means: 'An artifact handed to a program that shows it.' },
  sanitizers: {
    name: 'sanitising',
    means: 'An artifact passed through a program that removes dangerous parts of it, or past it.',
  },
};

const BY_TYPE = new Map<string, string>(
  COLLECTIONS.map((collection) => [COLLECTION_INFO[collection].node, KINDS[collection].name]),
);

/** A type, as edges and findings name it, in the words of people. */
export const kindOf = (type: string): string => BY_TYPE.get(type) ?? type;

/** Words of the page that are no words of a report, in the order in which a reader meets them. */
export const TERMS: readonly (readonly [string, string])[] = [
  ['Agent', 'A program that acts on its own within a task it was given, and speaks to other such programs.'],
  ['A2A', 'Agent2Agent, the public protocol in which the agents of this page speak to each other.'],
  ['Agent card', 'A document in which an agent says who it is, what it can do, and at which address it is called.'],
  ['Capture', 'The recording of what agents said to each other, made while they did, by a program beside them.'],
  ['Bundle', 'The file that holds the records of one capture.'],
  [
    'Integrity',
    'Whether the records are, byte for byte, those that were signed: none altered, removed, added or moved.',
  ],
  ['Authenticity', 'Whether the signature is by a key that the reader has reason to trust, and whose key that is.'],
  [
    'Digest (SHA-256)',
    'A number computed from a file. Another file, were it different in one letter, has another number.',
  ],
  [
    'Signature (Ed25519)',
    'A number that only the holder of a secret key can compute for a given text, and that anybody can check with the public key.',
  ],
  ['Key', 'The public half of such a pair. Its name here is its digest, so that it can be compared letter by letter.'],
  [
    'Trust store',
    'The list of keys, and of whose they are, that a reader accepts. It comes from the reader, never from the evidence.',
  ],
  ['Finding', 'A record that fits one of six conditions. It says what is recorded, not what anybody intended.'],
  ['Supporting path', 'The chain of records and relationships that leads from an exchange to the record of a finding.'],
  [
    'Minimal evidence',
    'The smallest set of records and relationships under which the finding still stands: without any one of them it does not.',
  ],
  ['Verdict', 'The one word in which a verification ends.'],
];
