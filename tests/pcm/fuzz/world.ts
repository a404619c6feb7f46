import { createHash } from 'node:crypto';
import {
  ATTESTED,
  approvalOf,
  callOf,
  canonicalOf,
  eventOf,
  evidenceOf,
  grantOf,
  type Json,
  type Members,
  messageOf,
  receiverOf,
  refOf,
} from '../lab.ts';

export const SCHEMA: Members = {
  pcm_schema: 0,
  name: 'pay',
  fields: { amount: { type: 'int', min: 0, max: 1000 }, note: { type: 'string', max: 20, optional: true } },
  claims: ['approved_by'],
  grant: true,
  tool: 'pay',
};
const PAID: Members = { amount: 5 };
const CONTENT = 'refund = 1\n';
const DIGEST = `sha256:${createHash('sha256').update(CONTENT).digest('hex')}`;
const T1: Members = { source: 'sdk' };

type Call = { readonly events: readonly Members[]; readonly opened: Readonly<Record<number, Members>> };

/** Calls of one run, one after the other in one log, each under names of its own; `starts` says where each begins. */
const logOf = (calls: readonly Call[]) => {
  const events: Members[] = [];
  const opened: Record<number, Members> = {};
  const starts = [0];
  for (const [n, call] of calls.entries()) {
    for (const [at, args] of Object.entries(call.opened)) opened[events.length + Number(at)] = args;
    for (const event of call.events) {
      const data = Object.entries(event.data as Members).map(([name, value]) => [
        name,
        name.endsWith('_id') ? `${value as string}-${n}` : value,
      ]);
      events.push({ ...event, seq: events.length, data: Object.fromEntries(data) });
    }
    starts.push(events.length);
  }
  return { events, opened, starts };
};
const of = (...events: readonly Members[]): Call => ({ events, opened: {} });
const effect = (data: Members): Call => of(eventOf(0, 'effect.observed', data, { source: 'signer' }));

/** What happened, and beside it what looks much like it and did not: the agent's word, a failure, an attempt, a refusal, an agent's answer. */
const { events, opened, starts } = logOf([
  callOf('Bash', { command: 'pytest -q' }),
  callOf('Bash', { command: 'pytest tests' }, T1),
  callOf('Bash', { command: 'npm test' }, ATTESTED, { ok: false }),
  callOf('Bash', { command: 'go test' }, ATTESTED, { decision: 'deny' }),
  callOf('WebFetch', { url: 'https://api.example/v1' }),
  callOf('WebFetch', { url: 'https://t1.example/v1' }, T1),
  callOf('Read', { url: 'https://read.example/v1', command: 'cargo test' }),
  effect({ kind: 'net', host: 'net.example', port: 443, connections: 2 }),
  effect({ kind: 'net', host: 'idle.example', port: 443, connections: 0 }),
  effect({ kind: 'connect', host: 'try.example', port: 443, sensor: 'ebpf' }),
  callOf('Write', { file_path: '/repo/refund.py', content: CONTENT }),
  callOf('Write', { file_path: '/repo/t1.py', content: CONTENT }, T1),
  { events: approvalOf('pay', PAID), opened: { 0: PAID } },
  {
    events: approvalOf('pay', { amount: 900 }, { person: 'bob', approval: { decision: 'reject' } }),
    opened: { 0: { amount: 900 } },
  },
  {
    events: approvalOf('pay', { amount: 9 }, { person: 'carol', approval: { approver_kind: 'agent' } }),
    opened: { 0: { amount: 9 } },
  },
  of(
    eventOf(0, 'approval', {
      tool_use_id: 'c1',
      approval_id: 'a9',
      decision: 'approve',
      person: 'mallory',
      self_approved: true,
    }),
  ),
]);

const all = evidenceOf(events, opened);
type Claim = { readonly type: string; readonly args: Members; readonly evidence: Json };
/** A claim with the records of one call as its evidence. */
const claim = (call: number, type: string, args: Members): Claim => {
  const records = all.records.slice(starts[call], starts[call + 1]);
  return { type, args, evidence: { checkpoint: all.checkpoint, records } };
};

/** Claims that are true of that log, and those that its bait invites. */
const CLAIMS: readonly Claim[] = [
  claim(0, 'tests_passed', { suite: 'pytest -q' }),
  claim(4, 'reached_host', { host: 'api.example' }),
  claim(7, 'reached_host', { host: 'net.example' }),
  claim(10, 'file_written', { path: '/repo/refund.py', digest: DIGEST }),
  claim(12, 'approved_by', { person: 'alice', call: 'c1-12' }),
  claim(12, 'approved_by', { person: 'alice', call: 'c1-12', covers: true }),
];
const BAIT: readonly Claim[] = [
  claim(1, 'tests_passed', { suite: 'pytest tests' }),
  claim(2, 'tests_passed', { suite: 'npm test' }),
  claim(3, 'tests_passed', { suite: 'go test' }),
  claim(6, 'tests_passed', { suite: 'cargo test' }),
  claim(5, 'reached_host', { host: 't1.example' }),
  claim(6, 'reached_host', { host: 'read.example' }),
  claim(8, 'reached_host', { host: 'idle.example' }),
  claim(9, 'reached_host', { host: 'try.example' }),
  claim(11, 'file_written', { path: '/repo/t1.py', digest: DIGEST }),
  claim(13, 'approved_by', { person: 'bob', call: 'c1-13', covers: true }),
  claim(14, 'approved_by', { person: 'carol', call: 'c1-14', covers: true }),
  claim(15, 'approved_by', { person: 'mallory', call: 'c1-15' }),
];

const grants = [
  grantOf({}, SCHEMA),
  grantOf({ caveats: [{ field: 'amount', op: '<=', value: 700 }], delegable: false }, SCHEMA),
];
export const ME = 'uid:2';
export const receiver = receiverOf(SCHEMA);

const bodyOf = (claims: readonly Claim[], more: Members = {}): Members => ({
  grants: [grants[0]!],
  intent: { type: refOf(SCHEMA), args: PAID },
  claims: claims as unknown as Json[],
  ...more,
});

/** Bodies of messages that tell the truth, and of messages that lie. */
export const TRUE_BODIES: readonly Members[] = [
  ...CLAIMS.map((one) => bodyOf([one])),
  bodyOf(CLAIMS, { payload: { kind: 'data', data: { price: 1.5, '€': ['𝒳', null, true] } } }),
  bodyOf([CLAIMS[5]!], { grants: [grants[1]!], payload: { kind: 'text', text: 'please' } }),
];
export const LYING_BODIES: readonly Members[] = BAIT.map((one) => bodyOf([one]));

export const messageFor = (body: Members): Members => messageOf(body, SCHEMA);

/** Spellings of one path and of one host that the protocol reads alike (docs/PCM.md sections 11 and 12). */
const plain = (args: Members): Members => {
  const { path, host, covers, ...rest } = args;
  return {
    ...rest,
    ...(typeof path === 'string'
      ? {
          path: `/${path
            .split('/')
            .filter((part) => part !== '' && part !== '.')
            .join('/')}`,
        }
      : {}),
    ...(typeof host === 'string' ? { host: host.replace(/:\d{1,5}$/, '').replace(/\.$/, '') } : {}),
    ...(covers === true ? { covers } : {}),
  };
};
const nameOf = (type: Json, args: Json): string => canonicalOf([type, plain(args as Members)]);
const TRUE = new Set(CLAIMS.map(({ type, args }) => nameOf(type, args)));
const GRANTED: ReadonlyMap<string, number> = new Map([
  [canonicalOf([grants[0]!]), 10],
  [canonicalOf([grants[1]!]), 700],
]);

/** What a result may not say of a message, given what happened; null when it says nothing false. `proven` are the places of its proven claims. */
export const falsehood = (message: Members, verdict: string, proven: readonly number[]): string | null => {
  const { intent, to, claims = [] } = message as Record<string, Members> & { claims?: Members[] };
  const args = intent?.args as Members;
  for (const place of proven) {
    const claim = claims[place]!;
    if (!TRUE.has(nameOf(claim.type!, claim.args!))) return `claim ${place} is not true, and proven`;
    if ((claim.args as Members).covers === true && canonicalOf(args) !== canonicalOf(PAID))
      return `claim ${place} covers other args, and is proven`;
  }
  if (verdict !== 'accept' && verdict !== 'accept-unproven') return null;
  if (to?.agent !== ME) return 'accepted, for another receiver';
  const cap = GRANTED.get(canonicalOf(message.grants ?? null));
  if (cap === undefined) return 'accepted, under a grant that nobody signed';
  const { amount, note = '', ...others } = args;
  const isGranted = Number.isInteger(amount) && (amount as number) >= 0 && (amount as number) <= cap;
  const fits = typeof note === 'string' && Array.from(note).length <= 20 && Object.keys(others).length === 0;
  if (!isGranted || !fits) return 'accepted, with args beyond schema or grant';
  return verdict === 'accept' && proven.length < claims.length ? 'accepted as proven, with a claim that is not' : null;
};
