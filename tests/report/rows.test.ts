import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { positionsOf, rowBounds } from '../../src/report/rows.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

it('finds every element of every list of the root, however the document is spaced', () => {
  const value = fc.jsonValue({ maxDepth: 3 });
  const root = fc.dictionary(fc.string(), fc.oneof(fc.array(value), value));
  fc.assert(
    fc.property(root, fc.constantFrom(undefined, 1, '\t', ' \r\n'), (document, space) => {
      const bytes = bytesOf(JSON.stringify(document, null, space));
      const found = Object.fromEntries(
        [...rowBounds(bytes)].map(([name, bounds]) => [
          name,
          Array.from({ length: bounds.length / 2 }, (_, at) =>
            JSON.parse(new TextDecoder().decode(bytes.subarray(bounds[2 * at], bounds[2 * at + 1]))),
          ),
        ]),
      );
      const expected = JSON.parse(JSON.stringify(document)) as Record<string, unknown>;
      expect(found).toEqual(Object.fromEntries(Object.entries(expected).filter(([, list]) => Array.isArray(list))));
    }),
  );
});

it('tells line and column of a byte as an editor does', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', '\n', '\r\n', 'é', '語', '😀', '"'), { maxLength: 30 }), (parts) => {
      const offsets: number[] = [];
      const expected: unknown[] = [];
      parts.forEach((_, at) => {
        const before = parts.slice(0, at).join('');
        offsets.push(bytesOf(before).length);
        const lines = before.split('\n');
        expected.push({ line: lines.length, column: lines.at(-1)!.length + 1 });
      });
      const positions = positionsOf(bytesOf(parts.join('')), [...offsets].reverse());
      expect(offsets.map((offset) => positions.get(offset))).toEqual(expected);
    }),
  );
});

it('gives an offset past the end the position of the end', () => {
  expect(positionsOf(bytesOf('a\nb'), [99]).get(99)).toEqual({ line: 2, column: 2 });
});
