import type { AnyReason, Result } from './result.ts';

/** Which results are asked for: of each list that is not empty one entry must apply. Signer and key are as the receipt states them. */
export type Selection = {
  readonly signers: readonly string[];
  readonly keys: readonly string[];
  readonly reasons: readonly AnyReason[];
};

const isOne = (wanted: readonly string[], value: string | null): boolean =>
  wanted.length === 0 || (value !== null && wanted.includes(value));

export const isSelected = ({ signers, keys, reasons }: Selection, result: Result): boolean =>
  isOne(signers, result.signer_id) &&
  isOne(keys, result.key_id) &&
  (reasons.length === 0 || result.reasons.some((reason) => reasons.includes(reason)));
