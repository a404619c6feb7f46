import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { median, p95, quantile, wilson } from '../../../harness/figures/statistics.ts';

describe('the Wilson interval', () => {
  // 120/120 and 0/120 as the paper prints them; 81/263 and 15/148 of Newcombe 1998 (Statistics in Medicine 17, 857-872,
  // table I, method 3); 5/10 by hand: centre 0.5, half 1.96/(2·sqrt(10 + 1.96²)).
  it.each([
    [120, 120, 0.969, 1, 3],
    [0, 120, 0, 0.031, 3],
    [81, 263, 0.2553, 0.3662, 4],
    [15, 148, 0.0624, 0.1605, 4],
    [0, 20, 0, 0.1611, 4],
    [1, 29, 0.0061, 0.1718, 4],
    [5, 10, 0.2366, 0.7634, 4],
  ])('of %i in %i is [%d, %d]', (hits, of, low, high, digits) => {
    const interval = wilson(hits, of)!;
    expect(interval.low).toBeCloseTo(low, digits);
    expect(interval.high).toBeCloseTo(high, digits);
  });

  it('has exact ends for none and for all, and there is none for nothing', () => {
    expect(wilson(0, 7)!.low).toBe(0);
    expect(wilson(7, 7)!.high).toBe(1);
    expect(wilson(0, 0)).toBeNull();
  });

  it('holds the share, mirrors its complement, and each end solves (share − p)² = z²·p(1−p)/n', () => {
    const count = fc
      .integer({ min: 1, max: 5_000 })
      .chain((of) => fc.tuple(fc.integer({ min: 0, max: of }), fc.constant(of)));
    fc.assert(
      fc.property(count, ([hits, of]) => {
        const { low, high } = wilson(hits, of)!;
        const share = hits / of;
        expect(low).toBeLessThanOrEqual(share);
        expect(high).toBeGreaterThanOrEqual(share);
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        const mirrored = wilson(of - hits, of)!;
        expect(mirrored.low).toBeCloseTo(1 - high, 12);
        expect(mirrored.high).toBeCloseTo(1 - low, 12);
        for (const p of [low, high]) {
          expect((share - p) ** 2).toBeCloseTo((1.959963984540054 ** 2 * p * (1 - p)) / of, 12);
        }
      }),
    );
  });

  test.each([
    [-1, 3],
    [4, 3],
    [0.5, 3],
    [1, Number.NaN],
    [1, Number.POSITIVE_INFINITY],
  ])('%d of %d is refused', (hits, of) => {
    expect(() => wilson(hits, of)).toThrow(RangeError);
  });
});

describe('the quantile', () => {
  it.each([
    [[7], 7, 7],
    [[1, 2], 1.5, 1.95],
    [[3, 1, 2], 2, 2.9],
    // rank 1 + 0.95·9 = 9.55: between the ninth and the tenth
    [[10, 9, 8, 7, 6, 5, 4, 3, 2, 1], 5.5, 9.55],
    // rank 1 + 0.95·20 = 20: the twentieth itself
    [Array.from({ length: 21 }, (_, at) => at ** 2), 100, 361],
    // rank 1 + 0.95·239 = 228.05
    [Array.from({ length: 240 }, (_, at) => at + 1), 120.5, 228.05],
  ])('of %j has median %d and p95 %d', (sample, middle, high) => {
    expect(median(sample)).toBeCloseTo(middle, 10);
    expect(p95(sample)).toBeCloseTo(high, 10);
  });

  it('lies in the sample, whatever its order, grows with the share, and is moved and scaled with the sample', () => {
    const sample = fc.array(fc.integer({ min: -10_000, max: 10_000 }), { minLength: 1, maxLength: 60 });
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(sample, share, share, (values, one, other) => {
        const at = quantile(values, one);
        expect(at).toBeGreaterThanOrEqual(Math.min(...values));
        expect(at).toBeLessThanOrEqual(Math.max(...values));
        expect(quantile([...values].reverse(), one)).toBe(at);
        expect(quantile(values, Math.max(one, other))).toBeGreaterThanOrEqual(quantile(values, Math.min(one, other)));
        expect(
          quantile(
            values.map((value) => 3 * value + 5),
            one,
          ),
        ).toBeCloseTo(3 * at + 5, 6);
        expect(quantile(values, 0)).toBe(Math.min(...values));
        expect(quantile(values, 1)).toBe(Math.max(...values));
      }),
    );
  });

  it('leaves the sample as it was, and has none of nothing', () => {
    const sample = [3, 1, 2];
    median(sample);
    expect(sample).toEqual([3, 1, 2]);
    expect(() => p95([])).toThrow(RangeError);
  });
});
