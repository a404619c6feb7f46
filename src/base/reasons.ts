/** The reason registry: every code that a refusal, a finding or an observation can carry. The union type is read off it. */
import { READ_REASONS } from './reasons/read.ts';

export const REASONS = { ...READ_REASONS } as const;
export type Reason = keyof typeof REASONS;
