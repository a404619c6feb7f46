import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { Edge, RECORD_SCHEMAS } from '../../src/evidence/bundle.ts';
import { COLLECTIONS } from '../../src/evidence/collections.ts';
import { fitsOf } from '../../src/evidence/fits.ts';
import { ReceiptBody } from '../../src/seal/receipt.ts';
import { edits } from '../support/edit.ts';
import { sealed } from '../support/seal.ts';

const { bundle, receipt } = sealed();
const SCHEMAS: readonly (readonly [string, z.ZodType, readonly unknown[]])[] = [
  ...COLLECTIONS.map((name) => [name, RECORD_SCHEMAS[name], bundle[name] as unknown[]] as const),
  ['edges', Edge, bundle.edges as unknown[]],
  ['receipt body', ReceiptBody, [receipt.body]],
];

describe.each(SCHEMAS)('%s', (_, schema, rows) => {
  const fits = fitsOf(schema);

  it('a good one is told at once, whatever the schema would have to say', () => {
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.map(fits)).toEqual(rows.map(() => true));
  });

  it('says of every edit what the schema says', () => {
    let refused = 0;
    for (const row of rows) {
      for (const { value, path } of edits(row as never)) {
        const accepted = schema.safeParse(value).success;
        if (!accepted) refused++;
        expect([path, fits(value)]).toEqual([path, accepted]);
      }
    }
    expect(refused).toBeGreaterThan(0);
  });

  it('says of any value in any member what the schema says', () => {
    const [row] = rows as [Record<string, unknown>];
    const other = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom('2026-02-29T00:00:00.000Z', 'root', 'a\n', '', [], {}, 1e300),
    );
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(row), 'unknown'), other, (name, value) => {
        const changed = { ...row, [name]: value };
        expect(fits(changed)).toBe(schema.safeParse(changed).success);
      }),
      { numRuns: 300 },
    );
  });
});

it.each([
  ['a bound that is not in the list', z.string().max(3).toLowerCase(), 'ab'],
  ['a regex that remembers', z.string().regex(/a/g), 'a'],
  ['an object that drops what it does not know', z.object({ a: z.string() }), { a: 'b' }],
  ['a number that is no integer', z.number(), 1],
  ['a type that is not in the list', z.date(), new Date()],
  ['an open tuple', z.tuple([z.string()], z.string()), ['a']],
])('%s is left to the schema', (_, schema, value) => {
  expect(schema.safeParse(value).success).toBe(true);
  expect(fitsOf(schema)(value)).toBe(false);
});
