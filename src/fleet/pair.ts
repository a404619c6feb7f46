import type { FleetReason } from './reasons.ts';

/** What is to be verified: the files of one pair as they were named. A fault, where there is no such pair to read. */
export type Pair = {
  readonly bundle: string | null;
  readonly receipt: string | null;
  readonly profile: string | null;
  readonly fault: { readonly reason: FleetReason; readonly detail: string } | null;
};

/** How many pairs there are, and each of them in an order that follows from the names alone. */
export type Pairs = { readonly count: number; readonly all: () => Iterable<Pair> };

export const pairOf = (bundle: string | null, receipt: string | null, profile: string | null): Pair => {
  if (bundle === null) {
    return {
      bundle,
      receipt,
      profile,
      fault: { reason: 'PAIR_WITHOUT_BUNDLE', detail: `there is no bundle for ${receipt}` },
    };
  }
  if (receipt === null) {
    return {
      bundle,
      receipt,
      profile,
      fault: { reason: 'PAIR_WITHOUT_RECEIPT', detail: `there is no receipt for ${bundle}` },
    };
  }
  return { bundle, receipt, profile, fault: null };
};
