import { closeSync, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { EnvironmentFault } from './fault.ts';

/** As many bytes as one string of the runtime can hold characters, in whole MiB. */
export const MAX_INPUT_BYTES = 511 * 1024 * 1024;
const PIECE_BYTES = 1 << 20;

/** A named pipe waits for whoever writes into it, perhaps for ever; what is open already, as /dev/stdin, has its writer. */
const isNamedPipe = (file: string): boolean =>
  !/^\/(?:dev|proc)\//.test(file) && statSync(file, { throwIfNoEntry: false })?.isFIFO() === true;

/** Reads one named file whole, standard input too. Throws EnvironmentFault that names it, of one without end and of a named pipe as well. */
export const readInput = (file: string, what: string): Uint8Array => {
  try {
    if (isNamedPipe(file))
      throw new EnvironmentFault(`the ${what} ${file} is a named pipe, which may never be written: name a file`);
    const handle = openSync(file, 'r');
    try {
      return readAll(handle, `the ${what} ${file} is larger than ${MAX_INPUT_BYTES / 1024 / 1024} MiB`);
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    throw error instanceof EnvironmentFault ? error : EnvironmentFault.of(error, `cannot read the ${what} ${file}`);
  }
};

/** Trusts no stated size: a device has none, and a file may grow while it is read. */
const readAll = (handle: number, tooLarge: string): Uint8Array => {
  let bytes = Buffer.allocUnsafe(Math.min(fstatSync(handle).size, MAX_INPUT_BYTES) + PIECE_BYTES);
  for (let end = 0; ; ) {
    if (end > MAX_INPUT_BYTES) throw new EnvironmentFault(tooLarge);
    if (end === bytes.length) bytes = Buffer.concat([bytes], 2 * bytes.length);
    const read = readSync(handle, bytes, end, bytes.length - end, null);
    if (read === 0) return bytes.subarray(0, end);
    end += read;
  }
};

/** Reads every `*.json` of a folder, in name order. */
export const readFolder = (folder: string, what: string): { readonly name: string; readonly bytes: Uint8Array }[] => {
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  } catch (error) {
    throw EnvironmentFault.of(error, `cannot read the ${what} folder ${folder}`);
  }
  if (names.length === 0) throw new EnvironmentFault(`the ${what} folder ${folder} holds no .json file`);
  return names.sort().map((name) => ({ name, bytes: readInput(join(folder, name), what) }));
};
