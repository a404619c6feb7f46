import { createHash, createHmac, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { encodeUtf8 } from '../../src/base/utf8.ts';
import { jcs } from '../../src/pcm/jcs.ts';
import { readPcmSchema } from '../../src/pcm/schema.ts';
import { readStrict } from '../../src/pcm/strict-json.ts';
import { readPcmTrust } from '../../src/pcm/trust.ts';
import type { PcmValue } from '../../src/pcm/value.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';

/** Plain JSON, as a sender's program holds it. */
export type Json = null | boolean | string | number | Json[] | { [name: string]: Json };
export type Members = { [name: string]: Json };

export const bytesOf = (value: unknown): Uint8Array =>
  encodeUtf8(typeof value === 'string' ? value : JSON.stringify(value));
const hash = (...pieces: readonly (Uint8Array | string)[]): Buffer =>
  pieces.reduce((state, piece) => state.update(piece), createHash('sha256')).digest();
export const sha256Text = (data: Uint8Array | string): string => `sha256:${hash(data).toString('hex')}`;

/** The canonical text of plain JSON. */
export const canonicalOf = (value: Json): string => {
  const read = readStrict(bytesOf(value), { what: 'test', maxBytes: 1 << 24 });
  if (!read.ok) throw new Error(read.findings[0].detail);
  return jcs(read.value as PcmValue);
};

const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** A key of a log (type 1) or a witness (type 4), made from one byte. */
export const keyOf = (byte: number, name: string, type = 1) => {
  const secret = createPrivateKey({
    key: Buffer.concat([PKCS8, Buffer.alloc(32, byte)]),
    format: 'der',
    type: 'pkcs8',
  });
  const blob = Buffer.concat([
    Buffer.of(type),
    createPublicKey(secret).export({ format: 'der', type: 'spki' }).subarray(-32),
  ]);
  const id = hash(`${name}\n`, blob).subarray(0, 4);
  return {
    name,
    secret,
    id,
    ref: `${name}+${id.toString('hex')}`,
    vkey: `${name}+${id.toString('hex')}+${blob.toString('base64')}`,
  };
};
export type Key = ReturnType<typeof keyOf>;
const signBytes = (secret: KeyObject, bytes: Uint8Array | string): Buffer =>
  sign(null, typeof bytes === 'string' ? Buffer.from(bytes) : bytes, secret);

const LEAF = Buffer.of(0);
const NODE = Buffer.of(1);
const split = (n: number): number => 2 ** Math.floor(Math.log2(n - 1));

/** The root of a list of leaf entries, by the recursion of RFC 9162 section 2.1.1. */
export const rootOf = (entries: readonly Uint8Array[]): Buffer => {
  if (entries.length === 0) return hash('');
  if (entries.length === 1) return hash(LEAF, entries[0]!);
  const k = split(entries.length);
  return hash(NODE, rootOf(entries.slice(0, k)), rootOf(entries.slice(k)));
};

/** The proof of a leaf, by the recursion of RFC 9162 section 2.1.3.1. */
export const proofOf = (index: number, entries: readonly Uint8Array[]): Buffer[] => {
  if (entries.length === 1) return [];
  const k = split(entries.length);
  return index < k
    ? [...proofOf(index, entries.slice(0, k)), rootOf(entries.slice(k))]
    : [...proofOf(index - k, entries.slice(k)), rootOf(entries.slice(0, k))];
};

const RUN = 'run-1';
export const TS = '2026-11-30T12:00:10.000000Z';
export const A = 'uid:1';
const B = 'uid:2';

/** An event as a log of one run holds it. */
export const eventOf = (seq: number, type: string, data: Members, more: Members = {}): Members => ({
  schema_version: 'tracekit.event.v2',
  seq,
  ts: `2026-11-30T12:00:0${seq % 10}.000000Z`,
  run_id: RUN,
  tenant: 'default',
  source: 'sdk',
  type,
  data,
  ...more,
});

const SALT = Buffer.alloc(32, 7);
const commitmentOf = (tool: Json, args: Json): string =>
  `hmac-sha256:${createHmac('sha256', SALT)
    .update(sha256Text(canonicalOf({ args, tool })))
    .digest('hex')}`;

export const ATTESTED = { source: 'gateway', tier: 'T2' };

/** A decision and its result, and the args that open the decision. */
export const callOf = (
  tool: string,
  args: Members,
  result: Members = ATTESTED,
  { ok = true, decision = 'allow' } = {},
) => ({
  events: [
    eventOf(
      0,
      'policy.decision',
      { tool_use_id: 'c1', tool, decision, decision_id: 'd1', args_commitment: commitmentOf(tool, args) },
      ATTESTED,
    ),
    eventOf(1, 'tool.result', { tool_use_id: 'c1', ok, decision_id: 'd1' }, result),
  ],
  opened: { 0: args },
});

/** The decision, the request and the approval of one call. */
export const approvalOf = (
  tool: string,
  args: Members,
  { call = 'c1', n = 0, person = 'alice', approval = {} as Members } = {},
) => [
  eventOf(n, 'policy.decision', {
    tool_use_id: call,
    tool,
    decision: 'ask',
    decision_id: `d${n}`,
    args_commitment: commitmentOf(tool, args),
  }),
  eventOf(n + 1, 'approval.request', { approval_id: `a${n}`, decision_id: `d${n}` }),
  eventOf(n + 2, 'approval', {
    tool_use_id: call,
    approval_id: `a${n}`,
    decision: 'approve',
    person,
    self_approved: false,
    ...approval,
  }),
];

type Evidence = { readonly checkpoint: string; readonly records: Members[] };

/** Takes events in the order of their seq, and the args that open decisions, by seq; returns evidence that a log of this key gives for them. */
export const evidenceOf = (
  events: readonly Members[],
  opened: Readonly<Record<number, Members>> = {},
  { key = LOG, witnesses = [] as readonly Key[] } = {},
): Evidence => {
  const entries = events.map((event) => hash(canonicalOf(event)));
  const head = `${key.name}\n${events.length}\n${rootOf(entries).toString('base64')}\n`;
  const line = (signer: Key, blob: Buffer) =>
    `— ${signer.name} ${Buffer.concat([signer.id, blob]).toString('base64')}\n`;
  const time = Buffer.from('000000006ab13b80', 'hex');
  const cosigned = witnesses.map((witness) =>
    line(witness, Buffer.concat([time, signBytes(witness.secret, `cosignature/v1\ntime ${0x6ab13b80}\n${head}`)])),
  );
  return {
    checkpoint: `${head}\n${line(key, signBytes(key.secret, head))}${cosigned.join('')}`,
    records: events.map((event, i) => ({
      event,
      hash: sha256Text(canonicalOf(event)),
      proof: proofOf(i, entries).map((one) => one.toString('base64')),
      ...(opened[i] === undefined ? {} : { salt: SALT.toString('hex'), args: opened[i] }),
    })),
  };
};

/** Signs a document under one of the tags of PCM. */
export const signed = (document: Members, tag: string, key: Key = LOG): Members => ({
  ...document,
  sig: { key: key.ref, sig: signBytes(key.secret, canonicalOf({ ...document, t: tag })).toString('base64') },
});

export const LOG = keyOf(1, 'log.example');
export const SCHEMA: Members = {
  pcm_schema: 0,
  name: 'pay',
  fields: { amount: { type: 'int', min: 0, max: 1000 }, note: { type: 'string', max: 20, optional: true } },
};
export const refOf = (schema: Members): string => `${schema.name as string}@${sha256Text(canonicalOf(schema))}`;

/** A message of A to B, signed. */
export const messageOf = (body: Members = {}, schema: Members = SCHEMA, key: Key = LOG): Members =>
  signed(
    {
      pcm: 0,
      id: '0'.repeat(32),
      nonce: '1'.repeat(32),
      ts: TS,
      from: { agent: A, run: RUN, tenant: 'default' },
      to: { agent: B },
      intent: { type: refOf(schema), args: { amount: 5 } },
      ...body,
    },
    'pcm.message.v0',
    key,
  );

export const ROOT_ISSUER = {
  kind: 'person',
  id: 'uid:9',
  run: RUN,
  tenant: 'default',
  approval_id: 'a0',
  person: 'alice',
};

/** A root grant of alice's to A, signed. */
export const grantOf = (body: Members = {}, schema: Members = SCHEMA): Members =>
  signed(
    {
      pcm_grant: 0,
      ts: TS,
      issuer: ROOT_ISSUER,
      subject: A,
      intent: refOf(schema),
      caveats: [{ field: 'amount', op: '<=', value: 10 }],
      expires_at: '2026-11-30T13:00:00.000000Z',
      delegable: true,
      parent: null,
      ...body,
    },
    'pcm.grant.v0',
  );

/** A child of a grant. */
export const childOf = (parent: Members, body: Members = {}): Members =>
  grantOf({
    issuer: { kind: 'agent', id: parent.subject!, run: RUN, tenant: 'default' },
    parent: sha256Text(canonicalOf(parent)),
    ...body,
  });

const valueFrom = <T>(read: { ok: true; value: T } | { ok: false; findings: readonly { detail: string }[] }): T => {
  if (read.ok) return read.value;
  throw new Error(read.findings[0]!.detail);
};

const makeReceiver = (schema: Members, trust: Members) => ({
  trust: valueFrom(readPcmTrust(bytesOf({ logs: [LOG.vkey], ...trust }), nativeCrypto)),
  schemas: [valueFrom(readPcmSchema(bytesOf(schema), nativeCrypto))],
  me: B,
});
const receivers = new Map<string, ReturnType<typeof makeReceiver>>();

/** What B has: the log pinned, one schema. Made once: a key costs more to judge than a message. */
export const receiverOf = (schema: Members = SCHEMA, trust: Members = {}): ReturnType<typeof makeReceiver> => {
  const name = JSON.stringify([schema, trust]);
  const known = receivers.get(name) ?? makeReceiver(schema, trust);
  receivers.set(name, known);
  return known;
};
