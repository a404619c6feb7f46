import { type BigIntStats, fstatSync, statSync } from 'node:fs';

/**
 * Asked in big integers: where the last `stat` in plain numbers was of a FIFO, Node's own `realpathSync` stops at links that it has yet to follow, and a program
 * started through a link would be loaded from beside the link.
 */
const options = { bigint: true } as const;

const identity = ({ dev, ino }: BigIntStats): string => `${dev}:${ino}`;

/** Which file an open one is, whatever its name or number. */
export const identityOf = (fd: number): string => identity(fstatSync(fd, options));

/** The file of that name; null when there is none. */
export const identityAt = (path: string): string | null => {
  const there = statSync(path, { ...options, throwIfNoEntry: false });
  return there === undefined ? null : identity(there);
};
