import fc from 'fast-check';
import { expect, it } from 'vitest';
import { encodeUtf8 } from '../../src/base/utf8.ts';
import { IdIndex } from '../../src/evidence/id-index.ts';
import { IdList } from '../../src/evidence/id-list.ts';

const listOf = (ids: readonly string[]): IdList => {
  const list = new IdList();
  for (const id of ids) list.pushAll(encodeUtf8(id), Uint32Array.of(id.length));
  return list;
};

const id = fc.string({ unit: fc.constantFrom('a', 'b', '0', '1', '-', ':', '_'), minLength: 1, maxLength: 6 });

it('finds the row of each id and of no other, and knows the order of their bytes', () => {
  fc.assert(
    fc.property(fc.uniqueArray(id, { maxLength: 60 }), fc.array(id, { maxLength: 20 }), (ids, others) => {
      const index = IdIndex.of(listOf(ids))!;
      for (const one of [...ids, ...others, 'é', '\u0161', '', 'x'.repeat(500)]) {
        expect([one, index.rowOf(one)]).toEqual([one, ids.indexOf(one)]);
      }
      expect(ids.map((_, row) => index.ids.at(row))).toEqual(ids);
      const rows = index.inOrder === null ? ids.map((_, row) => row) : [...index.inOrder];
      expect(rows.map((row) => ids[row])).toEqual(ids.toSorted());
      const isSorted = ids.every((one, at) => at === 0 || ids[at - 1]! < one);
      expect(index.inOrder === null).toBe(isSorted);
    }),
  );
});

it('has no index of ids of which one is used twice', () => {
  fc.assert(
    fc.property(fc.uniqueArray(id, { minLength: 1, maxLength: 30 }), fc.nat(), fc.nat(), (ids, which, where) => {
      const twice = ids.toSpliced(where % (ids.length + 1), 0, ids[which % ids.length]!);
      expect(IdIndex.of(listOf(twice))).toBeNull();
    }),
  );
});

const many = Array.from({ length: 100_000 }, (_, at) => `artifact-${at}`);

it('holds very many ids as captures number them', () => {
  const index = IdIndex.of(listOf(many))!;
  expect(many.every((one, row) => index.rowOf(one) === row)).toBe(true);
  expect([index.rowOf('artifact-100000'), index.rowOf('artifact-')]).toEqual([-1, -1]);
});

/** FNV-1a, its upper half folded into the lower. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
};

it('has no index of ids that were chosen to fall into one place: looking each of them up would cost the square of their number', () => {
  const places = 4 << 10;
  const chosen: string[] = [];
  for (let at = 0; chosen.length < 600; at++) if (hashOf(`x${at}`) % places === 7) chosen.push(`x${at}`);
  expect(IdIndex.of(listOf(chosen))).toBeNull();
  expect(IdIndex.of(listOf(chosen.slice(0, 500)))!.rowOf(chosen[499]!)).toBe(499);
});
