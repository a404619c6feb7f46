/** Choices that a seed determines, so that whatever a fuzzer finds can be found again. */
export type Random = {
  /** From 0 up to and without `end`. */
  readonly below: (end: number) => number;
  readonly pick: <T>(from: readonly T[]) => T;
};

/** Takes a seed of 32 bits (mulberry32). */
export const randomOf = (seed: number): Random => {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number): number => Math.floor(next() * end);
  return { below, pick: (from) => from[below(from.length)]! };
};
