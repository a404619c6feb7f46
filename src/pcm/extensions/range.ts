import { type Judgement, unproven } from '../claims/judgement.ts';
import type { Event, Proven } from '../evidence.ts';
import { microsOf } from '../time.ts';
import type { PcmObject } from '../value.ts';
import { isHead, runSeqOf } from './head.ts';
import type { Extensions } from './options.ts';

/** A record at its place in the run. */
export type Placed = { readonly at: number; readonly record: Proven };
/** Every record of a run from one of its decisions to a head, in order. */
export type Range = { readonly from: number; readonly head: Placed; readonly placed: readonly Placed[] };

/** Places in a run are read as head.ts reads them. */
const placeOf = ({ event }: Proven): number | null => runSeqOf(event as unknown as PcmObject);

/** The signer alone writes records of its own source, so that what such a record says is so; the rest says that it is of this place. */
const closes = ({ at, record: { event } }: Placed): boolean => {
  const { source, data, run_id, seq } = event;
  const isOwn = source === 'signer' && isHead(event as unknown as PcmObject);
  return isOwn && data.run === run_id && data.last === at - 1 && data.size === seq + 1;
};

/** Takes records and a decision among them; returns the range from it, or why they are none. */
export const rangeFrom = (records: readonly Proven[], decision: Event): Range | Judgement => {
  const from = runSeqOf(decision as unknown as PcmObject);
  if (from === null) return unproven('PCM_FRESH_GAP', 'the decision of the call has no place in its run');
  const placed = records
    .map((record) => ({ at: placeOf(record), record }))
    .filter((one): one is Placed => one.at !== null && one.at >= from)
    .sort((a, b) => a.at - b.at);
  const head = placed.at(-1)!;
  if (!closes(head))
    return unproven('PCM_FRESH_NO_HEAD', `the records of the run end at run_seq ${head.at}, which is no head`);
  const gap = placed.findIndex(({ at }, i) => at !== from + i);
  if (gap >= 0) return unproven('PCM_FRESH_GAP', `the record of run_seq ${from + gap} is missing or there twice`);
  const broken = placed.find(
    ({ record }, i) => i > 0 && (record.event as unknown as PcmObject).run_prev_hash !== placed[i - 1]!.record.hash,
  );
  if (broken !== undefined)
    return unproven('PCM_FRESH_GAP', `the record of run_seq ${broken.at} does not follow the one before it`);
  return { from, head, placed };
};

/** Takes a range and what the receiver asks of its age; returns in words how it is, or why it is too old. */
export const ageOf = ({ from, head }: Range, { maxAge }: NonNullable<Extensions['fresh']>): string | Judgement => {
  const all = `run_seq ${from} to the head ${head.at}`;
  if (maxAge === undefined) return `every record, ${all}`;
  const age = Number(microsOf(maxAge.now)! - microsOf(head.record.event.ts)!) / 1e6;
  const [apart, side] = [Math.abs(age), age < 0 ? 'ahead of' : 'behind'];
  return apart <= maxAge.seconds
    ? `every record, ${all}, ${Math.ceil(apart)} s ${side} the clock of the receiver`
    : unproven('PCM_FRESH_OLD', `the head is ${apart} s ${side} the clock of the receiver, over ${maxAge.seconds} s`);
};
