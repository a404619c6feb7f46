import type { ReasonEntries } from './entry.ts';

export const ASRF_REASONS = {} as const satisfies ReasonEntries;
