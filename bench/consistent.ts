import type { Outcome } from '../src/index.ts';

/** A verification that is not the whole of one is not counted: every run says consistent, with signature and root accepted. */
export const requireConsistent = ({ verdict, signatureAccepted, mode, counts }: Outcome, commitments: number): void => {
  const made = (counts?.records ?? 0) + (counts?.edges ?? 0);
  if (verdict === 'FORENSICALLY_CONSISTENT' && signatureAccepted && mode === 'full' && made === commitments) return;
  throw new Error(`a bundle of ${commitments} commitments was not verified: ${verdict}`);
};
