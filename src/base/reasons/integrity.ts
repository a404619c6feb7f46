import type { ReasonEntries } from './entry.ts';
import { CHANGE_REASONS, SHAPE_REASONS } from './integrity-bundle.ts';
import { RECEIPT_REASONS } from './integrity-receipt.ts';
import { KEY_REASONS, TRUST_REASONS } from './integrity-trust.ts';

/** Reasons of the steps from the trust store to the edges (FORMAT section 8). */
export const INTEGRITY_REASONS = {
  ...TRUST_REASONS,
  ...KEY_REASONS,
  ...RECEIPT_REASONS,
  ...CHANGE_REASONS,
  ...SHAPE_REASONS,
} as const satisfies ReasonEntries;
