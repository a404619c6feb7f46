import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from 'node:fs';
import { type ByteSource, inMemory } from '../base/byte-source.ts';
import { EnvironmentFault } from '../store/fault.ts';
import { FileSource, LARGE_BYTES } from '../store/file-source.ts';
import { nativeCrypto } from '../store/native-crypto.ts';

/** As many bytes as one string of the runtime can hold characters, in whole MiB. */
const MAX_BYTES = 511 * 1024 * 1024;

/**
 * Reads a file out of a folder of strangers: never waits, as a FIFO would have it, and reads no device. Follows a link to a regular file. Throws EnvironmentFault.
 */
export const readEvidence = (file: string, what: string): Uint8Array => {
  try {
    const handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stat = fstatSync(handle);
      if (!stat.isFile()) throw new EnvironmentFault(`the ${what} ${file} is not a regular file`);
      if (stat.size > MAX_BYTES)
        throw new EnvironmentFault(`the ${what} ${file} is larger than ${MAX_BYTES >> 20} MiB`);
      return readFileSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    throw error instanceof EnvironmentFault ? error : EnvironmentFault.of(error, `cannot read the ${what} ${file}`);
  }
};

/** A bundle to be read, its digest, and what ends the reading. */
export type OpenBundle = {
  readonly source: ByteSource;
  readonly sha256: () => string;
  readonly close: () => void;
};

/** What cannot be asked is told when it is read. */
const isLarge = (file: string): boolean => {
  try {
    return statSync(file).size >= LARGE_BYTES;
  } catch {
    return false;
  }
};

/** Opens a bundle of any size: a large one stays where it is. Throws EnvironmentFault. */
export const openBundle = (file: string): OpenBundle => {
  if (isLarge(file)) {
    const source = new FileSource(file, 'bundle');
    return { source, sha256: () => source.sha256(), close: () => source.close() };
  }
  const bytes = readEvidence(file, 'bundle');
  const sha256 = nativeCrypto.sha256Hex(bytes);
  return { source: inMemory(bytes), sha256: () => sha256, close: () => {} };
};
