/** Surrogates stand for code points above U+FFFF, so in UTF-8 they sort after U+E000..U+FFFF, not before. */
const utf8Rank = (unit: number): number => (unit >= 0xe000 ? unit - 0x800 : unit >= 0xd800 ? unit + 0x2000 : unit);

/**
 * Compares two ids by the bytes of their UTF-8 (FORMAT.md section 5), a missing id before all others.
 * Takes any well-formed strings: an id outside the grammar is committed before it is refused.
 */
export const compareIds = (a: string | null, b: string | null): number => {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? -1 : 1;
  const shared = Math.min(a.length, b.length);
  for (let at = 0; at < shared; at++) {
    const difference = utf8Rank(a.charCodeAt(at)) - utf8Rank(b.charCodeAt(at));
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
};
