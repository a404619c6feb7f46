import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EnvironmentFault } from './fault.ts';

/** Reads one named file whole. Throws EnvironmentFault that names it. */
export const readInput = (file: string, what: string): Uint8Array => {
  try {
    return readFileSync(file);
  } catch (error) {
    throw EnvironmentFault.of(error, `cannot read the ${what} ${file}`);
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
