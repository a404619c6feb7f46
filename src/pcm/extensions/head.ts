import { Float, isPcmObject, type PcmObject, type PcmValue } from '../value.ts';

/** The `name` of the record by which a signer says: here the run ends, for now (docs/PCM-EXTENSIONS.md section 1). */
export const HEAD_NAME = 'pcm.head';

/** Data of a head: the run, the `run_seq` of the record before the head, and how many records the log has with it. */
export type Head = {
  readonly name: typeof HEAD_NAME;
  readonly run: string;
  readonly last: number;
  readonly size: number;
};

/** Takes an event; returns its place in its run. `5.0` is 5 here: the hash of the event is the same, so whoever sends it chooses the spelling. */
export const runSeqOf = ({ run_seq }: PcmObject): number | null => {
  const number = run_seq instanceof Float ? run_seq.value : run_seq;
  return Number.isSafeInteger(number) ? (number as number) : null;
};

/** True for an event that says it is a head. */
export const isHead = ({ type, data }: PcmObject): boolean =>
  type === 'ext' && isPcmObject(data) && data.name === HEAD_NAME;

/** Takes the evidence of a claim, whatever it is; returns the `run_seq` of the last head in it, or null. Nothing is verified. */
export const lastHeadIn = (evidence: PcmValue | undefined): number | null => {
  const records = isPcmObject(evidence) && Array.isArray(evidence.records) ? evidence.records : [];
  const heads = records.flatMap((record) => {
    const event = isPcmObject(record) ? record.event : null;
    const at = isPcmObject(event) && isHead(event) ? runSeqOf(event) : null;
    return at === null ? [] : [at];
  });
  return heads.reduce<number | null>((last, at) => Math.max(last ?? at, at), null);
};
