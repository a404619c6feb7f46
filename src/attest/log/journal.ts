import { constants, readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Crypto } from '../../base/crypto.ts';
import { bytesToHex } from '../../base/hex.ts';
import { PCM_LIMITS } from '../../pcm/limits.ts';
import { EnvironmentFault } from '../../store/fault.ts';
import { HASH_BYTES } from './merkle.ts';

const FORMAT = 'forensictrace.log.v1';
const LF = 0x0a;
const SPACE = 0x20;
const HASH_DIGITS = 2 * HASH_BYTES;
const MAX_LINE_BYTES = HASH_DIGITS + 1 + PCM_LIMITS.messageBytes + 1;
const READ_BYTES = 1 << 20;

/** The first line of a journal: a file that does not begin with it is none of ours, and must not be cut. */
export const journalHead = (origin: string): string => `${FORMAT} ${origin}\n`;

/** Takes a record and its hash; returns its line, `HASH SPACE RECORD LF`. The hash tells a line that was written whole from one that was not. */
export const journalLine = (record: Uint8Array, hash: Uint8Array): Uint8Array =>
  Buffer.concat([Buffer.from(`${bytesToHex(hash)} `), record, Buffer.of(LF)]);

/** Lines with their line feed, from a place in a file on, until one is not ended or longer than any of ours. */
function* wholeLines(file: number, from: number): Generator<Buffer> {
  let rest = Buffer.alloc(0);
  for (let at = from; rest.length < MAX_LINE_BYTES; ) {
    const block = Buffer.allocUnsafe(READ_BYTES);
    const read = readSync(file, block, 0, READ_BYTES, at);
    if (read === 0) return;
    at += read;
    rest = Buffer.concat([rest, block.subarray(0, read)]);
    for (let end = rest.indexOf(LF); end >= 0; end = rest.indexOf(LF)) {
      yield rest.subarray(0, end + 1);
      rest = rest.subarray(end + 1);
    }
  }
}

const hashOfLine = (line: Buffer, crypto: Crypto): Uint8Array | null => {
  const digits = line.toString('latin1', 0, HASH_DIGITS);
  const isSound = line[HASH_DIGITS] === SPACE && crypto.sha256Hex(line.subarray(HASH_DIGITS + 1, -1)) === digits;
  return isSound ? Buffer.from(digits, 'hex') : null;
};

/** The records of a log, one a line in the order of their indices, under a first line that says so. The file only grows. */
export type Journal = {
  /** The record hashes of the sound lines, in order, until one that is not: to be run through once, before all else. */
  scan(): Generator<Uint8Array>;
  /** Cuts off what follows the last sound line, and makes the rest last. */
  cut(): Promise<void>;
  /** Writes lines and makes them last. When it throws what the file system throws, nothing may follow. */
  append(lines: readonly Uint8Array[]): Promise<void>;
  /** The bytes of a record. */
  record(index: number): Uint8Array;
  close(): Promise<void>;
};

/** Takes the path of a journal that exists; EnvironmentFault when it is none of this log. Throws what the file system throws. */
export const openJournal = async (path: string, origin: string, crypto: Crypto): Promise<Journal> => {
  const head = Buffer.from(journalHead(origin));
  const file = await open(path, constants.O_RDWR | constants.O_APPEND);
  /** Where each line ends, the head's first. */
  const ends = [head.length];
  const readAt = (from: number, to: number): Buffer => {
    const bytes = Buffer.alloc(to - from);
    return bytes.subarray(0, readSync(file.fd, bytes, 0, bytes.length, from));
  };
  if (!readAt(0, head.length).equals(head)) {
    await file.close();
    throw new EnvironmentFault(`${path} is no journal of the log ${origin}`);
  }
  return {
    *scan() {
      for (const line of wholeLines(file.fd, head.length)) {
        const hash = hashOfLine(line, crypto);
        if (hash === null) return;
        ends.push(ends.at(-1)! + line.length);
        yield hash;
      }
    },
    cut: async () => {
      await file.truncate(ends.at(-1)!);
      await file.sync();
    },
    append: async (lines) => {
      await file.appendFile(Buffer.concat(lines));
      await file.datasync();
      for (const line of lines) ends.push(ends.at(-1)! + line.length);
    },
    record: (index) => readAt(ends[index]! + HASH_DIGITS + 1, ends[index + 1]! - 1),
    close: () => file.close(),
  };
};
