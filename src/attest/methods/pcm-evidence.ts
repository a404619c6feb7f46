import * as z from 'zod';
import { encodeBase64 } from '../../base/base64.ts';
import { PCM_LIMITS } from '../../pcm/limits.ts';
import type { PcmObject } from '../../pcm/value.ts';
import { pcmRun } from '../access.ts';
import type { Written } from '../book.ts';
import { invalid } from '../refused.ts';
import { paramsOf } from '../shape.ts';
import type { Signer } from '../signer.ts';
import type { Run } from '../state.ts';
import { closeRange } from './head.ts';
import type { Method } from './method.ts';
import { Count, RunId, RunTokenText } from './params.ts';

const proven = ({ log, salts }: Signer, { event, runSeq, hash }: Written): PcmObject => ({
  run_seq: runSeq,
  event: event as unknown as PcmObject,
  hash,
  proof: log.proof(event.seq).map(encodeBase64),
  ...(event.type === 'policy.decision' ? { salt: salts.of(event.data.decision_id as string) } : {}),
});

const Evidence = z.strictObject({
  run: RunId,
  run_token: RunTokenText,
  run_seqs: z
    .array(Count(Number.MAX_SAFE_INTEGER))
    .min(1)
    .max(PCM_LIMITS.records)
    .refine((seqs) => new Set(seqs).size === seqs.length, 'each record once'),
  fresh: z.boolean().optional(),
});

/** The range from the first record that is asked for to a head that ends it. */
const rangeOf = async (signer: Signer, run: Run, runSeqs: readonly number[]): Promise<readonly number[]> => {
  const from = runSeqs.reduce((least, seq) => Math.min(least, seq));
  const head = await closeRange(signer, run, from);
  return Array.from({ length: head - from + 1 }, (_, i) => from + i);
};

/**
 * Records of the run with their inclusion proofs under the newest checkpoint, and the salt of each decision, with which its args open; in `pending`
 * those that the next checkpoint will cover. With `fresh` every record from the first of them to the run's end, and a head that says it is the end.
 * A held run's are still read.
 */
export const pcmEvidence: Method = {
  counts: true,
  call: async (signer, caller, params) => {
    const { run: id, run_token, run_seqs, fresh = false } = paramsOf(Evidence, params);
    const run = pcmRun(signer, caller, id, run_token);
    const none = run_seqs.find((seq) => seq >= run.seqs.length);
    if (none !== undefined) throw invalid(`the run has ${run.seqs.length} records, and none with run_seq ${none}`);
    const wanted = fresh ? await rangeOf(signer, run, run_seqs) : run_seqs;
    const found = wanted.map((seq) => ({ seq, written: signer.book.read(run, seq) }));
    return {
      checkpoint: signer.log.checkpoint(),
      records: found.flatMap(({ written }) => (written === null ? [] : [proven(signer, written)])),
      pending: found.filter(({ written }) => written === null).map(({ seq }) => seq),
    };
  },
};
