import type { ReasonEntries } from './entry.ts';

export const CC_REASONS = {} as const satisfies ReasonEntries;
