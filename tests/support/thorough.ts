/**
 * Of a world that is tried in whole by `npm run test:all`, `npm test` tries a part, so that it ends within minutes: every
 * `stride`-th, or fewer runs. Where the part is a choice among many, it is spread over the whole.
 */
const isThorough = process.env.FORENSICTRACE_TESTS === 'all';

/** How many of `all` are tried. */
export const runs = (all: number, part: number): number => (isThorough ? all : part);
