/** A source of numbers that a seed decides, so that a run can be repeated: mulberry32. */
export type Random = {
  /** An integer from 0 up to, and without, `end`. */
  readonly below: (end: number) => number;
  readonly pick: <T>(from: readonly T[]) => T;
  readonly hex: (digits: number) => string;
  /** A shuffled copy (Fisher-Yates). */
  readonly shuffled: <T>(list: readonly T[]) => T[];
};

/** Takes a 32-bit seed; equal seeds give equal numbers. */
export const randomOf = (seed: number): Random => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number): number => Math.floor(next() * end);
  return {
    below,
    pick: (from) => from[below(from.length)]!,
    hex: (digits) => Array.from({ length: digits }, () => below(16).toString(16)).join(''),
    shuffled: (list) => {
      const copy = [...list];
      for (let at = copy.length - 1; at > 0; at--) {
        const other = below(at + 1);
        [copy[at], copy[other]] = [copy[other]!, copy[at]!];
      }
      return copy;
    },
  };
};
