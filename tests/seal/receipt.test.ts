import { createHash, createPublicKey, verify } from 'node:crypto';
import canonicalize from 'canonicalize';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json-value.ts';
import { familiesDigest, keyIdOf, profileDigest, settingsDigest } from '../../src/seal/digests.ts';
import { sealBundle } from '../../src/seal/receipt.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { asObject, buildBundle } from '../support/bundle.ts';
import { publicKeyOf, seal, statement, testSigner } from '../support/seal.ts';

const D = (tag: string, value: unknown): string =>
  createHash('sha256')
    .update(`${tag}\0${canonicalize(value)}`)
    .digest('hex');

describe('digests of the documents in force', () => {
  test('of a profile, of families in family_id order, of settings', () => {
    const [a, b] = [{ family_id: 'a', x: 1 }, { family_id: 'b' }] as const;
    expect(profileDigest(asObject({ b: 1, a: 2 }), nativeCrypto)).toBe(D('A2AFT.Profile.v3', { a: 2, b: 1 }));
    expect(familiesDigest([asObject(b), asObject(a)], nativeCrypto)).toBe(D('A2AFT.Families.v3', [a, b]));
    expect(settingsDigest(asObject({ limit: 1 }), nativeCrypto)).toBe(D('A2AFT.Settings.v3', { limit: 1 }));
  });
  test('of none in force', () => {
    expect(familiesDigest([], nativeCrypto)).toBe(D('A2AFT.Families.v3', []));
    expect(settingsDigest({}, nativeCrypto)).toBe(D('A2AFT.Settings.v3', {}));
  });
});

test('a key id is sha256: and the SHA-256 of the raw key', () => {
  const key = publicKeyOf(1);
  expect(keyIdOf(key, nativeCrypto)).toBe(`sha256:${createHash('sha256').update(key).digest('hex')}`);
});

test('a receipt is signed over the tag, a zero byte and S(body), and lists the commitments it digests', () => {
  const receipt = JSON.parse(JSON.stringify(seal(buildBundle())));
  const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), publicKeyOf(1)]);
  const message = Buffer.from(`A2AFT.Receipt.v3\0${canonicalize(receipt.body)}`);
  const key = createPublicKey({ key: spki, format: 'der', type: 'spki' });
  expect(verify(null, message, key, Buffer.from(receipt.signature, 'base64'))).toBe(true);
  expect(receipt.body.commitment_count).toBe(receipt.commitments.length);
  expect(receipt.body.commitments_digest).toBe(D('A2AFT.Commitments.v3', receipt.commitments));
  expect(receipt.body).toMatchObject({
    format: 'a2aft.receipt.v3',
    incident_id: 'incident-1',
    profile_id: 'profile-1',
    capture_backend: 'forensictrace',
    signer_id: 'signer-1',
    algorithm: 'Ed25519',
  });
});

test('without the list the digest is null and the member absent', () => {
  const receipt = seal(buildBundle(), { listCommitments: false });
  expect((receipt.body as JsonObject).commitments_digest).toBeNull();
  expect(receipt).not.toHaveProperty('commitments');
});

test('a list of more than 100,000 commitments is left out unless asked for', () => {
  const { trace_metadata } = buildBundle();
  const many = (size: number) => ({ trace_metadata, edges: Array.from({ length: size }, () => 0) }) as JsonObject;
  expect(seal(many(99_999))).toHaveProperty('commitments');
  expect(seal(many(100_000))).not.toHaveProperty('commitments');
  expect(seal(many(100_000), { listCommitments: true })).toHaveProperty('commitments');
});

test('a bundle without TraceMetadata cannot be sealed', () => {
  const { incident_id: _, ...nameless } = (buildBundle().trace_metadata as JsonObject[])[0]!;
  for (const trace_metadata of [[], null, [null], [nameless], [{ ...nameless, incident_id: 'a b' }]]) {
    expect(() => sealBundle(asObject({ trace_metadata }), statement(), testSigner(), nativeCrypto)).toThrow(RangeError);
  }
});
