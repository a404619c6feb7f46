import type { ReasonEntries } from './entry.ts';

export const HOTF_REASONS = {} as const satisfies ReasonEntries;
