import { HEAD_NAME, type Head, lastHeadIn } from '../../pcm/extensions/head.ts';
import { PCM_LIMITS } from '../../pcm/limits.ts';
import type { PcmObject } from '../../pcm/value.ts';
import type { Written } from '../book.ts';
import { invalid } from '../refused.ts';
import type { Signer } from '../signer.ts';
import type { Run } from '../state.ts';

/**
 * Takes a run and the first record that evidence is to hold; writes the head that ends it, and resolves to its `run_seq` once all of it is published.
 * Refuses a range that no evidence may hold, and then writes nothing.
 */
export const closeRange = async ({ book, log }: Signer, run: Run, from: number): Promise<number> => {
  const last = run.seqs.length - 1;
  const records = last - from + 2;
  if (records > PCM_LIMITS.records)
    throw invalid(
      `the run has ${records - 1} records since run_seq ${from}, and evidence holds ${PCM_LIMITS.records} with the head: make the call again and ask right after`,
    );
  // Read in the turn in which the head is recorded: nothing comes between.
  const data: Head = { name: HEAD_NAME, run: run.id, last, size: log.next + 1 };
  const head: Written = await book.record(run, { type: 'ext', source: 'signer', data });
  return head.runSeq;
};

/**
 * A head says that the run ends there. The signer does not sign it once it knows better, or a sender could take the head after a run that passed and
 * send it after one that failed. Its own notes (`ext`) come after every head, and are no deeds of the run.
 */
export const requireLastHead = ({ claims }: PcmObject, run: Run): void => {
  for (const [i, claim] of ((claims ?? []) as PcmObject[]).entries()) {
    const head = lastHeadIn(claim.evidence);
    if (head !== null && head < run.lastDeed)
      throw invalid(
        `/body/claims/${i}/evidence: its head is record ${head}, and the run has gone on to ${run.lastDeed}: ask for fresh evidence again`,
      );
  }
};
