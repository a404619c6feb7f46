/** Bounds of a reader (FORMAT sections 1 and 8a). */

/** Containers nested in one another; the outermost is 1. */
export const MAX_DEPTH = 64;
/** Records and edges of a bundle. */
export const MAX_ITEMS = 2_000_000;
/** UTF-8 of one string, unescaped. */
export const MAX_STRING_BYTES = 16_777_216;
/** Two bytes of text can cost fifty of memory. */
export const MAX_VALUES = 33_554_432;
