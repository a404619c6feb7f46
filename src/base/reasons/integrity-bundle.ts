import type { ReasonEntries, ReasonEntry } from './entry.ts';

type Told = Pick<ReasonEntry, 'title' | 'means' | 'next'> & Partial<Pick<ReasonEntry, 'not' | 'techniques'>>;

const tampered = (told: Told) =>
  ({
    family: null,
    level: 'refusal',
    not: 'It does not tell who made the change, when, or whether it was made on purpose.',
    falsePositives: 'None: the comparison is exact, and blank space between values does not count.',
    techniques: ['CWE-345'],
    ...told,
  }) as const;

const GET_BUNDLE = 'Get the bundle again from its custodian; keep this copy, since the change in it is evidence too.';

/** Why a bundle is not the one that was signed (FORMAT section 5). */
export const CHANGE_REASONS = {
  CAPTURE_DIGEST_MISMATCH: tampered({
    title: 'The bundle is not the one that was signed',
    means: 'The digest of the whole bundle differs from the digest in the signed receipt.',
    next: `${GET_BUNDLE} The refusals beside this one say which records differ, as far as that can be known.`,
  }),
  COMMITMENT_COUNT_MISMATCH: tampered({
    title: 'The bundle has another number of records and edges than was signed',
    means: 'Records and edges together are more or fewer than the signed count.',
    next: GET_BUNDLE,
  }),
  INCIDENT_ROOT_MISMATCH: tampered({
    title: 'The records and edges do not lead to the signed root',
    means: 'Hashing records and edges pairwise does not give the Merkle root in the signed receipt.',
    next: GET_BUNDLE,
  }),
  REORDERED: tampered({
    title: 'Records stand in another order than when signed',
    means:
      'Every record and edge is the one that was signed, and none is missing or added; only their order in the file differs.',
    next: GET_BUNDLE,
    not: 'It does not mean that any record was changed. The order of events is their sequence, which is unchanged.',
  }),
  ALTERED_OUTSIDE_RECORDS: tampered({
    title: 'Something outside the records was changed',
    means:
      'Every record and edge is the one that was signed, but a member of the bundle beside them was added, removed or changed.',
    next: GET_BUNDLE,
    not: 'It does not mean that any record was changed.',
  }),
  RECORD_ALTERED: tampered({
    title: 'A record was altered',
    means: 'The named record is not the one that was signed under its id: at least one value in it differs.',
    next: `${GET_BUNDLE} Compare the named record in both copies.`,
  }),
  RECORD_INSERTED: tampered({
    title: 'A record was inserted',
    means: 'The named record was not among those signed, or repeats the id of one that was.',
    next: GET_BUNDLE,
  }),
  RECORD_REMOVED: tampered({
    title: 'A record was removed',
    means: 'The named record was signed and is not in the bundle.',
    next: GET_BUNDLE,
  }),
  EDGE_ALTERED: tampered({
    title: 'An edge was altered',
    means: 'The named relationship between two records is not the one that was signed under its id.',
    next: GET_BUNDLE,
  }),
  EDGE_INSERTED: tampered({
    title: 'An edge was inserted',
    means: 'The named relationship between two records was not among those signed.',
    next: GET_BUNDLE,
  }),
  EDGE_REMOVED: tampered({
    title: 'An edge was removed',
    means: 'The named relationship between two records was signed and is not in the bundle.',
    next: GET_BUNDLE,
  }),
} as const satisfies ReasonEntries;

const malformed = (told: Told) =>
  ({
    family: null,
    level: 'refusal',
    not: 'It does not mean that the bundle was changed after signing: it is what the signer signed, and was malformed then.',
    falsePositives: 'None: the format is exact. The fault may be in the capturing program.',
    techniques: [],
    ...told,
  }) as const;

const ASK_SIGNER =
  'Ask the signer which program wrote the bundle; recover it from the capture journal if there is one.';

/** Why a bundle that is the signed one is refused all the same (FORMAT sections 3, 4 and 8a). */
export const SHAPE_REASONS = {
  MEMBER_MISSING: malformed({
    title: 'A member is missing',
    means: 'The bundle, record or edge at the stated pointer lacks a member that the format requires.',
    next: ASK_SIGNER,
  }),
  MEMBER_UNKNOWN: malformed({
    title: 'There is an unknown member',
    means:
      'The bundle, record or edge has a member that the format does not define. No rule would look at it, so it could carry what nobody judges.',
    next: ASK_SIGNER,
  }),
  MEMBER_WRONG_TYPE: malformed({
    title: 'A member is of the wrong type',
    means: 'The value at the stated pointer is not of the type that the format states for it.',
    next: ASK_SIGNER,
  }),
  MEMBER_WRONG_VALUE: malformed({
    title: 'A member has a value that is not allowed',
    means:
      'The value at the stated pointer is out of bounds, is not written as the format states, or is not one of the words allowed there.',
    next: ASK_SIGNER,
  }),
  TRACE_METADATA_NOT_ONE: malformed({
    title: 'The bundle has not exactly one TraceMetadata',
    means: 'Each bundle is one trace, described by one TraceMetadata record. This one has none, or several.',
    next: ASK_SIGNER,
  }),
  ID_MISSING: malformed({
    title: 'A record or edge has no id',
    means: 'Without an id no finding, edge or commitment can refer to the row.',
    next: ASK_SIGNER,
  }),
  ID_MALFORMED: malformed({
    title: 'An id is malformed',
    means:
      'An id is 1 to 128 letters, digits or . _ : -, an edge id 24 hex digits; some words are reserved. This one is not allowed.',
    next: ASK_SIGNER,
  }),
  ID_USED_TWICE: malformed({
    title: 'An id is used twice',
    means:
      'Two rows of one collection have the same id, so that a reference to it has two meanings. It is refused even when the rows are equal.',
    next: ASK_SIGNER,
  }),
  SEQUENCE_USED_TWICE: malformed({
    title: 'Two records have one place in the order',
    means: 'The sequence number tells the order of all records of a bundle. Two records claim the same one.',
    next: ASK_SIGNER,
  }),
  CARD_ROLE_CONFLICT: malformed({
    title: 'One Agent Card id stands for two contents',
    means:
      'A card may stand among the candidates, the trusted and the selected cards at once, but its content must be the same in each. Here the SHA-256 differ.',
    next: `${ASK_SIGNER} Look at both contents: which one was selected is what the evidence should show.`,
  }),
  EDGE_NOT_DERIVED: malformed({
    title: 'An edge does not follow from the records',
    means: 'The verifier derived all relationships from the records again, and the named one is not among them.',
    next: ASK_SIGNER,
  }),
  EDGE_MISSING: malformed({
    title: 'An edge that follows from the records is missing',
    means: 'The verifier derived all relationships from the records again, and the bundle lacks the named one.',
    next: ASK_SIGNER,
  }),
  EDGE_DIFFERS: malformed({
    title: 'An edge differs from what follows from the records',
    means: 'The named edge id is right, but the relationship stored under it is not the one derived from the records.',
    next: ASK_SIGNER,
  }),
  REFUSALS_NOT_LISTED: {
    family: null,
    level: 'refusal',
    title: 'There are more refusals than are listed',
    means: 'The first ten thousand refusals of this step are listed in full; the number of the others is stated.',
    not: 'It does not mean that the others are less serious.',
    next: 'Clear up those listed first: one cause often explains many.',
    falsePositives: 'None.',
    techniques: [],
  },
} as const satisfies ReasonEntries;
