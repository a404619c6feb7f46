import type { ReasonEntries } from './entry.ts';

export const ADMISSIBILITY_REASONS = {} as const satisfies ReasonEntries;
