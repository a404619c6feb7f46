/** What a memory of values says of one: `seen` was acted on before, `full` cannot be remembered. */
export type OnceAnswer = 'fresh' | 'seen' | 'full';

/**
 * What remembers the values on which a receiver has acted. `spend` is one atomic step, check and spend; replicas that answer for one identity share
 * one. `key` is 64 hex digits that stand for intent, field and value. It throws, or rejects, when it cannot be asked.
 */
export type Once = { spend(key: string): OnceAnswer | Promise<OnceAnswer> };

const VALUES = 100_000;

/** Takes how many values it may hold; returns the memory of one process. It forgets none, so it refuses what it cannot hold; a restart empties it. */
export const createOnce = (limit: number = VALUES): Once => {
  const seen = new Set<string>();
  return {
    spend: (key) => {
      if (seen.has(key)) return 'seen';
      if (seen.size >= limit) return 'full';
      seen.add(key);
      return 'fresh';
    },
  };
};
