// Agent A asks receiver B for a refund that alice approved, and B checks it: both in one process, beside a signer that runs (docs/PCM-SIGNER.md).
// FORENSICTRACE_SIGNER=signer/signer.sock FORENSICTRACE_SIGNER_TOKEN=signer/tokens/agent-a npx tsx docs/examples/pcm-refund.ts pcm-trust.json
import { readFileSync } from 'node:fs';
import {
  createReplay,
  nativeCrypto,
  pcmTime,
  readPcmSchema,
  readPcmTrust,
  SignerClient,
  verifyMessage,
} from 'forensictrace';

const SCHEMA = {
  pcm_schema: 0,
  name: 'refund.request',
  fields: {
    amount: { type: 'money', currency: 'USD', max: 1_000_000 },
    order: { type: 'int', min: 1, max: 999_999_999 },
  },
  claims: ['approved_by'],
  grant: true,
};

const accepted = <T>(read: { ok: true; value: T } | { ok: false; findings: readonly { detail: string }[] }): T => {
  if (read.ok) return read.value;
  throw new Error(read.findings[0]!.detail);
};

// B, the receiver: the trust document, the schema, and one replay state for its whole life, made before A sends anything (a message signed before
// the receiver started is refused).
const trust = accepted(readPcmTrust(readFileSync(process.argv[2] ?? 'pcm-trust.json'), nativeCrypto));
const schema = accepted(readPcmSchema(Buffer.from(JSON.stringify(SCHEMA)), nativeCrypto));
const replay = createReplay(pcmTime(Date.now()));

// A, the sender: a run of its own, at the signer that the environment names.
const client = await SignerClient.connect();
const run = await client.run('agent-a');
const expiresAt = pcmTime(Date.now() + 3_600_000);

// Waits until alice answers: forensictrace approvals list, then approve.
const grant = await run.grant({
  subject: run.agent,
  intent: schema.ref,
  expiresAt,
  caveats: [
    { field: 'amount', op: '<=', value: 20_000 },
    { field: 'order', op: '==', value: 81 },
  ],
});

// The approval, the request that it answers, and the decision that the request names.
const events = await run.read();
const approval = events.find(({ type }) => type === 'approval')!;
const request = events.find(
  ({ type, data }) => type === 'approval.request' && data.approval_id === approval.data.approval_id,
)!;
const decision = events.find(
  ({ type, data }) => type === 'policy.decision' && data.decision_id === request.data.decision_id,
)!;
const evidence = await run.evidence([decision.run_seq, request.run_seq, approval.run_seq]);

// covers: alice's approval issued the grant that this request is under.
const args = { person: 'alice', call: approval.data.tool_use_id!, covers: true };
const message = await run.send(
  'token:agent-b',
  schema.ref,
  { amount: 12_000, order: 81 },
  {
    grants: [grant],
    claims: [{ type: 'approved_by', args, evidence }],
  },
);
await run.end();
client.close();

// B checks the bytes that it received.
const received = Buffer.from(JSON.stringify(message));
const result = verifyMessage(
  received,
  { trust, schemas: [schema], me: 'token:agent-b' },
  { replay, now: pcmTime(Date.now()) },
  nativeCrypto,
);
if (result.verdict === 'bad-input') throw new Error(result.reasons.join('; '));
console.log(result.verdict, result.skipped);
console.log(result.claims[0]?.detail);
