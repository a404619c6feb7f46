import type { ReasonEntries } from './entry.ts';

export const ATSI_REASONS = {} as const satisfies ReasonEntries;
