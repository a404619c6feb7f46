import { setTimeout as sleep } from 'node:timers/promises';
import type { SignerClient } from '../attest/client/client.ts';
import type { SignerRun } from '../attest/client/run.ts';
import type { PcmClaim, PcmEvidence, PcmGrant, PcmMessage } from '../attest/client/types.ts';
import { Refused } from '../attest/refused.ts';
import type { JsonObject } from '../base/json-value.ts';
import { encodeUtf8 } from '../base/utf8.ts';
import { readPcmSchema } from '../pcm/schema.ts';
import { pcmTime } from '../pcm/time.ts';
import { nativeCrypto } from '../store/native-crypto.ts';

const SCHEMA_TEXT = JSON.stringify({
  pcm_schema: 0,
  name: 'refund.request',
  fields: {
    amount: { type: 'money', currency: 'USD', max: 1_000_000 },
    order: { type: 'int', min: 1, max: 999_999_999 },
  },
  claims: ['approved_by'],
  grant: true,
});

const schemaOf = () => {
  const read = readPcmSchema(encodeUtf8(SCHEMA_TEXT), nativeCrypto);
  if (!read.ok) throw new Error(read.findings[0].detail);
  return read.value;
};
/** The intent of the story: its schema asks for a person's approval and a grant. */
export const SCHEMA = schemaOf();

const CALL = 'grant-1';
const REQUEST = { amount: 12_000, order: 81 };
const CAVEATS = [
  { field: 'amount', op: '<=', value: 20_000 },
  { field: 'order', op: '==', value: 81 },
];

/** Alice answers the call that asks her for a grant, once she sees it. Returns what she saw. */
const approve = async (alice: SignerClient): Promise<string | null> => {
  for (;;) {
    const [asked] = await alice.approvals();
    if (asked === undefined) {
      await sleep(20);
      continue;
    }
    await alice.answer(asked.approval_id, 'approve');
    return asked.args;
  }
};

const approvalEvidence = async (run: SignerRun): Promise<PcmEvidence> => {
  const records = (await run.read()).filter(({ type }) =>
    ['policy.decision', 'approval.request', 'approval'].includes(type),
  );
  return run.evidence(records.map(({ run_seq }) => run_seq));
};

const approvedBy = (evidence: PcmEvidence): PcmClaim => ({
  type: 'approved_by',
  args: { person: 'alice', call: CALL, covers: true },
  evidence,
});

/** The same evidence, one hex digit of its first record's hash changed. */
const altered = ({ checkpoint, records }: PcmEvidence): PcmEvidence => {
  const [first, ...others] = records;
  const hash = first!.hash.slice(0, -1) + (first!.hash.endsWith('0') ? '1' : '0');
  return { checkpoint, records: [{ ...first!, hash }, ...others] };
};

/** The four requests that A sends to B under the same grant, by what is told of them. */
export type Told = readonly [string, PcmMessage][];

const requests = async (run: SignerRun, to: string, grant: PcmGrant): Promise<Told> => {
  const evidence = await approvalEvidence(run);
  const send = (args: JsonObject, ...claims: readonly PcmClaim[]) =>
    run.send(to, SCHEMA.ref, args, { claims, grants: [grant] });
  const tests: PcmClaim = { type: 'tests_passed', args: { suite: 'pytest tests/test_refund.py' } };
  return [
    ['refund.request {amount $120.00, order 81} + approved_by(alice)', await send(REQUEST, approvedBy(evidence))],
    [
      'same request + tests_passed(pytest tests/test_refund.py), no evidence',
      await send(REQUEST, approvedBy(evidence), tests),
    ],
    ['approved_by with one record hash changed', await send(REQUEST, approvedBy(altered(evidence)))],
    [
      'refund.request {amount $500.00, order 81} + approved_by(alice)',
      await send({ ...REQUEST, amount: 50_000 }, approvedBy(evidence)),
    ],
  ];
};

const signAs = async (run: SignerRun, agent: string): Promise<string> => {
  const body = {
    from: { agent, run: run.id, tenant: run.tenant },
    to: { agent },
    intent: { type: SCHEMA.ref, args: REQUEST },
  };
  try {
    await run.call('pcm_sign', { body });
    return 'signed';
  } catch (error) {
    if (error instanceof Refused) return error.message;
    throw error;
  }
};

/** What came of the story: the terms that alice saw, A's requests as signed, and what the signer said when A asked to sign as B. */
export type Story = {
  readonly run: SignerRun;
  readonly seen: string | null;
  readonly until: string;
  readonly requests: Told;
  readonly asB: string;
};

/** Plays A and alice, each by a connection of her own: alice grants, A asks B for refunds, A asks the signer to sign as B. */
export const playRefund = async (a: SignerClient, alice: SignerClient, b: string): Promise<Story> => {
  const run = await a.run('agent-a');
  const until = pcmTime(Date.now() + 3_600_000);
  const terms = { subject: run.agent, intent: SCHEMA.ref, expiresAt: until, caveats: CAVEATS };
  const [grant, seen] = await Promise.all([run.grant(terms, { call: CALL }), approve(alice)]);
  return { run, seen, until, requests: await requests(run, b, grant), asB: await signAs(run, b) };
};
