import { mkdir, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { EnvironmentFault } from '../../store/fault.ts';

/** Runs what touches the disk; throws EnvironmentFault for what the system refuses, and a bug as it is. */
export const onDisk = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw (error as NodeJS.ErrnoException).syscall === undefined ? error : EnvironmentFault.of(error, what);
  }
};

const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
};

/**
 * Writes a file whole or not at all, and makes it last: to a name beside it, fsync, rename, fsync of its folder and of those that it made. Replaces a
 * file that exists. Throws what the file system throws.
 */
export const writeDurably = async (path: string, bytes: Uint8Array | string, mode: number): Promise<void> => {
  const folder = dirname(path);
  const made = await mkdir(folder, { recursive: true });
  const temporary = `${path}.tmp`;
  const file = await open(temporary, 'w', mode);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
  const top = made === undefined ? folder : dirname(made);
  for (let at = folder; ; at = dirname(at)) {
    await syncFolder(at);
    if (at === top) return;
  }
};
