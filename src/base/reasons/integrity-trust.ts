import type { ReasonEntries, ReasonEntry } from './entry.ts';

type Told = Pick<ReasonEntry, 'title' | 'means' | 'next'> & Partial<Pick<ReasonEntry, 'not' | 'techniques'>>;

const fault = (told: Told) =>
  ({
    family: null,
    level: 'read',
    not: 'It says nothing about the evidence, which was not judged: the trust store is the verifier’s own file.',
    falsePositives: 'None: the entry at the stated pointer either obeys the rule or does not.',
    techniques: [],
    ...told,
  }) as const;

/** Why a trust store cannot be used (FORMAT sections 7 and 8a): one fault anywhere is a fault of the whole. */
export const TRUST_REASONS = {
  TRUST_MEMBER_MISSING: fault({
    title: 'The trust store lacks a member',
    means: 'A member that every trust store, signer or key must have is not there.',
    next: 'Add the named member, taking its value from whoever manages the keys.',
  }),
  TRUST_MEMBER_UNKNOWN: fault({
    title: 'The trust store has an unknown member',
    means:
      'A member is not one of those the format defines. It may be a misspelt restriction, which would then have no effect.',
    next: 'Correct the spelling or remove the member.',
  }),
  TRUST_MEMBER_WRONG: fault({
    title: 'A member of the trust store has a wrong value',
    means: 'A member is of the wrong type, or is not a value the format allows: an id, a time, a status or a reason.',
    next: 'Correct the named member.',
  }),
  TRUST_SIGNER_USED_TWICE: fault({
    title: 'Two entries of the trust store have one signer id',
    means: 'A signer id stands twice, so it would be unclear which keys are the signer’s.',
    next: 'Put all keys of the signer in one entry.',
  }),
  TRUST_KEY_USED_TWICE: fault({
    title: 'One key stands twice in the trust store',
    means:
      'A key id or a public key stands twice. With two entries a key could be revoked in one and accepted in the other.',
    next: 'Keep one entry for the key, the one with the right status.',
  }),
  TRUST_KEY_ID_MISMATCH: fault({
    title: 'A key id is not that of its key',
    means: 'A key id is "sha256:" and the SHA-256 of the 32 key bytes. The id given is that of another key.',
    next: 'Ask the signer for the key again over a second channel; do not only correct the id.',
  }),
  TRUST_PUBLIC_KEY_ENCODING: fault({
    title: 'A public key cannot be decoded',
    means: 'The member public_key is not the padded base64 (RFC 4648 section 4) of exactly 32 bytes.',
    next: 'Copy the key again: the 32 raw bytes of the Ed25519 key, not a PEM or DER file.',
  }),
  TRUST_PUBLIC_KEY_UNSAFE: fault({
    title: 'A public key is not safe to trust',
    means:
      'The 32 bytes are not the one encoding of a point of full prime order on the Ed25519 curve. Under such a key signatures can be forged, or two verifiers can disagree about one signature.',
    next: 'Do not use the key. No honest key generator makes one, so ask where it came from.',
    techniques: ['CWE-347'],
  }),
  TRUST_STATUS_CONTRADICTION: fault({
    title: 'Status and dates of a key contradict each other',
    means:
      'A retired key needs valid_until; a revoked key needs revoked_at and revocation_reason; a key that is not revoked has neither.',
    next: 'Ask whoever manages the keys which of the two is true, and correct the entry.',
  }),
} as const satisfies ReasonEntries;

const refusal = (told: Told & Pick<ReasonEntry, 'not'>) =>
  ({
    family: null,
    level: 'refusal',
    falsePositives: 'A trust store that is out of date, or that belongs to another team.',
    techniques: [],
    ...told,
  }) as const;

const NOT_FORGED = 'It does not mean that the signature is false: whether it is, is told separately.';
const ASK_SIGNER = 'Ask the signer, over a channel other than the one the evidence came by,';

/** Why the key that a receipt names is not accepted (FORMAT section 7). */
export const KEY_REASONS = {
  KEY_SIGNER_UNKNOWN: refusal({
    title: 'The signer is not in the trust store',
    means: 'The receipt names a signer whom the trust store does not list. Anyone can write any name in a receipt.',
    not: 'It does not mean that the signer is dishonest, only that you have not said you trust it.',
    next: `${ASK_SIGNER} for its key id, and add the signer only when you have reason to trust it.`,
  }),
  KEY_UNKNOWN: refusal({
    title: 'The key is not in the trust store',
    means: 'The trust store lists the signer but not the key that the receipt names.',
    not: 'It does not mean that the key is not the signer’s: it may be newer than your trust store.',
    next: `${ASK_SIGNER} whether the key is its own and since when.`,
  }),
  KEY_OF_ANOTHER_SIGNER: refusal({
    title: 'The key belongs to another signer',
    means: 'The receipt names one signer, and a key that the trust store lists under another.',
    not: NOT_FORGED,
    next: 'Ask both signers. An honest program does not write such a receipt unless two configurations were mixed.',
  }),
  KEY_NOT_YET_VALID: refusal({
    title: 'Issued before the key was valid',
    means: 'The receipt says that it was issued earlier than the valid_from of its key.',
    not: NOT_FORGED,
    next: `${ASK_SIGNER} from when the key was in use, and whether the clock of the capturing host was right.`,
  }),
  KEY_EXPIRED: refusal({
    title: 'Issued after the key had expired',
    means: 'The receipt says that it was issued at or after the valid_until of an active key.',
    not: NOT_FORGED,
    next: `${ASK_SIGNER} whether it still used the key then; renew the entry only on its word.`,
  }),
  KEY_RETIRED: refusal({
    title: 'Issued after the key was retired',
    means: 'The receipt says that it was issued at or after the day its key went out of use.',
    not: NOT_FORGED,
    next: `${ASK_SIGNER} who could still sign with the retired key.`,
  }),
  KEY_REVOKED_COMPROMISE: refusal({
    title: 'The key was revoked because it was compromised',
    means:
      'Somebody other than the signer may hold the private key. Such a person can write any issue time, so no receipt of this key is accepted, whatever its date.',
    not: 'It does not mean that this receipt was made by the thief: the receipt alone cannot tell.',
    next: 'Look for a proof from outside that the receipt existed before the theft: a timestamp, a copy in other hands.',
    techniques: ['CWE-322'],
  }),
  KEY_REVOKED_SUPERSEDED: refusal({
    title: 'Issued after the key was replaced',
    means:
      'The key was revoked because another one took its place, and the receipt says that it was issued from then on.',
    not: NOT_FORGED,
    next: `${ASK_SIGNER} why the old key was still used.`,
  }),
  KEY_REVOKED_CESSATION: refusal({
    title: 'Issued after the signer ceased to use the key',
    means: 'The key was revoked because it went out of service, and the receipt says that it was issued from then on.',
    not: NOT_FORGED,
    next: `${ASK_SIGNER} who could still sign with the key.`,
  }),
} as const satisfies ReasonEntries;
