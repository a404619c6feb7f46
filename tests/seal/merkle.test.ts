import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { portableCrypto } from '../../src/base/portable-crypto.ts';
import { merkleRoot } from '../../src/seal/merkle.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const leaves = (size: number): string[] => Array.from({ length: size }, (_, at) => hash(`leaf ${at}`));

const nodeHash = (left: string, right: string): string =>
  createHash('sha256')
    .update(Buffer.concat([Buffer.from('A2AFT.MerkleNode.v3\0'), Buffer.from(left + right, 'hex')]))
    .digest('hex');

/** By recursion from the top: a subtree of a height covers 2^height leaves; one without leaves repeats its sibling. */
const naiveRoot = (all: readonly string[]): string => {
  const node = (height: number, at: number): string | null => {
    if (height === 0) return all[at] ?? null;
    const left = node(height - 1, 2 * at);
    return left === null ? null : nodeHash(left, node(height - 1, 2 * at + 1) ?? left);
  };
  return node(Math.ceil(Math.log2(all.length)), 0)!;
};

const sizes = Array.from({ length: 64 }, (_, at) => at + 1);

describe.each([nativeCrypto, portableCrypto])('$name', (crypto) => {
  test.each(sizes)('a tree of %i leaves has the root of the recursive definition', (size) => {
    expect(merkleRoot(leaves(size), crypto)).toBe(naiveRoot(leaves(size)));
  });
});

test.each(sizes)('of %i leaves, each one moves the root', (size) => {
  const all = leaves(size);
  const roots = all.map((_, at) => merkleRoot(all.with(at, hash('other')), nativeCrypto));
  expect(new Set([...roots, merkleRoot(all, nativeCrypto)]).size).toBe(size + 1);
});

test('one leaf is its own root, and no leaves have none', () => {
  expect(merkleRoot([hash('a')], nativeCrypto)).toBe(hash('a'));
  expect(merkleRoot([], nativeCrypto)).toBeNull();
});

test('repeating the end of an odd list keeps the root, which is why a root alone proves nothing', () => {
  const [a, b, c, d, e, f] = leaves(6) as [string, string, string, string, string, string];
  expect(merkleRoot([a, b, c], nativeCrypto)).toBe(merkleRoot([a, b, c, c], nativeCrypto));
  expect(merkleRoot([a, b, c, d, e, f], nativeCrypto)).toBe(merkleRoot([a, b, c, d, e, f, e, f], nativeCrypto));
});
