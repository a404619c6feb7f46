import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jcs } from '../../src/pcm/jcs.ts';
import { PCM_LIMITS } from '../../src/pcm/limits.ts';
import { readStrict } from '../../src/pcm/strict-json.ts';
import { isPcmTime, microsOf, pcmTime } from '../../src/pcm/time.ts';
import { Float } from '../../src/pcm/value.ts';

const BOUNDS = { what: 'test', maxBytes: 1000 };
const read = (input: string | Uint8Array) => readStrict(typeof input === 'string' ? Buffer.from(input) : input, BOUNDS);
const reasonOf = (input: string | Uint8Array) => {
  const result = read(input);
  return result.ok ? 'read' : result.findings[0].reason;
};
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

it.each<[string, string | Uint8Array, string]>([
  ['nothing', '', 'PCM_READ_SYNTAX'],
  ['a leading zero', '01', 'PCM_READ_SYNTAX'],
  ['a plus', '+1', 'PCM_READ_SYNTAX'],
  ['a bare fraction', '.5', 'PCM_READ_SYNTAX'],
  ['a bare point', '1.', 'PCM_READ_SYNTAX'],
  ['NaN', 'NaN', 'PCM_READ_SYNTAX'],
  ['a trailing comma', '{"a":1,}', 'PCM_READ_SYNTAX'],
  ['a comment', '1/**/', 'PCM_READ_SYNTAX'],
  ['a raw control character', '"\u0001"', 'PCM_READ_SYNTAX'],
  ['a bad escape', '"\\x"', 'PCM_READ_SYNTAX'],
  ['two values', '1 2', 'PCM_READ_SYNTAX'],
  ['a no-break space', '\u00a01', 'PCM_READ_SYNTAX'],
  ['a form feed', '\f1', 'PCM_READ_SYNTAX'],
  ['a byte order mark', '\ufeff1', 'PCM_READ_BYTE_ORDER_MARK'],
  ['invalid UTF-8', new Uint8Array([0x22, 0xff, 0x22]), 'PCM_READ_UTF8'],
  ['an overlong form', new Uint8Array([0x22, 0xc0, 0x80, 0x22]), 'PCM_READ_UTF8'],
  ['raw surrogate bytes', new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22]), 'PCM_READ_UTF8'],
  ['a repeated name', '{"a":1,"\\u0061":2}', 'PCM_READ_DUPLICATE'],
  ['a repeated __proto__', '{"__proto__":1,"__proto__":2}', 'PCM_READ_DUPLICATE'],
  ['half a pair', '"\\ud800"', 'PCM_READ_SURROGATE'],
  ['half a pair in a name', '{"\\ud800":1}', 'PCM_READ_SURROGATE'],
  ['a pair the wrong way round', '"\\ude00\\ud83d"', 'PCM_READ_SURROGATE'],
  ['an overflow', '1e400', 'PCM_READ_NUMBER'],
  ['2^53', '9007199254740992', 'PCM_READ_NUMBER'],
  ['-2^53', '-9007199254740992', 'PCM_READ_NUMBER'],
  ['depth 129', nested(129), 'PCM_READ_DEPTH'],
  ['one byte too many', `"${'x'.repeat(999)}"`, 'PCM_READ_TOO_LONG'],
  ['depth 128', nested(128), 'read'],
  ['2^53 - 1', '9007199254740991', 'read'],
  ['DEL', '"\u007f"', 'read'],
  ['white space', ' \t\r\n1 ', 'read'],
  ['an underflow', '1e-400', 'read'],
])('%s', (_, input, expected) => {
  expect(reasonOf(input)).toBe(expected);
});

it('keeps how a number was written', () => {
  const kinds = ['1', '-0', '1.0', '1e0', '-0.0'].map((token) => {
    const value = read(token);
    return value.ok && (value.value instanceof Float ? 'float' : Object.is(value.value, 0) ? 'zero' : 'integer');
  });
  expect(kinds).toEqual(['integer', 'zero', 'float', 'float', 'float']);
});

it('reads what JSON.parse reads, and writes text that is read back the same', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), (text) => {
      const value = readStrict(Buffer.from(text), { ...BOUNDS, maxBytes: 1 << 20 });
      if (!value.ok) return;
      const canonical = jcs(value.value);
      expect(JSON.parse(canonical)).toEqual(JSON.parse(text, (_, one) => (Object.is(one, -0) ? 0 : one)));
      const again = readStrict(Buffer.from(canonical), { ...BOUNDS, maxBytes: 1 << 20 });
      // A float of 2^53 or more is written as an integer token that the reader refuses.
      if (again.ok) expect(jcs(again.value)).toBe(canonical);
      else expect(again.findings[0].reason).toBe('PCM_READ_NUMBER');
    }),
  );
});

it('a hostile text of the largest size is refused, not crashed on', () => {
  const size = { what: 'test', maxBytes: PCM_LIMITS.messageBytes };
  for (const text of [
    '['.repeat(size.maxBytes),
    '{"a":'.repeat(size.maxBytes / 5),
    `[${'1,'.repeat(size.maxBytes / 2 - 1)}`,
  ])
    expect(readStrict(Buffer.from(text), size).ok).toBe(false);
});

describe('times', () => {
  it.each([
    ['2026-11-30T00:00:00.000000Z', true],
    ['2024-02-29T23:59:59.999999Z', true],
    ['2026-02-29T00:00:00.000000Z', false],
    ['2026-11-30T00:00:60.000000Z', false],
    ['2026-11-30T24:00:00.000000Z', false],
    ['2026-11-30T00:00:00.000Z', false],
    ['2026-11-30T00:00:00.000000+00:00', false],
    ['2026-11-30t00:00:00.000000z', false],
    ['2026-11-30T00:00:00.000000Z\n', false],
    ['0000-01-01T00:00:00.000000Z', false],
  ])('%j: %s', (text, expected) => {
    expect(isPcmTime(text)).toBe(expected);
  });

  it('counts microseconds and compares as text, to the last year', () => {
    expect(microsOf('1970-01-01T00:00:01.000002Z')).toBe(1_000_002n);
    expect(microsOf('9999-12-31T23:59:59.999999Z')! - microsOf('9999-12-31T23:59:59.999998Z')!).toBe(1n);
    expect(pcmTime(1)).toBe('1970-01-01T00:00:00.001000Z');
  });
});
