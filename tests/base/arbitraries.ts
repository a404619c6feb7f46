import fc from 'fast-check';
import type { JsonValue } from '../../src/base/json-value.ts';

/** Well-formed strings, with the characters that JSON, UTF-8 and UTF-16 order treat apart. */
export const textOf = (maxLength: number): fc.Arbitrary<string> =>
  fc.oneof(
    fc.string({ unit: 'binary', maxLength }),
    fc.string({
      unit: fc.constantFrom(
        '"',
        '\\',
        '/',
        '\0',
        '\x1f',
        '\x7f',
        '\u2028',
        '\ufeff',
        '\ufb33',
        '\uffff',
        '\u{1f602}',
        'a',
        '\n',
      ),
      maxLength,
    }),
  );

const memberName = fc.stringMatching(/^[a-z][a-z0-9_]{0,5}$/);
const bare = (members: Record<string, JsonValue>): JsonValue =>
  Object.assign(Object.create(null) as Record<string, JsonValue>, members);

/** Values of the restricted model (FORMAT section 1). */
export const modelValue: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(fc.constant(null), fc.boolean(), fc.maxSafeInteger(), fc.integer({ min: -9, max: 9 }), textOf(8)),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(memberName, tie('value'), { maxKeys: 4 }).map(bare),
  ),
})).value;

/** Short texts made of JSON's own pieces: mostly broken, some valid. */
export const jsonish: fc.Arbitrary<string> = fc
  .array(
    fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"b"',
      '"',
      '\\',
      '\\u00e9',
      '\\ud800',
      '\\udc00',
      '0',
      '-',
      '1',
      '.5',
      'e3',
      '+',
      'true',
      'nul',
      'null',
      'false',
      ' ',
      '\t',
      '\n',
      '\f',
      '\u00a0',
      '\ufeff',
      '\u20ac',
      '\x01',
      '//',
      "'",
    ),
    { maxLength: 9 },
  )
  .map((pieces) => pieces.join(''));
