import { sign } from 'node:crypto';
import { openLog } from '../../../src/attest/log/open.ts';
import type { Log, LogKey } from '../../../src/attest/log/types.ts';
import { nativeCrypto } from '../../../src/store/native-crypto.ts';
import { bytesOf, keyOf } from '../../pcm/lab.ts';

export const ORIGIN = 'example.com/signer';

/** A log key made from one byte. */
export const logKey = (byte = 1): LogKey => {
  const { secret, vkey } = keyOf(byte, ORIGIN);
  const blob = Buffer.from(vkey.split('+').slice(2).join('+'), 'base64');
  return { publicKey: blob.subarray(1), sign: (message) => sign(null, message, secret) };
};

export const open = (folder: string, key = logKey(), origin = ORIGIN): Promise<Log> =>
  openLog(folder, { origin, key, crypto: nativeCrypto });

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

export const nextRecords = (log: Log, count: number): Uint8Array[] =>
  Array.from({ length: count }, (_, i) => recordAt(log.next + i));

/** Appends the next records in one turn. */
export const fill = async (log: Log, count: number): Promise<void> => {
  await Promise.all(nextRecords(log, count).map((record) => log.append(record)));
};
