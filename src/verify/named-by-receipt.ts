import type { Crypto } from '../base/crypto.ts';
import type { JsonObject } from '../base/json-value.ts';
import type { Reason } from '../base/reasons.ts';
import type { Refusal } from '../base/result.ts';
import type { Profile } from '../rules/profile.ts';
import { familiesDigest, profileDigest, settingsDigest } from '../seal/digests.ts';
import type { ReceiptBody } from '../seal/receipt.ts';
import type { Document } from './documents.ts';

/** What the receipt states of a document, and what the one at hand has. */
type OwnDocument = {
  readonly reason: Reason;
  readonly input: string;
  readonly what: 'profile_id' | 'digest';
  readonly member: keyof ReceiptBody;
  readonly given: string;
};

/** What the verifier's own documents have; `profile` is null when the user judges under another one than the receipt names. */
export const ownDocuments = (
  profile: Document<Profile> | null,
  families: readonly Document<unknown>[] | undefined,
  settings: JsonObject | undefined,
  crypto: Crypto,
): readonly OwnDocument[] => {
  const own: OwnDocument[] = [];
  if (profile !== null) {
    const named = { reason: 'PROFILE_NOT_NAMED_BY_RECEIPT', input: 'profile' } as const;
    own.push({ ...named, what: 'profile_id', member: 'profile_id', given: profile.value.profile_id });
    own.push({ ...named, what: 'digest', member: 'profile_digest', given: profileDigest(profile.document, crypto) });
  }
  if (families !== undefined) {
    const documents = families.map(({ document }) => document);
    const named = { reason: 'FAMILIES_NOT_NAMED_BY_RECEIPT', input: 'families' } as const;
    own.push({ ...named, what: 'digest', member: 'families_digest', given: familiesDigest(documents, crypto) });
  }
  if (settings !== undefined) {
    const named = { reason: 'SETTINGS_NOT_NAMED_BY_RECEIPT', input: 'settings' } as const;
    own.push({ ...named, what: 'digest', member: 'settings_digest', given: settingsDigest(settings, crypto) });
  }
  return own;
};

/**
 * Compares the verifier's own documents with those that the receipt names (FORMAT.md section 8). One that was not given
 * is not compared, and the report says so.
 */
export const namedByReceipt = (receipt: ReceiptBody, own: readonly OwnDocument[]): readonly Refusal[] =>
  own
    .filter(({ member, given }) => receipt[member] !== given)
    .map(({ reason, input, what, member, given }) => ({
      reason,
      at: { input },
      detail: `the receipt names ${what} ${receipt[member]}; the one given has ${given}`,
    }));
