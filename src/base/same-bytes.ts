/** Whether `length` bytes stand alike at two places, which both have as many. */
export const sameBytes = (one: Uint8Array, at: number, other: Uint8Array, otherAt: number, length: number): boolean => {
  for (let i = 0; i < length; i++) if (one[at + i] !== other[otherAt + i]) return false;
  return true;
};

/** Compares bytes at a place with as many others, in the order of bytes. */
export const compareBytes = (one: Uint8Array, at: number, other: Uint8Array): number => {
  for (let i = 0; i < other.length; i++) {
    const difference = one[at + i]! - other[i]!;
    if (difference !== 0) return difference;
  }
  return 0;
};
