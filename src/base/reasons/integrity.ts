import type { ReasonEntries } from './entry.ts';

export const INTEGRITY_REASONS = {} as const satisfies ReasonEntries;
