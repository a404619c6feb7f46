import type { ReasonEntries } from './entry.ts';

export const COMMON_REASONS = {} as const satisfies ReasonEntries;
