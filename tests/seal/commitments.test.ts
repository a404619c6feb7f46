import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json-value.ts';
import { portableCrypto } from '../../src/base/portable-crypto.ts';
import { COLLECTION_INFO, COLLECTIONS } from '../../src/evidence/collections.ts';
import { commitBundle } from '../../src/seal/commitments.ts';
import { compareIds } from '../../src/seal/id-order.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { asObject, buildBundle } from '../support/bundle.ts';
import { at, removed, replaced } from '../support/edit.ts';

/** D(tag, S(x)) by the words of FORMAT.md and an RFC 8785 implementation that is not ours. */
const D = (tag: string, value: unknown): string =>
  createHash('sha256')
    .update(`${tag}\0${canonicalize(value)}`)
    .digest('hex');

const plain = (value: unknown) => JSON.parse(JSON.stringify(value));

test('Λ and C_T of the built bundle are those of the formulas', () => {
  const bundle = buildBundle();
  const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
  const records = COLLECTIONS.flatMap((c) => {
    const { id, type: t } = COLLECTION_INFO[c];
    return (plain(bundle[c]) as Record<string, string>[])
      .sort((a, b) => byBytes(a[id]!, b[id]!))
      .map((p) => ({ c, i: p[id], h: D('A2AFT.Record.v3', { c, i: p[id], p, t, v: '3' }) }));
  });
  const edges = (plain(bundle.edges) as { edge_id: string }[])
    .map(({ edge_id: i, ...e }) => ({ c: 'edges', i, h: D('A2AFT.Edge.v3', { e, i, v: '3' }) }))
    .sort((a, b) => byBytes(a.i, b.i));
  const expected = { commitments: [...records, ...edges], captureDigest: D('A2AFT.Capture.v3', plain(bundle)) };
  expect(commitBundle(bundle, nativeCrypto)).toEqual(expected);
  expect(commitBundle(bundle, portableCrypto)).toEqual(expected);
});

test('stored order moves C_T and not Λ', () => {
  const bundle = buildBundle();
  const reversed = replaced(bundle, ['exchanges'], (at(bundle, ['exchanges']) as JsonObject[]).toReversed());
  const before = commitBundle(bundle, nativeCrypto);
  const after = commitBundle(reversed, nativeCrypto);
  expect(after.commitments).toEqual(before.commitments);
  expect(after.captureDigest).not.toBe(before.captureDigest);
});

test('a collection that is no array counts as empty, its value is in C_T alone', () => {
  const bundle = buildBundle();
  const digests = [null, 'text', 7, true, asObject({ a: 1 })].map((value) => {
    const { commitments, captureDigest } = commitBundle(replaced(bundle, ['exchanges'], value), nativeCrypto);
    expect(commitments.filter(({ c }) => c === 'exchanges')).toEqual([]);
    return captureDigest;
  });
  const without = commitBundle(removed(bundle, ['exchanges']), nativeCrypto);
  expect(without.commitments.filter(({ c }) => c === 'exchanges')).toEqual([]);
  expect(new Set([...digests, without.captureDigest]).size).toBe(6);
});

test('rows that are no records are committed as they stand, without an id and first; equal ids keep stored order', () => {
  const rows = [
    { exchange_id: 'b', n: 1 },
    null,
    { exchange_id: 'b', n: 0 },
    { exchange_id: 5 },
    'x',
    { exchange_id: 'a' },
  ];
  const { commitments } = commitBundle(asObject({ exchanges: rows }), nativeCrypto);
  const h = (i: string | null, p: unknown) =>
    D('A2AFT.Record.v3', { c: 'exchanges', i, p, t: 'RuntimeExchange', v: '3' });
  expect(commitments.map(({ i, h }) => ({ i, h }))).toEqual([
    { i: null, h: h(null, null) },
    { i: null, h: h(null, { exchange_id: 5 }) },
    { i: null, h: h(null, 'x') },
    { i: 'a', h: h('a', { exchange_id: 'a' }) },
    { i: 'b', h: h('b', { exchange_id: 'b', n: 1 }) },
    { i: 'b', h: h('b', { exchange_id: 'b', n: 0 }) },
  ]);
});

test('an edge that is no object, or has no label, is committed as it stands', () => {
  const { commitments } = commitBundle(asObject({ edges: ['x', { relation: 'r' }] }), nativeCrypto);
  expect(commitments).toEqual([
    { c: 'edges', i: null, h: D('A2AFT.Edge.v3', { e: 'x', i: null, v: '3' }) },
    { c: 'edges', i: null, h: D('A2AFT.Edge.v3', { e: { relation: 'r' }, i: null, v: '3' }) },
  ]);
});

test('the capture digest of any object is that of its RFC 8785 text', () => {
  const name = fc.constantFrom('edges', 'exchanges', 'format', 'zz', 'a');
  fc.assert(
    fc.property(fc.dictionary(name, fc.oneof(fc.integer(), fc.array(fc.string({ unit: 'grapheme' })))), (value) => {
      expect(commitBundle(asObject(value), nativeCrypto).captureDigest).toBe(D('A2AFT.Capture.v3', { ...value }));
    }),
  );
});

test('ids compare as their UTF-8 bytes, also where UTF-16 would not', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', 'b', '\u{7f}', '\u{e000}', '\u{ffff}', '\u{10000}', '\u{10ffff}'),
  });
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(Math.sign(compareIds(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
    { numRuns: 2000 },
  );
  expect(compareIds(null, '')).toBe(-1);
  expect(compareIds('', null)).toBe(1);
  expect(compareIds(null, null)).toBe(0);
});
