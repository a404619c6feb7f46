import { expect, it } from 'vitest';
import { isIncluded, leafHash } from '../../src/pcm/inclusion.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { proofOf, rootOf } from './lab.ts';

const entry = (i: number): Uint8Array => new Uint8Array(32).fill(i);
const SIZES = Array.from({ length: 17 }, (_, i) => i + 1);

it.each(SIZES)('a tree of %i leaves: each leaf at its own place, by its own proof, and nowhere else', (size) => {
  const entries = Array.from({ length: size }, (_, i) => entry(i));
  const tree = { size: BigInt(size), root: rootOf(entries) };
  for (let leaf = 0; leaf < size; leaf++) {
    const proof = proofOf(leaf, entries);
    for (let index = 0; index <= size; index++) {
      const claimed = { index: BigInt(index), hash: leafHash(entry(leaf), nativeCrypto) };
      expect([leaf, index, isIncluded(claimed, tree, proof, nativeCrypto)]).toEqual([leaf, index, leaf === index]);
    }
    const own = { index: BigInt(leaf), hash: leafHash(entry(leaf), nativeCrypto) };
    expect(isIncluded(own, tree, [...proof, entry(0)], nativeCrypto)).toBe(false);
    if (proof.length > 0) expect(isIncluded(own, tree, proof.slice(1), nativeCrypto)).toBe(false);
    expect(isIncluded({ ...own, hash: entry(leaf) }, tree, proof, nativeCrypto)).toBe(false);
  }
});

/** Root, hashes and proofs as the protocol's README prints them: size 9, places 3, 4 and 5. */
it.each([
  [
    3,
    '444ea34333ed7e77be0fe1ca8f57b108b93d79258dd27ec3f2ffe0f5d89409f5',
    'GHc2iRz78zZ9UrFNQfRdYDhZyd9ere1mVrgDE2zN4w8= a1WP4EFPP5lJvKXGna0/aMjExMY6buoajX2ZZWWR87w= XV3DvLmIxeoAAS29RasT6tRFgGOFhLjjSzUyQPdNyZs= oGluwXsyMyIJMoCTujrGPPsyxEcnsqfn+A06KUVWSuc=',
  ],
  [
    4,
    '39c29ce4973ac0753b77f3ae1a7056a8d06d054fe6b7ea951c423f5b5491288a',
    'fc2FAMAMEmTGeNOEggj5AuC4lnCiG6ZqObEWzUcNHsU= 8j9RAMAAem3ddLt8BiZLIR4p1Hel7+3/XhWay/9A3Gg= EbdsQQodmPPv9Jd89YbsSA1vYYjly5d/Q+Y6uHghTdc= oGluwXsyMyIJMoCTujrGPPsyxEcnsqfn+A06KUVWSuc=',
  ],
  [
    5,
    '3483c8f824e7072e479f93de2a5d9ce2f4e32ed6fc5472e8621a353da9371e1b',
    'ePM3fNgfQR2STyNfBlxMZY4mugWmhJwjaNTjT420NBM= 8j9RAMAAem3ddLt8BiZLIR4p1Hel7+3/XhWay/9A3Gg= EbdsQQodmPPv9Jd89YbsSA1vYYjly5d/Q+Y6uHghTdc= oGluwXsyMyIJMoCTujrGPPsyxEcnsqfn+A06KUVWSuc=',
  ],
])('the printed proof of place %i leads to the printed root', (seq, hash, proof) => {
  const tree = { size: 9n, root: Buffer.from('QhInJS9+Rjyar8mhP1wGwzx1O2DYcMy8af/XYRCqSb8=', 'base64') };
  const leaf = { index: BigInt(seq), hash: leafHash(Buffer.from(hash, 'hex'), nativeCrypto) };
  const hashes = proof.split(' ').map((text) => new Uint8Array(Buffer.from(text, 'base64')));
  expect(isIncluded(leaf, tree, hashes, nativeCrypto)).toBe(true);
});
