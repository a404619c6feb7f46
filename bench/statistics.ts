/**
 * The value that a share of a sample lies below, by linear interpolation at rank 1 + share × (n − 1) of the sorted sample; 0.5 is the median.
 * Throws RangeError on no values.
 */
export const quantile = (values: readonly number[], share: number): number => {
  if (values.length === 0) throw new RangeError('a quantile of no values');
  const sorted = values.toSorted((a, b) => a - b);
  const rank = share * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(rank)]!, sorted[Math.ceil(rank)]!];
  return low + (high - low) * (rank - Math.floor(rank));
};

export const median = (values: readonly number[]): number => quantile(values, 0.5);
