import type { Crypto } from '../base/crypto.ts';
import type { JsonObject } from '../base/json-value.ts';
import type { Reason } from '../base/reasons.ts';
import type { Refusal } from '../base/result.ts';
import type { Profile } from '../rules/profile.ts';
import { familiesDigest, profileDigest, settingsDigest } from '../seal/digests.ts';
import type { ReceiptBody } from '../seal/receipt.ts';
import type { Document } from './documents.ts';

type Stated = {
  readonly reason: Reason;
  readonly input: string;
  readonly what: string;
  readonly stated: string;
  readonly given: string;
};

/**
 * Compares the verifier's own documents with those that the receipt names (FORMAT.md section 8). One that was not given
 * is not compared, and the report says so; `profile` is null when the user judges under another one.
 */
export const namedByReceipt = (
  receipt: ReceiptBody,
  profile: Document<Profile> | null,
  families: readonly Document<unknown>[] | undefined,
  settings: JsonObject | undefined,
  crypto: Crypto,
): readonly Refusal[] => {
  const compared: Stated[] = [];
  if (profile !== null) {
    const reason = 'PROFILE_NOT_NAMED_BY_RECEIPT';
    const given = profileDigest(profile.document, crypto);
    compared.push({
      reason,
      input: 'profile',
      what: 'profile_id',
      stated: receipt.profile_id,
      given: profile.value.profile_id,
    });
    compared.push({ reason, input: 'profile', what: 'digest', stated: receipt.profile_digest, given });
  }
  if (families !== undefined) {
    const given = familiesDigest(
      families.map(({ document }) => document),
      crypto,
    );
    compared.push({
      reason: 'FAMILIES_NOT_NAMED_BY_RECEIPT',
      input: 'families',
      what: 'digest',
      stated: receipt.families_digest,
      given,
    });
  }
  if (settings !== undefined) {
    const given = settingsDigest(settings, crypto);
    compared.push({
      reason: 'SETTINGS_NOT_NAMED_BY_RECEIPT',
      input: 'settings',
      what: 'digest',
      stated: receipt.settings_digest,
      given,
    });
  }
  return compared
    .filter(({ stated, given }) => stated !== given)
    .map(({ reason, input, what, stated, given }) => ({
      reason,
      at: { input },
      detail: `the receipt names ${what} ${stated}; the one given has ${given}`,
    }));
};
