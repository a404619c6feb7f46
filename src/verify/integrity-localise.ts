import type { Refusal } from '../base/result.ts';
import type { Commitment } from '../seal/commitments.ts';

/** A row's name in Λ; a missing id differs from every id. */
export const commitmentKey = ({ c, i }: Commitment): string => (i === null ? c : `${c} ${i}`);

type Change = 'ALTERED' | 'INSERTED' | 'REMOVED';

const named = (change: Change, { c, i }: Commitment, detail: string): Refusal => ({
  reason: `${c === 'edges' ? 'EDGE' : 'RECORD'}_${change}`,
  at: { input: 'bundle', collection: c, id: i },
  detail,
});

/**
 * Names every record and edge that was altered, inserted or removed, by holding what a bundle commits to against the
 * signed list (FORMAT.md sections 6 and 8a). Of several rows with one id, the one with the signed hash is the signed
 * one (else the first, altered), the others are inserted.
 */
export const localise = (computed: readonly Commitment[], signed: readonly Commitment[]): readonly Refusal[] => {
  const expected = new Map(signed.map((entry) => [commitmentKey(entry), entry]));
  const standing = new Map<string, Commitment>();
  for (const row of computed) {
    const key = commitmentKey(row);
    const first = standing.get(key);
    const signedHash = expected.get(key)?.h;
    if (first === undefined || (first.h !== signedHash && row.h === signedHash)) standing.set(key, row);
  }
  const refusals: Refusal[] = [];
  for (const row of computed) {
    const key = commitmentKey(row);
    const entry = expected.get(key);
    if (entry === undefined) refusals.push(named('INSERTED', row, 'not among the signed commitments'));
    else if (standing.get(key) !== row) refusals.push(named('INSERTED', row, 'a second row of this id'));
    else if (entry.h !== row.h) refusals.push(named('ALTERED', row, `signed ${entry.h}, computed ${row.h}`));
  }
  for (const entry of signed) {
    if (!standing.has(commitmentKey(entry))) refusals.push(named('REMOVED', entry, 'signed, not in the bundle'));
  }
  return refusals;
};
