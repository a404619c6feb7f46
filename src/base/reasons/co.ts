import type { ReasonEntries } from './entry.ts';

export const CO_REASONS = {} as const satisfies ReasonEntries;
