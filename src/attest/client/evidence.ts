import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../base/json-value.ts';
import { Refused } from '../refused.ts';
import type { PcmEvidence, RunEvent } from './types.ts';
import type { Wire } from './wire.ts';

const STEP_MS = 20;

type Given = {
  readonly run_seq: number;
  readonly event: RunEvent;
  readonly hash: string;
  readonly proof: string[];
  readonly salt?: string;
};
type Answer = { readonly checkpoint: string; readonly records: Given[]; readonly pending: number[] };

export type EvidenceOptions = {
  /** The args of decisions to open, by `run_seq`: these alone are shown to whoever receives the evidence. */
  readonly args?: { readonly [runSeq: number]: JsonObject };
  /**
   * Every record of the run from the first of these on, ended by a head that the signer writes: evidence that nothing came after. Open the decisions
   * whose args a receiver needs to tell them from the claimed call (docs/PCM-EXTENSIONS.md).
   */
  readonly fresh?: boolean;
  /** Seconds to wait for a checkpoint that covers the records; default 15. */
  readonly waitS?: number;
};

/** A decision that is not opened keeps its salt: with it, whoever receives the record could try args until some fit. */
const opened = (
  { run_seq, salt, ...record }: Given,
  args: EvidenceOptions['args'] = {},
): PcmEvidence['records'][number] => {
  const shown = args[run_seq];
  return salt === undefined || shown === undefined ? record : { ...record, salt, args: shown };
};

/** Asks for records of a run until a checkpoint covers all of them. */
export const evidenceOf = async (
  wire: Wire,
  run: string,
  runSeqs: readonly number[],
  { args, fresh = false, waitS = 15 }: EvidenceOptions,
): Promise<PcmEvidence> => {
  const until = performance.now() + waitS * 1000;
  for (;;) {
    const asked = { run, run_seqs: [...runSeqs], ...(fresh ? { fresh } : {}) };
    const { checkpoint, records, pending } = await wire.call<Answer>('pcm_evidence', asked);
    if (pending.length === 0) return { checkpoint, records: records.map((record) => opened(record, args)) };
    if (performance.now() >= until)
      throw new Refused('unavailable', `no checkpoint covers the records ${pending.join(', ')} after ${waitS} s`);
    await sleep(STEP_MS);
  }
};
