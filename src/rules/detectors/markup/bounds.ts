/** Limits on hostile input. What passes one is INCONCLUSIVE and named; nothing is guessed about the rest. */

/** Blink flattens trees deeper than this, so beyond it no tree of ours is the browser's. */
export const MAX_DEPTH = 512;
/** Nodes made and moved by one HTML parse: reopened formatting elements multiply (12 MiB of `<p>` would make 10^9). */
export const MAX_TREE_WORK = 2 ** 19;

/** Characters of attributes in one HTML tree: reopened elements repeat theirs, and one value may be megabytes. */
export const MAX_ATTRIBUTE_TEXT = 16 * 2 ** 20;
/** Characters of a tree written out again: escaping makes up to six of one. */
export const MAX_SERIALISED = 64 * 2 ** 20;

/** Characters of Markdown other than letters, digits and a few that never start a construct: each costs parser events. */
export const MAX_MARKDOWN_SIGNS = 2 ** 17;
export const MAX_MARKDOWN_LENGTH = 12 * 2 ** 20;
/** Bracket signs between two blank lines: the label search is quadratic in them. */
export const MAX_MARKDOWN_BRACKETS = 2 ** 14;
/** Block quotes and list items inside one another, and all of them together: closing them is quadratic. */
export const MAX_MARKDOWN_NESTING = 100;
export const MAX_MARKDOWN_CONTAINERS = 2 ** 14;
/** Lines without a marker below one with, up to a blank line: lazy continuation is quadratic in them. */
export const MAX_MARKDOWN_LAZY_RUN = 2 ** 11;
export const MAX_MARKDOWN_LAZY = 2 ** 14;

/** Thrown from a parser's hooks to stop it at a limit, and caught by the detector that set the hook. */
export class BoundExceeded extends Error {}
