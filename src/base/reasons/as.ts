import type { ReasonEntries } from './entry.ts';

export const AS_REASONS = {} as const satisfies ReasonEntries;
