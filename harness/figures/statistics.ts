/** The two-sided 95% point of the standard normal distribution. */
const Z = 1.959963984540054;

/** A proportion's interval: both ends between 0 and 1. */
export type Interval = { readonly low: number; readonly high: number };

/**
 * Wilson's score interval at 95% for `hits` out of `of` (Wilson 1927, JASA 22, 209-212, without continuity correction);
 * null for none out of none, of which nothing is known. Throws RangeError unless both are counts and hits are at most `of`.
 */
export const wilson = (hits: number, of: number): Interval | null => {
  if (!Number.isSafeInteger(hits) || !Number.isSafeInteger(of) || hits < 0 || hits > of) {
    throw new RangeError(`${hits} of ${of} is no proportion`);
  }
  if (of === 0) return null;
  const share = hits / of;
  const scale = 1 + Z ** 2 / of;
  const centre = (share + Z ** 2 / (2 * of)) / scale;
  const half = (Z / scale) * Math.sqrt((share * (1 - share)) / of + Z ** 2 / (4 * of ** 2));
  // At either end the bound is exact, and rounding must not show another.
  return { low: hits === 0 ? 0 : centre - half, high: hits === of ? 1 : centre + half };
};

/**
 * The value below which a share of the sample lies, by linear interpolation at rank 1 + share·(n−1) of the sorted sample
 * (Hyndman and Fan 1996, definition 7; the paper's p95). Takes numbers in any order; throws RangeError for an empty sample.
 */
export const quantile = (sample: readonly number[], share: number): number => {
  if (sample.length === 0) throw new RangeError('an empty sample has no quantile');
  const sorted = [...sample].sort((a, b) => a - b);
  const place = share * (sorted.length - 1);
  const below = Math.floor(place);
  const low = sorted[below]!;
  const high = sorted[Math.min(below + 1, sorted.length - 1)]!;
  return low + (place - below) * (high - low);
};

export const median = (sample: readonly number[]): number => quantile(sample, 0.5);
export const p95 = (sample: readonly number[]): number => quantile(sample, 0.95);
