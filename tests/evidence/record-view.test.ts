import { expect, it } from 'vitest';
import { inMemory } from '../../src/base/byte-source.ts';
import { canonical } from '../../src/base/canonical.ts';
import type { JsonObject, JsonValue } from '../../src/base/json-value.ts';
import { encodeUtf8 } from '../../src/base/utf8.ts';
import { COLLECTION_INFO, COLLECTIONS } from '../../src/evidence/collections.ts';
import { idsOf } from '../../src/evidence/id-index.ts';
import { viewsOf } from '../../src/evidence/record-view.ts';
import { type ScannedBundle, scanBundle } from '../../src/evidence/scan-bundle.ts';
import { buildBundle } from '../support/bundle.ts';

const bundle = buildBundle();
const scan = (document: JsonObject): ScannedBundle | null => scanBundle(inMemory(encodeUtf8(canonical(document))));
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

it('each member of each record is what was written, and nobody can change it', () => {
  const tables = scan(bundle)!;
  for (const collection of COLLECTIONS) {
    const rows = bundle[collection] as JsonObject[];
    const views = viewsOf(tables[collection]) as readonly unknown[] as readonly JsonObject[];
    expect(views).toHaveLength(rows.length);
    for (const [at, row] of rows.entries()) {
      const view = views[at]!;
      expect(plain(view)).toEqual(plain(row));
      for (const [name, value] of Object.entries(row)) {
        expect([collection, name, plain(view[name])]).toEqual([collection, name, plain(value)]);
        const held = view[name];
        if (typeof held === 'object' && held !== null && !Array.isArray(value)) {
          for (const [member, inner] of Object.entries(value as JsonObject)) expect(held).toHaveProperty(member, inner);
        }
        expect(() => {
          view[name] = null;
        }).toThrow(TypeError);
      }
    }
  }
});

it('a member holds its own value and no other', () => {
  const table = scan(bundle)!.exchanges;
  const [row] = bundle.exchanges as [JsonObject];
  const others: readonly JsonValue[] = [null, true, false, 0, 200, '', 'POST', 'é', 'a\\b', 'a"b', [], {}];
  for (const [name, value] of Object.entries(row)) {
    const member = table.memberNamed(name);
    expect([name, table.holds(0, member, value)]).toEqual([name, true]);
    for (const other of others) {
      expect([name, other, table.holds(0, member, other)]).toEqual([
        name,
        other,
        canonical(other) === canonical(value),
      ]);
    }
  }
});

it.each(['é', 'a\\b', 'a"b', '\n', '\u001f', '𝄞', 'plain', ''])('a text with %j is held as it is', (text) => {
  const [first, ...others] = bundle.exchanges as [JsonObject];
  const table = scan({ ...bundle, exchanges: [{ ...first, url: text }, ...others] })!.exchanges;
  const url = table.memberNamed('url');
  expect(table.holds(0, url, text)).toBe(true);
  expect(table.holds(0, url, `${text}x`)).toBe(false);
  expect(viewsOf<'exchanges'>(table)[0]!.url).toBe(text);
});

it('an id that is used twice has no index', () => {
  const [first] = bundle.endpoints as [JsonObject];
  expect(idsOf(scan(bundle)!)!.endpoints.rowOf(first[COLLECTION_INFO.endpoints.id] as string)).toBe(0);
  expect(idsOf(scan({ ...bundle, endpoints: [first, first] })!)).toBeNull();
});

it.each([
  ['a member that is not of the format', { ...bundle, more: [] }],
  ['a list that is none', { ...bundle, exchanges: null }],
  ['a record that does not fit', { ...bundle, exchanges: [{}] }],
  ['another version', { ...bundle, profile_version: '4' }],
])('a bundle with %s is left to the reader', (_, document) => {
  expect(scan(document as JsonObject)).toBeNull();
});

it('a bundle without one of its members is left to the reader', () => {
  for (const name of Object.keys(bundle)) {
    const { [name]: _, ...others } = bundle;
    expect([name, scan(others)]).toEqual([name, null]);
  }
});
