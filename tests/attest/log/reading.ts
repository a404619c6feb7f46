import { vkeyOf } from '../../../src/attest/log/checkpoint.ts';
import { isIncluded, leafHash } from '../../../src/pcm/inclusion.ts';
import { type Checkpoint, openCheckpoint } from '../../../src/pcm/note.ts';
import { type PcmTrust, readPcmTrust } from '../../../src/pcm/trust.ts';
import { nativeCrypto } from '../../../src/store/native-crypto.ts';
import { bytesOf } from '../../pcm/lab.ts';
import { logKey, ORIGIN } from './signer.ts';

export const vkey = vkeyOf(ORIGIN, logKey().publicKey, nativeCrypto);
export const trustOf = (...logs: readonly string[]): PcmTrust => {
  const read = readPcmTrust(bytesOf({ logs }), nativeCrypto);
  if (!read.ok) throw new Error(read.findings[0].detail);
  return read.value;
};

/** A checkpoint as a receiver reads it, who pins the log's key. */
export const opened = (note: string, trust = trustOf(vkey)): Checkpoint => {
  const checkpoint = openCheckpoint(note, trust, nativeCrypto);
  if (typeof checkpoint === 'string') throw new Error(checkpoint);
  return checkpoint;
};

export const hashOf = (record: Uint8Array): Uint8Array => Buffer.from(nativeCrypto.sha256Hex(record), 'hex');

/** Whether a proof leads from a record, at its place, to a checkpoint. */
export const proves = (
  record: Uint8Array,
  index: number,
  proof: readonly Uint8Array[],
  checkpoint: Checkpoint,
): boolean =>
  isIncluded({ index: BigInt(index), hash: leafHash(hashOf(record), nativeCrypto) }, checkpoint, proof, nativeCrypto);
