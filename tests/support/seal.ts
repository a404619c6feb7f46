import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import type { JsonObject } from '../../src/base/json-value.ts';
import { familiesDigest, keyIdOf, profileDigest, settingsDigest } from '../../src/seal/digests.ts';
import { type ReceiptBody, receiptMessage, type Signer, type Statement, sealBundle } from '../../src/seal/receipt.ts';
import { readTrust, type TrustStore } from '../../src/seal/trust.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { asObject, buildBundle, bytesOf } from './bundle.ts';

/** PrivateKeyInfo of Ed25519 up to the 32 seed bytes (RFC 8410 section 7). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

const privateKey = (seed: number): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, Buffer.alloc(32, seed)]), format: 'der', type: 'pkcs8' });

/** The raw public key of the fixed test key of that seed. */
export const publicKeyOf = (seed: number): Uint8Array =>
  new Uint8Array(createPublicKey(privateKey(seed)).export({ format: 'der', type: 'spki' }).subarray(-32));

/** A signer with the fixed test key of that seed (0..255). */
export const testSigner = (seed = 1, signer_id = 'signer-1'): Signer => {
  const key = privateKey(seed);
  return {
    signer_id,
    key_id: keyIdOf(publicKeyOf(seed), nativeCrypto),
    sign: (message) => new Uint8Array(sign(null, message, key)),
  };
};

/** A key of a trust store, active since 2026 unless `members` say otherwise. */
export const trustKey = (seed = 1, members: object = {}) => ({
  key_id: keyIdOf(publicKeyOf(seed), nativeCrypto),
  public_key: Buffer.from(publicKeyOf(seed)).toString('base64'),
  status: 'active',
  valid_from: '2026-01-01T00:00:00.000Z',
  ...members,
});

export const trustDocument = (...keys: readonly object[]) => ({
  format: 'a2aft.trust.v1',
  signers: [{ signer_id: 'signer-1', keys: keys.length > 0 ? keys : [trustKey()] }],
});

/** Reads a trust document that must be without fault. */
export const trustOf = (document: unknown): TrustStore => {
  const trust = readTrust(bytesOf(document), nativeCrypto);
  if (!trust.ok) throw new Error(JSON.stringify(trust.refusals));
  return trust.value;
};

const PROFILE = { format: 'test.profile', profile_id: 'profile-1' };

export const statement = (): Statement => ({
  profile_digest: profileDigest(asObject(PROFILE), nativeCrypto),
  families_digest: familiesDigest([], nativeCrypto),
  settings_digest: settingsDigest({}, nativeCrypto),
  issued_at: '2026-03-01T11:00:00.000Z',
});

const SIGNER = testSigner();

/** The receipt of a bundle under the test signer. */
export const seal = (bundle: JsonObject, stated: Partial<Statement> = {}, signer = SIGNER): JsonObject =>
  asObject(sealBundle(bundle, { ...statement(), ...stated }, signer, nativeCrypto));

/** The receipt with other members of its body, signed again. */
export const resigned = (
  receipt: JsonObject,
  members: { readonly [M in keyof ReceiptBody]?: unknown },
  signer = SIGNER,
): JsonObject => {
  const signedBody = asObject({ ...(receipt.body as JsonObject), ...members });
  const signature = Buffer.from(signer.sign(receiptMessage(signedBody))).toString('base64');
  return { ...receipt, body: signedBody, signature };
};

/** A valid bundle with its receipt and a trust store, as values and as files. */
export const sealed = () => {
  const bundle = buildBundle();
  const receipt = seal(bundle);
  const trust = trustDocument();
  const files = { bundle: bytesOf(bundle), receipt: bytesOf(receipt), trust: bytesOf(trust) };
  return { bundle, receipt, trust: trustOf(trust), files };
};
