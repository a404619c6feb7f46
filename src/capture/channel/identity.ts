import { type Stats, statSync } from 'node:fs';

/** Which file it is, whatever its name or number. */
export const identityOf = ({ dev, ino }: Stats): string => `${dev}:${ino}`;

/** The file of that name; null when there is none. */
export const identityAt = (path: string): string | null => {
  const there = statSync(path, { throwIfNoEntry: false });
  return there === undefined ? null : identityOf(there);
};
