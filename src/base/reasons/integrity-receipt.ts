import type { ReasonEntries, ReasonEntry } from './entry.ts';

type Told = Pick<ReasonEntry, 'title' | 'means' | 'not' | 'next'> &
  Partial<Pick<ReasonEntry, 'falsePositives' | 'techniques'>>;

const refusal = (told: Told) =>
  ({
    family: null,
    level: 'refusal',
    falsePositives: 'None: the comparison is exact.',
    techniques: [],
    ...told,
  }) as const;

const NOT_BUNDLE = 'It says nothing about the bundle, which was not judged.';
const GET_RECEIPT = 'Get the receipt again from its custodian and compare the SHA-256 of both copies.';
const NOT_WHO = 'It does not tell who made the change, or when.';

/** Why a receipt is refused (FORMAT section 6). */
export const RECEIPT_REASONS = {
  RECEIPT_MEMBER_MISSING: refusal({
    title: 'The receipt lacks a member',
    means: 'A member that every receipt must have is not there, so what was signed is incomplete.',
    not: NOT_BUNDLE,
    next: GET_RECEIPT,
  }),
  RECEIPT_MEMBER_UNKNOWN: refusal({
    title: 'The receipt has an unknown member',
    means: 'A member is not one of those the format defines. Outside the body it would not even be signed.',
    not: NOT_BUNDLE,
    next: GET_RECEIPT,
  }),
  RECEIPT_MEMBER_WRONG: refusal({
    title: 'A member of the receipt has a wrong value',
    means:
      'A member is of the wrong type or out of bounds. A receipt commits to at least one record; a count of 0 is refused.',
    not: NOT_BUNDLE,
    next: GET_RECEIPT,
  }),
  SIGNATURE_ENCODING: refusal({
    title: 'The signature cannot be decoded',
    means: 'The signature is not the padded base64 (RFC 4648 section 4) of exactly 64 bytes.',
    not: NOT_BUNDLE,
    next: GET_RECEIPT,
  }),
  SIGNATURE_INVALID: refusal({
    title: 'The signature is not that of the key',
    means:
      'The Ed25519 signature does not verify over the body of the receipt under the key it names. Body or signature is not what that key signed.',
    not: 'It does not tell which of the two was changed, nor by whom.',
    next: `${GET_RECEIPT} Treat the bundle as unproven until a receipt verifies.`,
    techniques: ['CWE-347'],
  }),
  INCIDENT_NOT_EXPECTED: refusal({
    title: 'The receipt is for another incident',
    means: 'You named the incident you expect, and the receipt names another one.',
    not: 'It does not mean that the receipt is false: it may be a good receipt for something else.',
    next: 'See whether the files of the right incident were given.',
    falsePositives: 'A mistyped incident id on the command line.',
  }),
  COMMITMENTS_PRESENCE: refusal({
    title: 'The list of commitments is missing or unannounced',
    means:
      'The signed body says whether the receipt carries a list of commitments. The list was removed, or one was added that nobody signed.',
    not: 'It does not mean that the bundle was changed.',
    next: GET_RECEIPT,
  }),
  COMMITMENT_MALFORMED: refusal({
    title: 'An entry of the list of commitments is malformed',
    means: 'An entry is exactly a collection (or edges), an id and a hash of 64 hex digits. This one is not.',
    not: 'It does not mean that the bundle was changed.',
    next: GET_RECEIPT,
  }),
  COMMITMENT_LISTED_TWICE: refusal({
    title: 'The list of commitments names one record twice',
    means:
      'Two entries have the same collection and id. Repeating the last entries of a list can leave its Merkle root as it was (CVE-2012-2459), which is why the root alone proves nothing.',
    not: 'It does not mean that the bundle holds the record twice; that is told separately.',
    next: GET_RECEIPT,
    techniques: ['CWE-345'],
  }),
  COMMITMENTS_DIGEST_MISMATCH: refusal({
    title: 'The list of commitments is not the signed one',
    means: 'The list in the receipt does not hash to the digest in the signed body, so it was changed after signing.',
    not: 'It does not mean that the bundle was changed; but the list can no longer show where a change is.',
    next: GET_RECEIPT,
  }),
  COMMITMENTS_LENGTH: refusal({
    title: 'The list of commitments has another length than was signed',
    means: 'The list has more or fewer entries than the signed body counts.',
    not: NOT_WHO,
    next: GET_RECEIPT,
  }),
  COMMITMENTS_ROOT_MISMATCH: refusal({
    title: 'The list of commitments does not lead to the signed root',
    means: 'Hashing the listed commitments pairwise does not give the Merkle root in the signed body.',
    not: NOT_WHO,
    next: GET_RECEIPT,
  }),
  INCIDENT_MISMATCH: refusal({
    title: 'Receipt and bundle name different incidents',
    means: 'The incident in the signed body is not the incident in TraceMetadata of the bundle.',
    not: 'It does not mean that either file is false: they may not belong together.',
    next: 'See whether bundle and receipt were paired rightly.',
  }),
  PROFILE_MISMATCH: refusal({
    title: 'Receipt and bundle name different profiles',
    means: 'The profile id in the signed body is not the profile id in TraceMetadata of the bundle.',
    not: 'It does not mean that either file is false: they may not belong together.',
    next: 'See whether bundle and receipt were paired rightly.',
  }),
  CAPTURE_BACKEND_MISMATCH: refusal({
    title: 'Receipt and bundle name different capture software',
    means: 'The capture backend in the signed body is not the one in TraceMetadata of the bundle.',
    not: 'It does not mean that either file is false: they may not belong together.',
    next: 'See whether bundle and receipt were paired rightly.',
  }),
  RECEIPT_BEFORE_OBSERVATION: refusal({
    title: 'The receipt was issued before something it covers was seen',
    means: 'The signer says it signed at a time earlier than the observation time of the named record.',
    not: 'It does not mean that the record is false: the clocks of observer and signer may have differed.',
    next: 'Compare the clocks of the hosts involved. The order of records is their sequence, not their times.',
    falsePositives: 'A clock that was set back between capture and signing.',
  }),
} as const satisfies ReasonEntries;
