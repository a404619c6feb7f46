/** Whether `length` bytes stand alike at two places, which both have as many. */
export const sameBytes = (one: Uint8Array, at: number, other: Uint8Array, otherAt: number, length: number): boolean => {
  for (let i = 0; i < length; i++) if (one[at + i] !== other[otherAt + i]) return false;
  return true;
};
