import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { type ByteSource, inMemory } from '../base/byte-source.ts';
import { EnvironmentFault } from '../store/fault.ts';
import { FileSource, isLargeFile } from '../store/file-source.ts';
import { nativeCrypto } from '../store/native-crypto.ts';
import { MAX_INPUT_BYTES } from '../store/read.ts';

/**
 * Reads a file out of a folder of strangers: never waits, as a FIFO would have it, and reads no device. Follows a link to a regular file. Throws EnvironmentFault.
 */
export const readEvidence = (file: string, what: string): Uint8Array => {
  try {
    const handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stat = fstatSync(handle);
      if (!stat.isFile()) throw new EnvironmentFault(`the ${what} ${file} is not a regular file`);
      if (stat.size > MAX_INPUT_BYTES)
        throw new EnvironmentFault(`the ${what} ${file} is larger than ${MAX_INPUT_BYTES >> 20} MiB`);
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

/** Opens a bundle of any size: a large one stays where it is. Throws EnvironmentFault. */
export const openBundle = (file: string): OpenBundle => {
  if (isLargeFile(file)) {
    const source = new FileSource(file, 'bundle');
    return { source, sha256: () => source.sha256(), close: () => source.close() };
  }
  const bytes = readEvidence(file, 'bundle');
  const sha256 = nativeCrypto.sha256Hex(bytes);
  return { source: inMemory(bytes), sha256: () => sha256, close: () => {} };
};
