import { sign } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { vkeyOf } from '../../../src/attest/log/checkpoint.ts';
import { openLog } from '../../../src/attest/log/open.ts';
import type { Log, LogKey } from '../../../src/attest/log/types.ts';
import { isIncluded, leafHash } from '../../../src/pcm/inclusion.ts';
import { type Checkpoint, openCheckpoint } from '../../../src/pcm/note.ts';
import { type PcmTrust, readPcmTrust } from '../../../src/pcm/trust.ts';
import { nativeCrypto } from '../../../src/store/native-crypto.ts';
import { bytesOf, keyOf } from '../../pcm/lab.ts';

export const ORIGIN = 'example.com/signer';

/** A log key made from one byte. */
export const logKey = (byte = 1): LogKey => {
  const { secret, vkey } = keyOf(byte, ORIGIN);
  const blob = Buffer.from(vkey.slice(vkey.indexOf('+', ORIGIN.length + 1) + 1), 'base64');
  return { publicKey: blob.subarray(1), sign: (message) => sign(null, message, secret) };
};

export const open = (folder: string, key = logKey(), origin = ORIGIN): Promise<Log> =>
  openLog(folder, { origin, key, crypto: nativeCrypto });

/** A folder for one test; it is not made yet. */
export const newFolder = (): string => {
  const parent = mkdtempSync(join(tmpdir(), 'a2aft-log-'));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  return join(parent, 'log');
};

/** The canonical text of the event at a place of a log: its members are in order. */
export const recordAt = (seq: number): Uint8Array =>
  bytesOf({
    data: { ok: true, tool_use_id: `call-${seq}` },
    run_id: 'run-1',
    schema_version: 'tracekit.event.v2',
    seq,
    source: 'sdk',
    tenant: 'default',
    ts: '2026-11-30T12:00:00.000000Z',
    type: 'tool.result',
  });

/** Appends the next records in one turn. */
export const fill = async (log: Log, count: number): Promise<void> => {
  const records = Array.from({ length: count }, (_, i) => recordAt(log.next + i));
  await Promise.all(records.map((record) => log.append(record)));
};

export const vkey = vkeyOf(ORIGIN, logKey().publicKey, nativeCrypto);
const trust = ((): PcmTrust => {
  const read = readPcmTrust(bytesOf({ logs: [vkey] }), nativeCrypto);
  if (!read.ok) throw new Error(read.findings[0].detail);
  return read.value;
})();

/** A checkpoint as a receiver reads it, who pins the log's key. */
export const opened = (note: string): Checkpoint => {
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
