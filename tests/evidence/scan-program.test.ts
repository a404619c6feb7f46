import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { canonical } from '../../src/base/canonical.ts';
import type { JsonValue } from '../../src/base/json-value.ts';
import { kernel, portableKernel, WINDOW } from '../../src/base/kernel/kernel.ts';
import { isTimestamp } from '../../src/base/time.ts';
import { encodeUtf8 } from '../../src/base/utf8.ts';
import { Edge, RECORD_SCHEMAS } from '../../src/evidence/bundle.ts';
import { COLLECTIONS } from '../../src/evidence/collections.ts';
import { Timestamp } from '../../src/evidence/fields.ts';
import { programsOf } from '../../src/evidence/scan-program.ts';
import { buildBundle } from '../support/bundle.ts';
import { edits } from '../support/edit.ts';

const bundle = buildBundle();
const SCHEMAS: readonly (readonly [string, z.ZodType, readonly JsonValue[]])[] = [
  ...COLLECTIONS.map((name) => [name, RECORD_SCHEMAS[name], bundle[name] as JsonValue[]] as const),
  ['edges', Edge, bundle.edges as JsonValue[]],
];

const KERNELS = [kernel(), portableKernel()];

/** Whether the program of a schema takes the whole of these bytes; WebAssembly and JavaScript say the same. */
const takes = (schema: z.ZodType, bytes: Uint8Array): boolean => {
  const [taken, other] = KERNELS.map((made) => {
    const end = made.put(bytes, WINDOW);
    return made.run.scan(programsOf(made).of(schema), WINDOW) === end;
  });
  expect(other).toBe(taken);
  return taken!;
};

it('runs as WebAssembly and as JavaScript', () => {
  expect(KERNELS.map(({ run }) => Object.prototype.toString.call(run.memory))).toEqual([
    '[object WebAssembly.Memory]',
    '[object Object]',
  ]);
});

describe.each(SCHEMAS)('%s', (_, schema, rows) => {
  const accepts = (bytes: Uint8Array): boolean => takes(schema, bytes);

  it('takes S(x) of good ones', () => {
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.map((row) => accepts(encodeUtf8(canonical(row))))).toEqual(rows.map(() => true));
  });

  it('says of S(x) of every edit what the schema says', () => {
    let refused = 0;
    for (const row of rows) {
      for (const { value, path } of edits(row)) {
        const accepted = schema.safeParse(value).success;
        if (!accepted) refused++;
        expect([path, accepts(encodeUtf8(canonical(value)))]).toEqual([path, accepted]);
      }
    }
    expect(refused).toBeGreaterThan(0);
  });

  it('takes no bytes but those of S(x) of what the schema accepts', () => {
    const texts = rows.map((row) => encodeUtf8(canonical(row)));
    const damage = fc.record({
      of: fc.nat(),
      at: fc.nat(),
      cut: fc.nat(3),
      byte: fc.oneof(fc.nat(255), fc.constantFrom(...encodeUtf8('0"{}[],:\\ nul-9z'))),
    });
    let taken = 0;
    fc.assert(
      fc.property(damage, ({ of, at, cut, byte }) => {
        const text = texts[of % texts.length]!;
        const place = at % text.length;
        const bytes = Buffer.concat([text.subarray(0, place), Buffer.of(byte), text.subarray(place + cut)]);
        if (!accepts(bytes)) return;
        taken++;
        const value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as JsonValue;
        expect(Buffer.from(canonical(value)).equals(bytes)).toBe(true);
        expect(schema.safeParse(value).success).toBe(true);
      }),
      { numRuns: 250 },
    );
    expect(taken).toBeGreaterThan(0);
  });
});

it.each([
  ['a bound that is not in the list', z.string().max(3), '"ab"'],
  ['a pattern that is more than a class', z.string().regex(/^ab$/), '"ab"'],
  ['an object that drops what it does not know', z.object({ a: z.string() }), '{"a":"b"}'],
  ['a member that may be absent', z.strictObject({ a: z.string().optional() }), '{"a":"b"}'],
  ['a number that is no integer', z.number(), '1'],
  ['an open tuple', z.tuple([z.string()], z.string()), '["a"]'],
  ['two bounds of one side', z.int().min(0).min(1), '1'],
  ['a bound beyond 32 bits', z.int().min(-(2 ** 40)), '1'],
  ['a check of a text that may have escapes', z.string().refine(() => true), '"a"'],
  ['a union of three', z.union([z.string(), z.int(), z.boolean()]), '"a"'],
])('%s is left to the schema', (_, schema, text) => {
  expect(schema.safeParse(JSON.parse(text)).success).toBe(true);
  expect(takes(schema, encodeUtf8(text))).toBe(false);
});

it.each([
  ['white space', '{"a": 1}'],
  ['another order', '{"b":1,"a":1}'],
  ['a repeated name', '{"a":1,"a":1}'],
  ['an escape that S(x) does not make', '{"a":"\\u0041"}'],
  ['an upper-case escape', '{"a":"\\u001F"}'],
  ['a number in another spelling', '{"a":1.0}'],
  ['minus zero', '{"a":-0}'],
  ['a lone surrogate', '{"a":"\\ud800"}'],
])('takes no %s', (_, text) => {
  const schema = z.record(z.string(), z.union([z.string(), z.int()]));
  expect(takes(schema, encodeUtf8('{"a":1,"b":"\\u001f"}'))).toBe(true);
  expect(takes(schema, encodeUtf8(text))).toBe(false);
});

it('knows the times that there are', () => {
  const part = (most: number, digits: number): fc.Arbitrary<string> =>
    fc.integer({ min: 0, max: most }).map((value) => String(value).padStart(digits, '0'));
  const year = fc.oneof(part(9999, 4), fc.constantFrom('0000', '1900', '2000', '2023', '2024', '2100'));
  const time = fc
    .tuple(year, part(13, 2), part(32, 2), part(25, 2), part(61, 2), part(61, 2), part(999, 3))
    .map(([y, month, day, h, m, s, ms]) => `${y}-${month}-${day}T${h}:${m}:${s}.${ms}Z`);
  const damaged = fc
    .tuple(time, fc.nat(23), fc.constantFrom('', '0', '9', ':', '-', 'Z', '/', 'T0'))
    .map(([text, at, put]) => text.slice(0, at) + put + text.slice(at + 1));
  let taken = 0;
  fc.assert(
    fc.property(fc.oneof(time, damaged), (text) => {
      const isTaken = takes(Timestamp, encodeUtf8(`"${text}"`));
      if (isTaken) taken++;
      expect([text, isTaken]).toEqual([text, isTimestamp(text)]);
    }),
    { numRuns: 3000 },
  );
  expect(taken).toBeGreaterThan(300);
});

it('takes no bytes that are not UTF-8', () => {
  const schema = z.strictObject({ a: z.string() });
  const around = (...bytes: number[]): Uint8Array =>
    new Uint8Array([...encodeUtf8('{"a":"'), ...bytes, ...encodeUtf8('"}')]);
  for (const bytes of [
    [0x80],
    [0xc1, 0x80],
    [0xe0, 0x80, 0x80],
    [0xed, 0xa0, 0x80],
    [0xf4, 0x90, 0x80, 0x80],
    [0xf0, 0x9f],
  ])
    expect([bytes, takes(schema, around(...bytes))]).toEqual([bytes, false]);
  for (const text of ['é', '한', '𝄞', '￿']) expect(takes(schema, around(...encodeUtf8(text)))).toBe(true);
});
