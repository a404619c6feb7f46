import { writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { linesOf, MAX_LINE_BYTES } from '../../src/fleet/lines.ts';
import { outFile } from './lab.ts';

const read = (bytes: string | Uint8Array) => {
  const file = outFile('lines');
  writeFileSync(file, bytes);
  return { lines: [...linesOf(file)], bytes: Buffer.from(bytes) };
};

const piece = fc.oneof(fc.constant('\n'), fc.string({ unit: 'binary', maxLength: 8 }), fc.constant('é'.repeat(40_000)));

it('gives every line, where it stands, and whether it was ended', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const { lines, bytes } = read(Buffer.from(pieces.join(''), 'utf8'));
      const expected = bytes.toString('utf8').split('\n');
      const last = expected.pop();
      expect(lines.filter(({ ended }) => ended).map(({ text }) => text)).toEqual(expected);
      expect(lines.filter(({ ended }) => !ended).map(({ text }) => text)).toEqual(last === '' ? [] : [last]);
      for (const { text, start, size } of lines) {
        expect(bytes.subarray(start, start + size).toString('utf8')).toBe(text);
      }
    }),
    { numRuns: 60 },
  );
});

it('does not hold a line without end, and goes on behind it', () => {
  const long = MAX_LINE_BYTES + 1;
  const { lines } = read(`a\n${'x'.repeat(long)}\nb`);
  expect(lines).toEqual([
    { text: 'a', start: 0, size: 1, ended: true },
    { text: null, start: 2, size: long, ended: true },
    { text: 'b', start: long + 3, size: 1, ended: false },
  ]);
});
