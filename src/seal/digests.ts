import { canonical } from '../base/canonical.ts';
import type { Crypto } from '../base/crypto.ts';
import { type Digest, DigestedText, digestValue } from '../base/digest.ts';
import type { JsonObject } from '../base/json-value.ts';
import { TAGS } from '../base/tags.ts';
import type { Commitment } from './commitments.ts';
import { compareIds } from './id-order.ts';

/** D(`A2AFT.Commitments.v3`, S(commitments list)), the list as a receipt carries it: entries of exactly c, i and h. */
export const commitmentsDigest = (list: readonly Commitment[], crypto: Crypto): Digest<'commitments'> => {
  const text = new DigestedText(TAGS.commitments, crypto);
  text.write('[');
  for (const [at, { c, h, i }] of list.entries()) {
    text.write(`${at === 0 ? '' : ','}{"c":"${c}","h":"${h}","i":${canonical(i)}}`);
  }
  text.write(']');
  return text.digest();
};

/** D(`A2AFT.Profile.v3`, S(profile document)). */
export const profileDigest = (profile: JsonObject, crypto: Crypto): Digest<'profile'> =>
  digestValue(crypto, TAGS.profile, profile);

/** D(`A2AFT.Families.v3`, S(family documents by `family_id`)); of none, S([]). */
export const familiesDigest = (families: readonly JsonObject[], crypto: Crypto): Digest<'families'> =>
  digestValue(
    crypto,
    TAGS.families,
    [...families].sort((a, b) => compareIds(familyId(a), familyId(b))),
  );

const familyId = ({ family_id: id }: JsonObject): string => (typeof id === 'string' ? id : canonical(id ?? null));

/** D(`A2AFT.Settings.v3`, S(settings document)); with none in force, of {}. */
export const settingsDigest = (settings: JsonObject, crypto: Crypto): Digest<'settings'> =>
  digestValue(crypto, TAGS.settings, settings);

/** `sha256:` and the SHA-256 of the 32 raw key bytes (FORMAT.md section 6). */
export const keyIdOf = (publicKey: Uint8Array, crypto: Crypto): string => `sha256:${crypto.sha256Hex(publicKey)}`;
