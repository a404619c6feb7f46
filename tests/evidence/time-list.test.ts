import fc from 'fast-check';
import { expect, it } from 'vitest';
import { inMemory } from '../../src/base/byte-source.ts';
import { canonical } from '../../src/base/canonical.ts';
import { isTimestamp } from '../../src/base/time.ts';
import { encodeUtf8 } from '../../src/base/utf8.ts';
import { scanBundle } from '../../src/evidence/scan-bundle.ts';
import { buildBundle } from '../support/bundle.ts';

const part = (least: number, most: number, digits: number): fc.Arbitrary<string> =>
  fc.integer({ min: least, max: most }).map((value) => String(value).padStart(digits, '0'));

const time = fc
  .tuple(
    part(1, 9999, 4),
    part(1, 12, 2),
    part(1, 31, 2),
    part(0, 23, 2),
    part(0, 59, 2),
    part(0, 59, 2),
    part(0, 999, 3),
  )
  .map(([y, month, day, h, m, s, ms]) => `${y}-${month}-${day}T${h}:${m}:${s}.${ms}Z`)
  .filter(isTimestamp);

const bundle = buildBundle();
const [endpoint] = bundle.endpoints as unknown as readonly object[];

it('notes every time that there is, and ranks it as its text', () => {
  fc.assert(
    fc.property(fc.array(time, { minLength: 2, maxLength: 5 }), (times) => {
      const endpoints = times.map((observed_at) => ({ ...endpoint, observed_at }));
      const bytes = encodeUtf8(canonical({ ...bundle, endpoints } as never));
      const { times: noted } = scanBundle(inMemory(bytes))!.endpoints;
      expect(times.map((_, row) => noted.at(row))).toEqual(times);
      const rows = [...times.keys()];
      const byRank = rows.toSorted((a, b) => noted.rankOf(a) - noted.rankOf(b) || a - b);
      expect(byRank).toEqual(rows.toSorted((a, b) => (times[a]! < times[b]! ? -1 : times[a]! > times[b]! ? 1 : a - b)));
    }),
  );
});
