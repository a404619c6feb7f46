// Agent A has its suite run by a signer's executor, and tells receiver B that it passed; B believes the record, not A: both in one process, beside a signer
// that runs (docs/PCM-SIGNER.md).
// FORENSICTRACE_SIGNER=runner/signer.sock FORENSICTRACE_SIGNER_TOKEN=runner/tokens/agent-a node docs/examples/pcm-tests.mjs runner-trust.json
import { readFileSync } from 'node:fs';
import {
  createReplay,
  nativeCrypto,
  pcmTime,
  readPcmSchema,
  readPcmTrust,
  requireActable,
  SignerClient,
  verifyMessage,
} from 'forensictrace';

const SUITE = 'npm test';
const accepted = (document) => {
  if (document.ok) return document.value;
  throw new Error(document.findings[0].detail);
};
const now = () => pcmTime(Date.now());

// B: whose log it pins, which intent it takes, and one replay state for its whole life.
const trust = accepted(readPcmTrust(readFileSync(process.argv[2] ?? 'runner-trust.json'), nativeCrypto));
const document = { pcm_schema: 0, name: 'review.request', fields: { change: { type: 'int', min: 1, max: 1e9 } } };
const schema = accepted(
  readPcmSchema(Buffer.from(JSON.stringify({ ...document, claims: ['tests_passed'] })), nativeCrypto),
);
const replay = createReplay(now());

// A: the executor runs the suite, so that its result is not A's word; the decision is opened, so that B reads which command ran.
const client = await SignerClient.connect();
const run = await client.run('agent-a');
const { ok, result, runSeqs } = await run.execute('Bash', { command: SUITE });
if (!ok) throw new Error(`the suite failed: ${JSON.stringify(result)}`);
const evidence = await run.evidence(runSeqs, { args: { [runSeqs[0]]: { command: SUITE } } });
const claims = [{ type: 'tests_passed', args: { suite: SUITE }, evidence }];
const message = await run.send('token:agent-b', schema.ref, { change: 7 }, { claims });
await run.end();
client.close();

// B: refuses what it may not act on, then compares what was proven with what it accepts.
const receiver = { trust, schemas: [schema], me: 'token:agent-b', strict: true };
const received = Buffer.from(JSON.stringify(message));
const judged = requireActable(verifyMessage(received, receiver, { replay, now: now() }, nativeCrypto));
const [claim] = judged.claims;
const { suite } = JSON.parse(received.toString()).claims[0].args;
if (suite !== SUITE || claim.evidence_age_s > 60)
  throw new Error(`not the suite that B asks for, or too old: ${suite}`);
console.log(judged.verdict, judged.skipped);
console.log(`${claim.type} ${claim.result}: ${claim.detail}`);
