import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { EnvironmentFault } from '../store/fault.ts';

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
