import { expect, it } from 'vitest';
import { encodeUtf8 } from '../../src/base/utf8.ts';
import { COLLECTIONS } from '../../src/evidence/collections.ts';
import { type BundleIds, IdIndex } from '../../src/evidence/id-index.ts';
import { IdList } from '../../src/evidence/id-list.ts';
import type { Commitment } from '../../src/seal/commitments.ts';
import { commitmentsDigest } from '../../src/seal/digests.ts';
import { holdList } from '../../src/seal/listed.ts';
import { Leaves } from '../../src/seal/merkle.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';

const hashOf = (text: string): string => nativeCrypto.sha256Hex(text);

/** Λ of so many records in each collection, stored backwards where it is told so, and so many edges. */
const lambdaOf = (records: number, edges: number, isBackwards: boolean) => {
  const commitments: Commitment[] = [];
  const ids = Object.fromEntries(
    COLLECTIONS.map((c) => {
      const inOrder = Array.from({ length: records }, (_, at) => `${c}-${String(at).padStart(6, '0')}`);
      for (const i of inOrder) commitments.push({ c, i, h: hashOf(`${c} ${i}`) as Commitment['h'] });
      const stored = new IdList();
      for (const id of isBackwards ? inOrder.toReversed() : inOrder)
        stored.pushAll(encodeUtf8(id), Uint32Array.of(id.length));
      return [c, IdIndex.of(stored)];
    }),
  ) as unknown as BundleIds;
  const labels = Array.from({ length: edges }, (_, at) => hashOf(`edge ${at}`).slice(0, 24)).sort();
  for (const i of labels) commitments.push({ c: 'edges', i, h: hashOf(i) as Commitment['h'] });
  const leaves = new Leaves(commitments.length);
  for (const [at, { h }] of commitments.entries()) leaves.set(at, h);
  return { commitments, lambda: { ids, labels: Buffer.from(labels.join(''), 'hex'), leaves } };
};

const written = (commitments: readonly Commitment[], between: string): string =>
  `[${between}${commitments.map(({ c, h, i }) => JSON.stringify({ c, h, i })).join(`${between},${between}`)}${between}]`;

it.each([
  [1, 0, false, ''],
  [3, 2, true, '\n'],
  // More than is made at a time.
  [60, 900, false, ''],
  [60, 900, true, ' \n\t\r'],
])(
  'a list of %i records a collection and %i edges, backwards: %s, with %j between',
  (records, edges, isBackwards, between) => {
    const { commitments, lambda } = lambdaOf(records, edges, isBackwards);
    const text = written(commitments, between);
    const bytes = encodeUtf8(`before${text} after`);
    expect(holdList({ bytes, start: 6 }, lambda, nativeCrypto)).toEqual({
      digest: commitmentsDigest(commitments, nativeCrypto),
      end: 6 + text.length,
    });
  },
);

it('a list that is cut where the memory of the kernel ends is read no further', () => {
  const { commitments, lambda } = lambdaOf(0, 1, false);
  const text = written(commitments, '');
  for (let cut = 17; cut < 25; cut++) {
    // One byte more is a whole number of the pages that memory grows by, and each is larger than the one before.
    const size = (1 << 22) + cut * (1 << 16) - 1;
    const kept = text.slice(1, -cut);
    const bytes = encodeUtf8(`[${' '.repeat(size - 1 - kept.length)}${kept}`);
    expect(holdList({ bytes, start: 0 }, lambda, nativeCrypto)).toBeNull();
  }
});

it('no other list is held for it: a byte changed anywhere, an entry more, one less, one twice, two changed about', () => {
  const { commitments, lambda } = lambdaOf(40, 300, false);
  const held = (text: string): unknown => holdList({ bytes: encodeUtf8(text), start: 0 }, lambda, nativeCrypto);
  const text = written(commitments, '');
  expect(held(text)).not.toBeNull();
  const at = (place: number): string =>
    `${text.slice(0, place)}${text[place] === '0' ? '1' : '0'}${text.slice(place + 1)}`;
  const places = [0, 1, 65_535, 65_536, text.length - 1, ...Array.from({ length: 500 }, (_, step) => step * 251)];
  for (const place of places.filter((one) => one < text.length))
    expect([place, held(at(place))]).toEqual([place, null]);
  const last = commitments.length - 1;
  const [first, second, ...others] = commitments as [Commitment, Commitment, ...Commitment[]];
  for (const other of [
    [],
    commitments.slice(1),
    commitments.slice(0, last),
    [first, ...commitments],
    [...commitments, commitments[last]!],
    [second, first, ...others],
  ]) {
    expect(held(written(other, ''))).toBeNull();
  }
  for (const cut of ['', '[', text.slice(0, -1), text.slice(0, 70_000), text.slice(0, 65_536)])
    expect(held(cut)).toBeNull();
});
