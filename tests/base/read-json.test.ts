import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonical } from '../../src/base/canonical.ts';
import { requireFormat, requireObject } from '../../src/base/read-document.ts';
import { readJson } from '../../src/base/read-json.ts';
import { READ_REASONS } from '../../src/base/reasons/read.ts';
import { encodeUtf8 } from '../../src/base/utf8.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { runs } from '../support/thorough.ts';
import { jsonish, modelValue } from './arbitraries.ts';
import { tsvRows } from './tsv.ts';

const readBytes = (bytes: Uint8Array, recordAttributes = true) =>
  readJson(bytes, { input: 'bundle', recordAttributes });
const read = (text: string, recordAttributes = true) => readBytes(encodeUtf8(text), recordAttributes);
const told = (result: ReturnType<typeof readJson>) => {
  if (result.ok) return 'accepted';
  const { reason, at } = result.refusals[0]!;
  return `${reason} ${at.pointer} @${at.offset}`;
};

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const MIB = 1 << 20;

describe('texts of public reports', () => {
  it.each(tsvRows('cases/json/EXPECT.tsv'))('$evidence $file: $why', ({ file, evidence, canonical: digest }) => {
    const result = readBytes(readFileSync(new URL(`../cases/json/${file}`, import.meta.url)));
    expect(result.ok).toBe(evidence === 'accept');
    if (result.ok && digest !== '') expect(nativeCrypto.sha256Hex(canonical(result.value))).toBe(digest);
    if (!result.ok)
      expect(result.refusals[0]!.at).toMatchObject({
        input: 'bundle',
        pointer: expect.any(String),
        offset: expect.any(Number),
      });
  });
});

describe('every refusal names its reason, pointer and byte offset', () => {
  it.each([
    ['', 'READ_EMPTY  @0'],
    [' \n', 'READ_EMPTY  @2'],
    ['{"a":1', 'READ_TRUNCATED  @6'],
    ['{"a":', 'READ_TRUNCATED /a @5'],
    ['{"é', 'READ_TRUNCATED  @4'],
    ['{"a":[1,tru', 'READ_TRUNCATED /a/1 @11'],
    ['{"a":-', 'READ_TRUNCATED /a @6'],
    ['["\\u00', 'READ_TRUNCATED /0 @6'],
    ['["\\', 'READ_TRUNCATED /0 @3'],
    ['{"a":1,}', 'READ_SYNTAX  @7'],
    ['[1 2]', 'READ_SYNTAX  @3'],
    ["{'a':1}", 'READ_SYNTAX  @1'],
    ['["é\\x"]', 'READ_SYNTAX /0 @4'],
    ['[1.]', 'READ_SYNTAX /0 @3'],
    ['[1e+]', 'READ_SYNTAX /0 @4'],
    ['[.5]', 'READ_SYNTAX /0 @1'],
    ['[tru]', 'READ_SYNTAX /0 @1'],
    ['[1]\f', 'READ_TRAILING_BYTES  @3'],
    ['[1]\u00a0', 'READ_TRAILING_BYTES  @3'],
    ['{}{}', 'READ_TRAILING_BYTES  @2'],
    ['\ufeff{}', 'READ_BYTE_ORDER_MARK  @0'],
    [' \ufeff{}', 'READ_SYNTAX  @1'],
    ['{"a":{"b":1,"c":2,"\\u0062":3}}', 'READ_DUPLICATE_NAME /a/b @18'],
    [
      '{"exchanges":[{"attributes":{"x":"1","~/":"2","~/":"3"}}]}',
      'READ_DUPLICATE_NAME /exchanges/0/attributes/~0~1 @46',
    ],
    ['{"a":["\u20ac","\\ud800"]}', 'READ_UNPAIRED_SURROGATE /a/1 @12'],
    ['["\\udc00\\ud800"]', 'READ_UNPAIRED_SURROGATE /0 @1'],
    ['[-0]', 'READ_NUMBER_OUTSIDE_MODEL /0 @1'],
    ['[01]', 'READ_NUMBER_OUTSIDE_MODEL /0 @1'],
    ['[-01]', 'READ_NUMBER_OUTSIDE_MODEL /0 @1'],
    ['[1.0]', 'READ_NUMBER_OUTSIDE_MODEL /0 @1'],
    ['[1E2]', 'READ_NUMBER_OUTSIDE_MODEL /0 @1'],
    ['[9007199254740992]', 'READ_NUMBER_OUTSIDE_MODEL /0 @1'],
    ['[-9007199254740992]', 'READ_NUMBER_OUTSIDE_MODEL /0 @1'],
    ['{"A":1}', 'READ_NAME_OUTSIDE_GRAMMAR /A @1'],
    ['{"":1}', 'READ_NAME_OUTSIDE_GRAMMAR / @1'],
    ['{"a\\n":1}', 'READ_NAME_OUTSIDE_GRAMMAR /a\n @1'],
    ['{"__proto__":1}', 'READ_NAME_OUTSIDE_GRAMMAR /__proto__ @1'],
    ['{"exchanges":[{"attributes":{"X":1}}]}', 'READ_ATTRIBUTE_NOT_STRING /exchanges/0/attributes/X @33'],
    ['{"exchanges":[{"attributes":{"X":null}}]}', 'READ_ATTRIBUTE_NOT_STRING /exchanges/0/attributes/X @33'],
    ['{"exchanges":[{"attributes":{"X":{}}}]}', 'READ_ATTRIBUTE_NOT_STRING /exchanges/0/attributes/X @33'],
    ['{"exchanges":[{"a":{"attributes":{"X":"1"}}}]}', 'READ_NAME_OUTSIDE_GRAMMAR /exchanges/0/a/attributes/X @34'],
    ['{"exchanges":[[{"attributes":{"X":"1"}}]]}', 'READ_NAME_OUTSIDE_GRAMMAR /exchanges/0/0/attributes/X @30'],
    ['{"exchanges":{"attributes":{"X":"1"}}}', 'READ_NAME_OUTSIDE_GRAMMAR /exchanges/attributes/X @28'],
    ['{"attributes":{"X":"1"}}', 'READ_NAME_OUTSIDE_GRAMMAR /attributes/X @15'],
    ['{"edges":[{"attributes":{"X":"1"}}]}', 'READ_NAME_OUTSIDE_GRAMMAR /edges/0/attributes/X @25'],
    ['{"exchanges":[{"attributes":[{"X":"1"}]}]}', 'READ_NAME_OUTSIDE_GRAMMAR /exchanges/0/attributes/0/X @30'],
    [`{"a":${nested(64)}}`, `READ_TOO_DEEP /a${'/0'.repeat(63)} @68`],
  ])('%j', (text, expected) => {
    expect(told(read(text))).toBe(expected);
  });

  it.each([
    ['{"a":"', [0xff], '"}', 'READ_INVALID_UTF8 /a @6'],
    ['{"\u20ac', [0xc0, 0x80], '":1}', 'READ_INVALID_UTF8  @5'],
    ['[1,"x","', [0xed, 0xa0, 0x80], '"]', 'READ_INVALID_UTF8 /2 @8'],
    ['["', [0xe2, 0x82], '', 'READ_INVALID_UTF8 /0 @2'],
    ['[]', [0x80], '', 'READ_INVALID_UTF8  @2'],
  ])('%j then bytes %j', (before, bytes, after, expected) => {
    expect(told(readBytes(Buffer.concat([encodeUtf8(before), Buffer.from(bytes), encodeUtf8(after)])))).toBe(expected);
  });

  it('gives free names and string values to attributes of a bundle alone', () => {
    const text = '{"exchanges":[{"attributes":{"X y":"1"}}]}';
    expect(told(read(text))).toBe('accepted');
    expect(told(read(text, false))).toBe('READ_NAME_OUTSIDE_GRAMMAR /exchanges/0/attributes/X y @29');
    expect(told(read('{"exchanges":[{"attributes":{"x":1}}]}', false))).toBe('accepted');
    expect(told(read('{"exchanges":[{"attributes":7},{"attributes":["x",1]},{"attributes":null}]}'))).toBe('accepted');
  });

  it('judges a document that is no object or of another format', () => {
    const value = read('{"format":"a2aft.trust.v1","body":[]}');
    if (!value.ok) throw new Error('unread');
    const object = requireObject(value.value, 'trust', '');
    if (!object.ok) throw new Error('no object');
    expect(requireFormat(object.value, 'a2aft.trust.v1', 'trust', '').ok).toBe(true);
    expect(told(requireFormat(object.value, 'a2aft.trust.v2', 'trust', ''))).toBe(
      'READ_WRONG_FORMAT /format @undefined',
    );
    expect(told(requireObject(object.value.body, 'receipt', '/body'))).toBe('READ_NOT_AN_OBJECT /body @undefined');
    expect(told(requireObject(undefined, 'receipt', '/body'))).toBe('READ_NOT_AN_OBJECT /body @undefined');
  });
});

describe('bounds', () => {
  it('accepts depth 64 and refuses 65, whatever follows', () => {
    expect(told(read(nested(64)))).toBe('accepted');
    expect(told(read(nested(65)))).toBe(`READ_TOO_DEEP ${'/0'.repeat(64)} @64`);
    expect(told(readBytes(new Uint8Array(200 * MIB).fill(0x5b)))).toBe(`READ_TOO_DEEP ${'/0'.repeat(64)} @64`);
  });

  it('counts the bytes of a string after unescaping', () => {
    const euro = '\u20ac'.repeat(Math.floor((16 * MIB) / 3));
    expect(told(read(`["${euro}a"]`))).toBe('accepted');
    expect(told(read(`["${euro}ab"]`))).toBe('READ_STRING_TOO_LONG /0 @1');
    expect(told(read(`["${'\\u0061'.repeat(16 * MIB)}"]`))).toBe('accepted');
    expect(told(read(`["${'\\u0061'.repeat(16 * MIB)}a"]`))).toBe('READ_STRING_TOO_LONG /0 @1');
    expect(told(read(`["${'\\n'.repeat(16 * MIB)}x"]`))).toBe('READ_STRING_TOO_LONG /0 @1');
  });

  it('counts records and edges over all lists of the root, and no others', () => {
    const list = (count: number): string => `[${'0,'.repeat(count - 1)}0]`;
    expect(told(read(`{"a":${list(1_999_999)},"edges":[0],"b":7}`))).toBe('accepted');
    expect(told(read(`{"a":${list(1_999_999)},"edges":[0,0]}`))).toBe('READ_TOO_MANY_ITEMS /edges/1 @4000016');
    expect(told(read(`{"a":{"b":${list(2_000_001)}}}`))).toBe('accepted');
  });

  it('counts the values of a whole document, since two bytes of text can cost fifty of memory', () => {
    const list = (count: number): string => `[[${'1,'.repeat(count - 1)}1]]`;
    // The place of the refusal says that every value before it was read.
    expect(told(read(list(33_554_431)))).toBe('READ_TOO_MANY_VALUES /0/33554430 @67108862');
  });

  it('refuses a number of a million digits by its length', () => {
    expect(told(read(`[${'9'.repeat(MIB)}]`))).toBe('READ_NUMBER_OUTSIDE_MODEL /0 @1');
  });
});

describe('properties', () => {
  it('reads what canonical writes, to the byte and to the value', () => {
    fc.assert(
      fc.property(modelValue, (value) => {
        const text = canonical(value);
        const result = read(text, false);
        expect(result).toEqual({ ok: true, value });
        if (result.ok) expect(canonical(result.value)).toBe(text);
      }),
      { numRuns: runs(20_000, 5_000) },
    );
  });

  it('agrees with JSON.parse: what it accepts is the same value, what only JSON.parse accepts has a reason outside syntax', () => {
    const syntax = ['READ_EMPTY', 'READ_TRUNCATED', 'READ_SYNTAX', 'READ_TRAILING_BYTES', 'READ_BYTE_ORDER_MARK'];
    let accepted = 0;
    fc.assert(
      fc.property(jsonish, (text) => {
        const result = read(text);
        let parsed: unknown;
        try {
          parsed = JSON.parse(text);
        } catch {
          // Text with two faults may be refused for the other one first.
          if (result.ok) throw new Error('accepted what is not JSON');
          return;
        }
        if (result.ok) {
          accepted++;
          expect(JSON.stringify(result.value)).toBe(JSON.stringify(parsed));
        } else if (syntax.includes(result.refusals[0]!.reason))
          throw new Error(`refused JSON as ${result.refusals[0]!.reason}`);
      }),
      { numRuns: runs(200_000, 30_000) },
    );
    expect(accepted).toBeGreaterThan(500);
  });

  it('refuses every proper beginning of an object', () => {
    const text = canonical({ a: [1, -20, 'x\n\u20ac', true, null, {}], b: { c: [] } });
    const bytes = encodeUtf8(text);
    for (let end = 1; end < bytes.length; end++) {
      expect(told(readBytes(bytes.subarray(0, end)))).toMatch(/^READ_(TRUNCATED|INVALID_UTF8) /);
    }
    expect(told(readBytes(bytes))).toBe('accepted');
  });

  it('returns objects without a prototype', () => {
    const result = read('{"exchanges":[{"attributes":{"__proto__":"v","toString":"w"}}]}');
    if (!result.ok) throw new Error('unread');
    const attributes = (result.value as { exchanges: [{ attributes: Record<string, string> }] }).exchanges[0]
      .attributes;
    expect(Object.getPrototypeOf(attributes)).toBe(null);
    expect(Object.entries(attributes)).toEqual([
      ['__proto__', 'v'],
      ['toString', 'w'],
    ]);
  });
});

it('explains every reason in whole sentences, at level read', () => {
  for (const entry of Object.values(READ_REASONS)) {
    expect(entry.level).toBe('read');
    for (const sentence of [entry.means, entry.not, entry.next, entry.falsePositives])
      expect(sentence).toMatch(/^[A-Z].{20,}\.$/s);
  }
});
