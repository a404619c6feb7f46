import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json-value.ts';
import { type Change, differenceOf } from '../../src/report/diff.ts';
import { asObject, buildBundle } from '../support/bundle.ts';
import { edits } from '../support/edit.ts';

const none = { changes: [], counts: { only_a: 0, only_b: 0, changed: 0, reordered: 0 } };
const bundleWith = (members: object): JsonObject => asObject({ ...buildBundle(), ...members });
const exchanges = () => buildBundle().exchanges as unknown as JsonObject[];
const pointersOf = (change: Change | undefined) =>
  change?.kind === 'changed' ? change.fields.map(({ pointer }) => pointer) : [];

describe('the difference of two bundles', () => {
  it('is none for the same content, and something for every single edit', () => {
    const bundle = buildBundle();
    expect(differenceOf(bundle, buildBundle())).toEqual(none);
    let count = 0;
    for (const { kind, path, value } of edits(bundle)) {
      // Ten thousand edits are the whole bundle; every ninth shows every kind at every depth.
      if (count++ % 9 !== 0) continue;
      const { counts } = differenceOf(bundle, value);
      expect([kind, path, Object.values(counts).some((number) => number > 0)]).toEqual([kind, path, true]);
    }
    expect(count).toBeGreaterThan(1000);
  });

  it('is the same from the other side, with the sides exchanged', () => {
    const [first, ...rest] = exchanges();
    const other = bundleWith({ exchanges: [...rest, { ...first!, exchange_id: 'exchange-9' }], artifacts: [] });
    const [there, back] = [differenceOf(buildBundle(), other), differenceOf(other, buildBundle())];
    expect([back.counts.only_a, back.counts.only_b]).toEqual([there.counts.only_b, there.counts.only_a]);
    expect(there.counts).toMatchObject({ only_a: 3, only_b: 1, changed: 0, reordered: 0 });
  });

  it('names record and member with both values', () => {
    const [first, ...rest] = exchanges();
    const changed = bundleWith({
      exchanges: [{ ...first!, status: 500, attributes: { ['__proto__']: 'x' } }, ...rest],
    });
    const [change] = differenceOf(buildBundle(), changed).changes;
    expect(change).toMatchObject({ kind: 'changed', collection: 'exchanges', id: 'exchange-1' });
    expect(change).toMatchObject({
      fields: expect.arrayContaining([
        { pointer: '/status', a: '200', b: '500' },
        { pointer: '/attributes', a: null, b: '{"__proto__":"x"}' },
      ]),
    });
    const [attribute] = differenceOf(
      changed,
      bundleWith({ exchanges: [{ ...first!, status: 500, attributes: { ['__proto__']: 'y' } }, ...rest] }),
    ).changes;
    expect(attribute).toMatchObject({ fields: [{ pointer: '/attributes/__proto__', a: '"x"', b: '"y"' }] });
  });

  it('shows of long values the part around the first character that differs', () => {
    const [first, ...rest] = exchanges();
    const withText = (text: string) => bundleWith({ exchanges: [{ ...first!, url: text }, ...rest] });
    const long = 'x'.repeat(1_000_000);
    const [change] = differenceOf(withText(`${long}a${long}`), withText(`${long}b${long}`)).changes;
    const around = (letter: string) => `"…${'x'.repeat(40)}${letter}${'x'.repeat(119)}…"`;
    expect(change).toMatchObject({ fields: [{ pointer: '/url', a: around('a'), b: around('b') }] });
  });

  it('tells another order of the same records, and counts records of one id apart', () => {
    const [first, ...rest] = exchanges();
    expect(differenceOf(buildBundle(), bundleWith({ exchanges: [...rest, first] })).changes).toEqual([
      { kind: 'reordered', collection: 'exchanges' },
    ]);
    expect(differenceOf(buildBundle(), bundleWith({ exchanges: [first, first, ...rest] })).changes).toEqual([
      { kind: 'only_b', collection: 'exchanges', id: 'exchange-1 (2)' },
    ]);
  });

  it('tells members that are no list of records', () => {
    const [change] = differenceOf(buildBundle(), bundleWith({ profile_version: '9', artifacts: 7, extra: [] })).changes;
    expect(change).toMatchObject({ kind: 'changed', collection: 'bundle', id: '' });
    expect(pointersOf(change).sort()).toEqual(['/artifacts', '/extra', '/profile_version']);
  });

  it('lists a thousand and counts the rest, and takes a bundle of any shape', () => {
    const many = bundleWith({ edges: Array.from({ length: 5000 }, (_, at) => ({ edge_id: `e${at}` })) });
    const { changes, counts } = differenceOf(bundleWith({ edges: [] }), many);
    expect([changes.length, counts.only_b]).toEqual([1000, 5000]);
    const shape = fc.dictionary(fc.constantFrom('exchanges', 'edges', 'format'), fc.jsonValue());
    fc.assert(
      fc.property(shape, shape, (a, b) => {
        const same = JSON.stringify(a) === JSON.stringify(b);
        const { counts: found } = differenceOf(a as JsonObject, b as JsonObject);
        if (same) expect(found).toEqual(none.counts);
        expect(differenceOf(a as JsonObject, a as JsonObject)).toEqual(none);
      }),
    );
  });
});
