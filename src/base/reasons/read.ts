import type { ReasonEntries } from './entry.ts';

export const READ_REASONS = {} as const satisfies ReasonEntries;
