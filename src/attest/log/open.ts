import { mkdir } from 'node:fs/promises';
import type { Crypto } from '../../base/crypto.ts';
import { isKeyName } from '../../pcm/vkey.ts';
import { signCheckpoint } from './checkpoint.ts';
import { onDisk } from './files.ts';
import { lockFolder } from './lock.ts';
import { createLog } from './log.ts';
import { recover } from './recover.ts';
import type { Tree } from './tree.ts';
import type { Log, LogKey } from './types.ts';

export type LogOptions = {
  /** The name of the log and of its key in receivers' trust: no plus, no white space, at most 255 bytes. */
  readonly origin: string;
  readonly key: LogKey;
  readonly crypto: Crypto;
};

/**
 * Opens the log of a folder for this process alone, and makes it, readable by its owner alone, where there is none. The folder holds C2SP tlog-tiles
 * (`checkpoint`, `tile/<L>/<N>[.p/<W>]`, `tile/entries/<N>[.p/<W>]`; an entry is the 32 bytes of a record hash), the records (`journal`) and `lock/`.
 *
 * Order of every write: the records to the journal, fdatasync; each tile and bundle to a temporary name, fsync, rename, fsync of its folder; the checkpoint the
 * same way; only then the appends resolve. So a record that was acknowledged is under the checkpoint on the disk, what a checkpoint covers is on the disk
 * before it, and every later checkpoint extends it: here the journal is read again from its start, must give the published root at the published size, and
 * mends the tiles; lines beyond are published now, and a torn one is cut.
 *
 * Throws EnvironmentFault while another signer has the log, when the file system refuses, and when what is published is damaged or of another origin;
 * RangeError for an origin that names no key.
 */
export const openLog = async (folder: string, { origin, key, crypto }: LogOptions): Promise<Log> => {
  if (!isKeyName(origin))
    throw new RangeError('the origin of a log has a plus or white space, or is empty or too long');
  return onDisk(`cannot open the log ${folder}`, async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const lock = await lockFolder(folder);
    try {
      const sign = (tree: Tree): string => signCheckpoint(origin, tree.size, tree.root(), key, crypto);
      return createLog({ folder, sign, lock, crypto, ...(await recover(folder, origin, sign, crypto)) });
    } catch (error) {
      await lock.release();
      throw error;
    }
  });
};
