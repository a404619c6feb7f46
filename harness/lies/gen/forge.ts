import { createHmac } from 'node:crypto';
import type { JsonObject, PcmEvidence, RunEvent } from '../../../src/index.ts';
import { hashOf } from '../receivers/jcs.ts';

type Data = { readonly [name: string]: JsonObject[string] };
/** Members of an event to change; those of `data` one by one. */
export type Change = Omit<Partial<RunEvent>, 'data'> & { readonly [name: string]: unknown; readonly data?: Data };

/** The event with members changed. */
const changed = (event: RunEvent, { data = {}, ...members }: Change): RunEvent =>
  ({ ...event, ...members, data: { ...event.data, ...data } }) as RunEvent;

/** The records with one changed by the sender; its hash made again, or left as it was. */
export const editing = (evidence: PcmEvidence, at: number, change: Change, rehash: boolean): PcmEvidence => ({
  ...evidence,
  records: evidence.records.map((record, i) => {
    if (i !== at) return record;
    const event = changed(record.event, change);
    return { ...record, event, ...(rehash ? { hash: hashOf(event) } : {}) };
  }),
});

/** The first decision opened with other args than it was made with. */
export const opening = (evidence: PcmEvidence, args: JsonObject, salt?: string): PcmEvidence => ({
  ...evidence,
  records: evidence.records.map((record, i) => (i === 0 ? { ...record, salt: salt ?? record.salt!, args } : record)),
});

/** The salts that a sender makes up are of the seed's making too. */
const commitment = (salt: string, tool: string, args: JsonObject): string =>
  `hmac-sha256:${createHmac('sha256', Buffer.from(salt, 'hex')).update(hashOf({ args, tool })).digest('hex')}`;

type MadeUp = { readonly event: RunEvent; readonly salt?: string; readonly args?: JsonObject };

/** Events of a call that never was, in the form of a true one: a decision, and the executor's result. */
export const madeUpCall = (
  like: RunEvent,
  tool: string,
  args: JsonObject,
  id: string,
  seen: Data,
): readonly MadeUp[] => {
  const salt = id.repeat(2);
  const data = { tool_use_id: `call-${id}`, tool, decision: 'allow', decision_id: `dec-${id}`, rule_ids: [] };
  const source = { source: 'gateway', tier: 'T2' };
  const result = { tool_use_id: data.tool_use_id, ok: true, decision_id: data.decision_id, via: 'executor', ...seen };
  const decided = { ...data, args_commitment: commitment(salt, tool, args) };
  return [
    { event: { ...like, ...source, type: 'policy.decision', data: decided } as unknown as RunEvent, salt, args },
    { event: { ...like, ...source, type: 'tool.result', data: result } as unknown as RunEvent },
  ];
};

/** Events of an approval that nobody gave. */
export const madeUpApproval = (
  like: RunEvent,
  tool: string,
  args: JsonObject,
  id: string,
  call: string,
  person: string,
): readonly MadeUp[] => {
  const salt = id.repeat(2);
  const common = { tool_use_id: call, decision_id: `dec-${id}`, rule_ids: ['REFUND'] };
  const decided = { ...common, tool, decision: 'ask', args_commitment: commitment(salt, tool, args) };
  const asked = { ...common, tool, approval_id: `apr-${id}` };
  const said = {
    tool_use_id: call,
    approval_id: `apr-${id}`,
    decision: 'approve',
    approver: `token:${person}`,
    self_approved: false,
    person,
  };
  const of = (type: string, source: string, data: object) => ({ ...like, type, source, data }) as unknown as RunEvent;
  return [
    { event: of('policy.decision', 'sdk', decided), salt, args },
    { event: of('approval.request', 'sdk', asked) },
    { event: of('approval', 'signer', said) },
  ];
};

/** Puts events in the places of true records, whose proofs and checkpoint they borrow, and their hashes if told so. */
export const inPlaceOf = (evidence: PcmEvidence, events: readonly MadeUp[], borrowHash: boolean): PcmEvidence => ({
  ...evidence,
  records: events.map(({ event, ...opened }, i) => {
    const { event: real, hash, proof } = evidence.records[i]!;
    const placed = { ...event, seq: real.seq, run_seq: real.run_seq } as RunEvent;
    return { event: placed, hash: borrowHash ? hash : hashOf(placed), proof, ...opened };
  }),
});
