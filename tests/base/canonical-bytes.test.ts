import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_DEPTH } from '../../src/base/bounds.ts';
import { canonical } from '../../src/base/canonical.ts';
import { canonicalBytes } from '../../src/base/canonical-bytes.ts';
import type { JsonObject, JsonValue } from '../../src/base/json-value.ts';
import { decodeUtf8, isWellFormed } from '../../src/base/utf8.ts';

const textOf = (document: unknown): string | null => {
  const bytes = canonicalBytes(document as JsonValue);
  return bytes && decodeUtf8(bytes);
};

const name = fc.string({
  unit: fc.constantFrom('a', 'b', 'é', '\u{1f600}', '\ufffd', '"', '\\', ','),
  maxLength: 3,
});
const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<JsonValue>(null, true, false),
    fc.integer(),
    fc.string({ unit: 'binary' }).filter(isWellFormed),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(name, tie('value'), { maxKeys: 5 }),
  ),
}));

/** The same with the members of each object the other way round. */
const turned = (one: JsonValue): JsonValue => {
  if (typeof one !== 'object' || one === null) return one;
  if (Array.isArray(one)) return one.map(turned);
  return Object.fromEntries(
    Object.entries(one)
      .reverse()
      .map(([key, held]) => [key, turned(held)]),
  );
};

describe('a document as a capture writes it', () => {
  it('has each member and each row as S(x), in whatever order its members stand', () => {
    fc.assert(
      fc.property(value, fc.array(value, { maxLength: 4 }), (one, rows) => {
        const text = textOf({ rows, one })!;
        for (const document of [{ rows, one }, turned({ one, rows })]) {
          if (Array.isArray(one)) continue;
          expect(textOf(document)).toBe(text);
        }
        expect(canonical(JSON.parse(text) as JsonObject)).toBe(canonical({ rows, one }));
        const written = rows.map((row) => canonical(row)).join();
        expect(text).toContain(`"rows":[${written}]`);
      }),
    );
  });

  it('says what the value says also where the runtime has an order of its own: the scanner asks whether it is S(x)', () => {
    expect(textOf({ a: { b: 1, 10: 2, 9: 3 } })).toBe('{"a":{"9":3,"10":2,"b":1}}');
  });

  it('says what the members of a value say, whatever its class would print', () => {
    class Other {
      readonly b = 1;
      toJSON(): string {
        return 'other';
      }
    }
    expect(textOf({ a: new Other(), c: [new Other()] })).toBe('{"a":{"b":1},"c":[{"b":1}]}');
  });

  it('says what the items of a list say that has a way of its own to be printed', () => {
    const list = Object.assign([1, 2], { toJSON: () => 'other' });
    expect(textOf({ a: { b: list }, c: list, d: [list] })).toBe('{"a":{"b":[1,2]},"c":[1,2],"d":[[1,2]]}');
  });

  it('reads what a getter or a proxy gives', () => {
    const read = Object.defineProperty({}, 'b', { enumerable: true, get: () => 1 });
    expect(textOf({ a: read, c: new Proxy({ d: 2, b: 1 }, {}) })).toBe('{"a":{"b":1},"c":{"b":1,"d":2}}');
  });

  it('leaves a surrogate without its partner as an escape, which no S(x) has, and zero without a sign', () => {
    expect(textOf({ a: '\ud83d', b: ['\ude00', -0] })).toBe('{"a":"\\ud83d","b":["\\ude00",0]}');
  });

  it('has braces also of no member', () => {
    expect(textOf({})).toBe('{}');
  });

  it('has every row of lists that are printed in several pieces, sorted or not, once and in its place', () => {
    const texts = ['plain ', 'é', '\u{1f600}', '"\\\n\u0001'].map((unit) => unit.repeat(9000));
    const rows = Array.from({ length: 40 }, (_, at) => {
      const text = texts[at % texts.length]!;
      return at % 3 === 0 ? { b: text, a: at } : at % 7 === 0 ? text : { a: at, b: text };
    });
    const short = Array.from({ length: 9000 }, (_, at) => ({ id: `row-${at}` }));
    const [long, many] = [rows, short].map((list) => list.map((row) => canonical(row)).join());
    const text = textOf({ none: [], long: rows, one: 1, many: short });
    // Compared as one truth: a difference of a megabyte is not shown.
    expect(text === `{"one":1,"none":[],"long":[${long}],"many":[${many}]}`).toBe(true);
  });

  const nested = (depth: number): JsonValue => (depth === 0 ? 'x' : { a: nested(depth - 1) });

  let steps = 0;
  const itself = {
    get one(): unknown {
      return this;
    },
    get other(): unknown {
      if (++steps > 1000) throw new Error('without end');
      return this;
    },
  };

  it.each<[string, unknown]>([
    ['no object', []],
    ['a number that is no integer', { a: { b: 1.5 } }],
    ['a number beyond what is exact', { a: { b: 2 ** 53 } }],
    ['a member that is undefined', { a: { b: undefined } }],
    ['a function', { a: { b: () => 1 } }],
    ['a way of its own to be printed', { a: { toJSON: () => 'other' } }],
    ['a list with a gap', { a: { b: Array(2) } }],
    ['a row that is a gap', { a: Array(2) }],
    ['what is nested too deep', { a: nested(MAX_DEPTH + 1) }],
    ['what is nested without end', { a: nested(5000) }],
    ['what holds itself twice: each way on would double the steps', { a: [itself] }],
  ])('is none where a text would say something else: %s', (_, document) => {
    expect(textOf(document)).toBeNull();
  });
});
