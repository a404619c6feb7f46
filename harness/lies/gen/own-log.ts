import { createPublicKey, type KeyObject, sign } from 'node:crypto';
import type { JsonObject, PcmEvidence, RunEvent } from '../../../src/index.ts';
import { hashOf, jcs, sha256 } from '../receivers/jcs.ts';

/** A log's key as a sender can make one for itself: any name, any key. */
export type OwnKey = { readonly name: string; readonly ref: string; readonly id: Buffer; readonly secret: KeyObject };

/** Takes a name, a private key and the type of key that its id says it is (C2SP signed-note). */
export const ownKey = (name: string, secret: KeyObject, type = 0x01): OwnKey => {
  const { x } = createPublicKey(secret).export({ format: 'jwk' });
  const id = sha256(`${name}\n`, Buffer.of(type), Buffer.from(x!, 'base64url')).subarray(0, 4);
  return { name, ref: `${name}+${id.toString('hex')}`, id, secret };
};

const leafOf = (hash: string): Buffer => sha256(Buffer.of(0), Buffer.from(hash.slice('sha256:'.length), 'hex'));
const nodeOf = (left: Buffer, right: Buffer): Buffer => sha256(Buffer.of(1), left, right);
const splitOf = (size: number): number => 2 ** Math.floor(Math.log2(size - 1));

/** RFC 9162 section 2.1.1. */
const rootOf = (leaves: readonly Buffer[]): Buffer => {
  if (leaves.length === 1) return leaves[0]!;
  const at = splitOf(leaves.length);
  return nodeOf(rootOf(leaves.slice(0, at)), rootOf(leaves.slice(at)));
};

/** RFC 9162 section 2.1.3.1. */
const pathOf = (index: number, leaves: readonly Buffer[]): readonly Buffer[] => {
  if (leaves.length === 1) return [];
  const at = splitOf(leaves.length);
  return index < at
    ? [...pathOf(index, leaves.slice(0, at)), rootOf(leaves.slice(at))]
    : [...pathOf(index - at, leaves.slice(at)), rootOf(leaves.slice(0, at))];
};

/** The root to which a path leads from a leaf (RFC 9162 section 2.1.3.2). */
const rootFrom = (leaf: Buffer, index: number, size: number, path: readonly Buffer[]): Buffer => {
  let [fn, sn, root] = [index, size - 1, leaf];
  for (const step of path) {
    if (fn % 2 === 1 || fn === sn) {
      root = nodeOf(step, root);
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [fn / 2, Math.floor(sn / 2)];
    } else root = nodeOf(root, step);
    [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)];
  }
  return root;
};

/** A checkpoint of a root, signed with the key under a name that the signer of it may not be. */
const noteOf = (origin: string, size: number, root: Buffer, { id, secret }: OwnKey): string => {
  const text = `${origin}\n${size}\n${root.toString('base64')}\n`;
  const blob = Buffer.concat([id, sign(null, Buffer.from(text), secret)]).toString('base64');
  return `${text}\n— ${origin} ${blob}\n`;
};

/** A log of the sender's own writing that holds exactly these events, in the form that evidence has. */
export const ownLog = (
  origin: string,
  key: OwnKey,
  events: readonly { event: RunEvent; salt?: string; args?: JsonObject }[],
): PcmEvidence => {
  const placed = events.map(({ event, ...opened }, seq) => ({
    event: { ...event, log_id: origin, seq } as RunEvent,
    ...opened,
  }));
  const leaves = placed.map(({ event }) => leafOf(hashOf(event)));
  return {
    checkpoint: noteOf(origin, leaves.length, rootOf(leaves), key),
    records: placed.map(({ event, ...opened }, seq) => ({
      event,
      hash: hashOf(event),
      proof: pathOf(seq, leaves).map((step) => step.toString('base64')),
      ...opened,
    })),
  };
};

/** Gives an edited record a checkpoint to whose root its proof leads: signed by the key, or with the signature of the true one. */
export const refitted = (evidence: PcmEvidence, at: number, key: OwnKey | null): PcmEvidence => {
  const { event, hash, proof } = evidence.records[at]!;
  const [origin, size, , , ...lines] = evidence.checkpoint.split('\n');
  const root = rootFrom(
    leafOf(hash),
    event.seq,
    Number(size),
    proof.map((step) => Buffer.from(step, 'base64')),
  );
  const checkpoint =
    key === null
      ? [origin, size, root.toString('base64'), '', ...lines].join('\n')
      : noteOf(origin!, Number(size), root, key);
  return { ...evidence, checkpoint };
};

/** Signs a message with a key of the sender's own, naming the key that it likes. */
export const signedAs = (message: JsonObject, key: OwnKey, ref = key.ref): JsonObject => {
  const { sig: _, ...body } = message;
  const signature = sign(null, Buffer.from(jcs({ ...body, t: 'pcm.message.v0' })), key.secret);
  return { ...body, sig: { key: ref, sig: signature.toString('base64') } };
};
