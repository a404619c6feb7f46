import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonical, writeCanonical } from '../../src/base/canonical.ts';
import { digest, digestValue, taggedBytes } from '../../src/base/digest.ts';
import type { JsonValue } from '../../src/base/json-value.ts';
import { portableCrypto } from '../../src/base/portable-crypto.ts';
import { TAGS } from '../../src/base/tags.ts';
import { encodeUtf8 } from '../../src/base/utf8.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { runs } from '../support/thorough.ts';
import { modelValue, textOf } from './arbitraries.ts';

it('prints what canonicalize prints', () => {
  fc.assert(
    fc.property(modelValue, (value) => {
      expect(canonical(value)).toBe(canonicalize(value));
    }),
    { numRuns: runs(20_000, 4_000) },
  );
});

it('prints any names and strings as canonicalize does, and JSON.parse reads them back', () => {
  fc.assert(
    fc.property(fc.dictionary(textOf(6), textOf(12), { noNullPrototype: false }), (value) => {
      const text = canonical(value);
      if (text !== canonicalize(value)) throw new Error(text);
      expect(JSON.parse(text)).toEqual({ ...value });
    }),
    { numRuns: runs(20_000, 4_000) },
  );
});

it('sorts by UTF-16 code units, not by code points', () => {
  expect(canonical({ '\ufb33': 1, '\u{1f602}': 2, '\u20ac': 3, a1: 4, a: 5, '10': 6, '9': 7 })).toBe(
    '{"10":6,"9":7,"a":5,"a1":4,"\u20ac":3,"\u{1f602}":2,"\ufb33":1}',
  );
});

it.each([1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, '\ud800', '\udc00x', '\n\ud83d'])(
  'throws on %j, which is outside the model',
  (value) => {
    expect(() => canonical([value])).toThrow(RangeError);
  },
);

it('hands out pieces that join to the text and part no surrogate pair', () => {
  const value: JsonValue = Array.from({ length: 40_000 }, (_, i) => ['\u{1f602}'.repeat(i % 7), i]);
  const pieces: string[] = [];
  writeCanonical(value, (piece) => pieces.push(piece));
  expect(pieces.length).toBeGreaterThan(5);
  expect(pieces.join('')).toBe(JSON.stringify(value));
  for (const piece of pieces) expect(piece).not.toMatch(/^[\udc00-\udfff]|[\ud800-\udbff]$/);
});

it('D(tag, z) is SHA-256 over tag, one zero byte and z, however z is handed over', () => {
  const z = '{"a":"\u20ac"}';
  // printf 'A2AFT.Profile.v3\0{"a":"€"}' | sha256sum
  const expected = '050b30ef67c935e6ff1ffd51daa1551aa18bbe81eb7a086f0499809846f3fc47';
  for (const crypto of [nativeCrypto, portableCrypto]) {
    expect(digest(crypto, TAGS.profile, z)).toBe(expected);
    expect(digest(crypto, TAGS.profile, encodeUtf8(z))).toBe(expected);
    expect(digest(crypto, TAGS.profile, '{"a":', encodeUtf8('"\u20ac"'), '}')).toBe(expected);
    expect(digestValue(crypto, TAGS.profile, { a: '\u20ac' })).toBe(expected);
    expect(crypto.sha256Hex(taggedBytes(TAGS.profile, z))).toBe(expected);
  }
});

it('hashes a value in pieces as it hashes its text', () => {
  fc.assert(
    fc.property(modelValue, (value) => {
      expect(digestValue(nativeCrypto, TAGS.capture, value)).toBe(
        digest(portableCrypto, TAGS.capture, canonical(value)),
      );
    }),
    { numRuns: 500 },
  );
});

it('gives every domain its own tag', () => {
  const tags = Object.values(TAGS);
  expect(new Set(tags).size).toBe(10);
  for (const tag of tags) expect(tag).toMatch(/^A2AFT\.[A-Za-z]+\.v3$/);
});
