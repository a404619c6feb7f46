import * as z from 'zod';
import { decodeBase64 } from '../base/base64.ts';
import type { Crypto } from '../base/crypto.ts';
import { hexToBytes } from './bytes.ts';
import { commitmentOf } from './commitment.ts';
import type { Envelope } from './envelope.ts';
import { accepted, finding, type PcmResult, refusedBy } from './finding.ts';
import { isIncluded, leafHash } from './inclusion.ts';
import { jcsHash } from './jcs.ts';
import { PCM_LIMITS } from './limits.ts';
import { type Checkpoint, openCheckpoint } from './note.ts';
import type { PcmReason } from './reasons.ts';
import { AnyValue, HASH, Members, misshapen, Name, Time } from './shapes.ts';
import type { PcmTrust } from './trust.ts';
import type { PcmObject, PcmValue } from './value.ts';
import type { VerifierKey } from './vkey.ts';

const HASH_BYTES = 32;

const Count = z.number().int().nonnegative();
/** What is read of an event of a log (schema_version tracekit.event.v2); members beyond these are the log's own. */
const Event = z.looseObject({
  schema_version: z.literal('tracekit.event.v2'),
  seq: Count,
  ts: Time,
  run_id: Name,
  tenant: Name,
  source: z.string(),
  tier: z.string().optional(),
  type: z.string(),
  data: Members,
});
export type Event = Readonly<z.infer<typeof Event>>;

const Record = z.strictObject({
  event: Members,
  hash: z.string().regex(HASH),
  proof: z.array(z.string()).max(PCM_LIMITS.proof),
  salt: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  args: Members.optional(),
});
type Record = Readonly<z.infer<typeof Record>>;

const Evidence = z.strictObject({
  checkpoint: z.string(),
  records: z.array(AnyValue).min(1).max(PCM_LIMITS.records),
});

/** A record that the log holds, and the args that its commitment opens to, when they were sent. */
export type Proven = { readonly event: Event; readonly hash: string; readonly args: PcmObject | null };

/** What evidence is judged for. */
export type EvidenceContext = {
  readonly message: Envelope;
  readonly trust: PcmTrust;
  /** The log key that signed the message: evidence is of the same log. */
  readonly key: VerifierKey;
  readonly crypto: Crypto;
};

type Fault = readonly [PcmReason, string];

const openLogCheckpoint = (note: string, { trust, key, crypto }: EvidenceContext): Checkpoint | Fault => {
  const checkpoint = openCheckpoint(note, trust, crypto);
  if (typeof checkpoint === 'string') return ['PCM_EVIDENCE_CHECKPOINT', checkpoint];
  if (checkpoint.origin !== key.name)
    return ['PCM_EVIDENCE_OTHER_LOG', `the checkpoint is of ${checkpoint.origin}, and the message of ${key.name}`];
  const { cosignatures } = checkpoint;
  return cosignatures >= trust.witnessesRequired
    ? checkpoint
    : ['PCM_EVIDENCE_WITNESSES', `${cosignatures} of ${trust.witnessesRequired} witnesses cosigned the checkpoint`];
};

const isCheckpoint = (opened: Checkpoint | Fault): opened is Checkpoint => 'root' in opened;

const inclusionFault = (record: Record, checkpoint: Checkpoint, { crypto }: EvidenceContext): Fault | null => {
  if (jcsHash(record.event, crypto) !== record.hash) return ['PCM_EVIDENCE_HASH', 'hash does not match the event'];
  const proof = record.proof.map(decodeBase64);
  if (!proof.every((hash) => hash?.length === HASH_BYTES))
    return ['PCM_EVIDENCE_PROOF', 'a hash of the proof is not 32 bytes of canonical base64'];
  const leaf = {
    index: BigInt((record.event as unknown as Event).seq),
    hash: leafHash(hexToBytes(record.hash.slice('sha256:'.length)), crypto),
  };
  return isIncluded(leaf, checkpoint, proof as Uint8Array[], crypto)
    ? null
    : ['PCM_EVIDENCE_PROOF', 'the inclusion proof does not lead to the root of the checkpoint'];
};

const openingFault = ({ salt, args, event }: Record, crypto: Crypto): Fault | null => {
  if (salt === undefined && args === undefined) return null;
  const { type, data } = event as unknown as Event;
  if (salt === undefined || args === undefined)
    return ['PCM_EVIDENCE_OPENING', 'salt and args open a decision together'];
  if (type !== 'policy.decision')
    return ['PCM_EVIDENCE_OPENING', `only a policy.decision is opened, and this is ${type}`];
  return commitmentOf(data.tool ?? null, args, salt, crypto) === data.args_commitment
    ? null
    : ['PCM_EVIDENCE_OPENING', 'salt and args do not open the commitment of the decision'];
};

/** The checks of one record, in the order of the sources; the shape of its event comes first, since each of them reads it. */
const recordFault = (value: PcmValue, checkpoint: Checkpoint, context: EvidenceContext): Fault | null => {
  const shape = misshapen(Record, value, 'PCM_EVIDENCE_SHAPE');
  if (shape !== null) return [shape.reason, shape.detail];
  const record = value as unknown as Record;
  const event = misshapen(Event, record.event, 'PCM_EVIDENCE_EVENT');
  if (event !== null) return [event.reason, `no event that can be read: ${event.detail}`];
  const inclusion = inclusionFault(record, checkpoint, context);
  if (inclusion !== null) return inclusion;
  const { run_id, tenant } = record.event as unknown as Event;
  const { from } = context.message;
  if (run_id !== from.run || tenant !== from.tenant)
    return ['PCM_EVIDENCE_OTHER_RUN', "not of the sender's run and tenant"];
  return openingFault(record, context.crypto);
};

/** Takes the evidence of a claim; returns its records, each held by the log and of the sender's run, or the first that is not (docs/PCM.md section 8). */
export const openEvidence = (value: PcmValue, at: string, context: EvidenceContext): PcmResult<readonly Proven[]> => {
  const shape = misshapen(Evidence, value, 'PCM_EVIDENCE_SHAPE', at);
  if (shape !== null) return refusedBy(shape);
  const { checkpoint: note, records } = value as unknown as z.infer<typeof Evidence>;
  const checkpoint = openLogCheckpoint(note, context);
  if (!isCheckpoint(checkpoint)) return refusedBy(finding(checkpoint[0], `${at}/checkpoint`, checkpoint[1]));
  const places = new Map<string, number>();
  for (const [i, record] of records.entries()) {
    const refuse = ([reason, detail]: Fault) =>
      refusedBy(finding(reason, `${at}/records/${i}`, `record ${i + 1}: ${detail}`));
    const fault = recordFault(record, checkpoint, context);
    if (fault !== null) return refuse(fault);
    const { hash } = record as unknown as Record;
    const before = places.get(hash);
    if (before !== undefined) return refuse(['PCM_EVIDENCE_REPEATED', `the same record as record ${before + 1}`]);
    places.set(hash, i);
  }
  return accepted(
    (records as unknown as Record[]).map(({ event, hash, args }) => ({
      event: event as unknown as Event,
      hash,
      args: args ?? null,
    })),
  );
};
