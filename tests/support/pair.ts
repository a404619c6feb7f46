import { readFileSync } from 'node:fs';
import type { JsonObject } from '../../src/base/json-value.ts';
import { profileDigest } from '../../src/seal/digests.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { asObject, buildBundle, bytesOf } from './bundle.ts';
import { seal, testSigner, trustDocument } from './seal.ts';

/** The general profile with members of its own, under the id that the built bundle names. */
export const testProfile = (members: object = {}): JsonObject =>
  asObject({ ...JSON.parse(readFileSync('profiles/general.json', 'utf8')), profile_id: 'profile-1', ...members });

/** A profile that pins the trusted card of the built bundle. */
export const pinningProfile = (bundle: JsonObject = buildBundle()): JsonObject => {
  const trusted = bundle.trusted_cards as unknown as { name: string; raw: { sha256: string } }[];
  const pinned_cards = trusted.map(({ name, raw }) => ({ name, sha256: raw.sha256, allowed_origins: [] }));
  return testProfile({
    as: { pinned_cards, similarity_threshold_bp: 7500, unknown_card: 'observe', changed_card: 'observe' },
  });
};

/** The built bundle sealed under a profile, as files. */
export const sealedFiles = (
  bundle: JsonObject = buildBundle(),
  profile: JsonObject = pinningProfile(bundle),
  signer = testSigner(),
) => ({
  bundle: bytesOf(bundle),
  receipt: bytesOf(seal(bundle, { profile_digest: profileDigest(profile, nativeCrypto) }, signer)),
  profile: bytesOf(profile),
  trust: bytesOf(trustDocument()),
});
