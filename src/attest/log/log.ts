import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Crypto } from '../../base/crypto.ts';
import { PCM_LIMITS } from '../../pcm/limits.ts';
import { EnvironmentFault } from '../../store/fault.ts';
import { onDisk } from './files.ts';
import { journalLine } from './journal.ts';
import type { Lock } from './lock.ts';
import { HASH_BYTES, inclusionPath, sha256 } from './merkle.ts';
import { tilePath, tileWidth } from './paths.ts';
import { dropPartials, publishCheckpoint, type Whole, writeTiles } from './recover.ts';
import type { Tree } from './tree.ts';
import type { Log } from './types.ts';

const LF = 0x0a;

type Parts = Whole & {
  readonly folder: string;
  /** The checkpoint of a tree as it is now. */
  readonly sign: (tree: Tree) => string;
  readonly lock: Lock;
  readonly crypto: Crypto;
};

type Pending = {
  readonly line: Uint8Array;
  readonly hash: Uint8Array;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
};

/** Reads a tile of the tree of that many records, all of which are published. */
const readTile = (folder: string, level: number, index: number, size: number): Uint8Array => {
  const width = tileWidth(level, index, size);
  const path = join(folder, tilePath(level, index, width));
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw EnvironmentFault.of(error, `cannot read ${path}`);
  }
  if (bytes.length !== width * HASH_BYTES) throw new EnvironmentFault(`${path} is damaged: open the log again`);
  return bytes;
};

const holdIndex = (index: number, size: number): void => {
  if (!Number.isInteger(index) || index < 0 || index >= size)
    throw new RangeError(`${index} is no index of a log of ${size} records`);
};

/** Takes what a log is made of; returns it. The order of writes is openLog's. */
export const createLog = ({ folder, journal, tree, checkpoint, sign, lock, crypto }: Parts): Log => {
  let published = { size: tree.size, checkpoint };
  let next = tree.size;
  let queue: Pending[] = [];
  let stopped: unknown = null;
  let isWriting = false;
  let written: Promise<void> = Promise.resolve();

  const publish = async (batch: readonly Pending[]): Promise<void> => {
    await journal.append(batch.map(({ line }) => line));
    const full = batch.flatMap(({ hash }) => tree.append(hash));
    await writeTiles(folder, [...full, ...tree.partials(published.size)]);
    const note = sign(tree);
    await publishCheckpoint(folder, note);
    published = { size: tree.size, checkpoint: note };
    for (const { resolve } of batch) resolve();
    await dropPartials(folder, full);
  };

  const write = async (): Promise<void> => {
    // What is appended in this turn, and then while a batch is being written, is one batch.
    await Promise.resolve();
    while (queue.length > 0) {
      const batch = queue;
      queue = [];
      try {
        await onDisk(`cannot write the log ${folder}`, () => publish(batch));
      } catch (error) {
        // After a failed write or fsync nobody knows what is on the disk (fsync(2)); opening the log again reads it.
        stopped = error;
        for (const { reject } of [...batch, ...queue]) reject(error);
        queue = [];
      }
    }
    isWriting = false;
  };

  const enqueue = (record: Uint8Array, resolve: () => void, reject: (error: unknown) => void): void => {
    const hash = sha256(record, crypto);
    queue.push({ line: journalLine(record, hash), hash, resolve, reject });
    if (isWriting) return;
    isWriting = true;
    written = write();
  };

  return {
    get size() {
      return published.size;
    },
    get next() {
      return next;
    },
    append: async (record) => {
      if (record.length > PCM_LIMITS.messageBytes || record.includes(LF))
        throw new RangeError(`a record is of at most ${PCM_LIMITS.messageBytes} bytes, none of them a line feed`);
      if (stopped !== null) throw stopped;
      const index = next++;
      await new Promise<void>((resolve, reject) => {
        enqueue(record, resolve, reject);
      });
      return { index };
    },
    record: (index) => {
      holdIndex(index, published.size);
      return journal.record(index);
    },
    checkpoint: () => published.checkpoint,
    proof: (index, size = published.size) => {
      if (size > published.size) throw new RangeError(`the log has ${published.size} records, not ${size}`);
      holdIndex(index, size);
      return inclusionPath(index, size, (level, tile) => readTile(folder, level, tile, published.size), crypto);
    },
    close: async () => {
      stopped ??= new Error('the log is closed');
      await written;
      await journal.close();
      await lock.release();
    },
  };
};
