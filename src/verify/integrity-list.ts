import type { Crypto } from '../base/crypto.ts';
import type { Refusal } from '../base/result.ts';
import type { Commitment } from '../seal/commitments.ts';
import { commitmentsDigest } from '../seal/digests.ts';
import { merkleRoot } from '../seal/merkle.ts';
import type { Receipt } from '../seal/receipt.ts';
import { commitmentKey } from './integrity-localise.ts';

/**
 * Whether the list of commitments in a receipt is the one that was signed: digest, length, root, each (c, i) once
 * (FORMAT.md section 8a). Only such a list may say where a change is.
 */
export const listRefusals = ({ body, commitments }: Receipt, crypto: Crypto): readonly Refusal[] => {
  if (commitments === undefined) return [];
  const at = { input: 'receipt', pointer: '/commitments' };
  const refusals: Refusal[] = duplicateEntries(commitments);
  if (commitmentsDigest(commitments, crypto) !== body.commitments_digest) {
    refusals.push({ reason: 'COMMITMENTS_DIGEST_MISMATCH', at, detail: `signed ${body.commitments_digest}` });
  }
  if (commitments.length !== body.commitment_count) {
    const detail = `signed ${body.commitment_count}, the list has ${commitments.length}`;
    refusals.push({ reason: 'COMMITMENTS_LENGTH', at, detail });
  }
  const root = merkleRoot(
    commitments.map(({ h }) => h),
    crypto,
  );
  if (root !== body.incident_root) {
    const detail = `signed ${body.incident_root}, the list folds to ${root ?? 'nothing'}`;
    refusals.push({ reason: 'COMMITMENTS_ROOT_MISMATCH', at, detail });
  }
  return refusals;
};

const duplicateEntries = (commitments: readonly Commitment[]): Refusal[] => {
  const seen = new Set<string>();
  const refusals: Refusal[] = [];
  for (const [at, entry] of commitments.entries()) {
    const key = commitmentKey(entry);
    if (seen.has(key)) {
      const place = { input: 'receipt', pointer: `/commitments/${at}`, collection: entry.c, id: entry.i };
      refusals.push({ reason: 'COMMITMENT_LISTED_TWICE', at: place, detail: 'listed before' });
    }
    seen.add(key);
  }
  return refusals;
};
