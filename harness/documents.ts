import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Family, FamilyDefinition, Profile } from '../src/index.ts';

type File<T> = { readonly name: string; readonly bytes: Uint8Array; readonly document: T };

/** The documents in force during a run: the experiment's profile and the family definitions. */
export type Documents = {
  readonly profile: File<Profile>;
  readonly families: readonly File<FamilyDefinition>[];
  readonly definition: (family: Family) => FamilyDefinition;
};

/** The package's own folder, from the sources as from the build. */
export const packageRoot = (): string => {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json'))) {
    if (folder === dirname(folder)) throw new Error('the package has no package.json above its own files');
    folder = dirname(folder);
  }
  return folder;
};

const read = <T>(folder: string, name: string): File<T> => {
  const bytes = readFileSync(join(packageRoot(), folder, name));
  return { name, bytes, document: JSON.parse(bytes.toString()) as T };
};

/** Reads the documents that ship with the package; the profile is that of the demo unless another is named. */
export const readDocuments = (profile = 'experiment.json'): Documents => {
  const names = readdirSync(join(packageRoot(), 'families')).filter((name) => name.endsWith('.json'));
  const families = names.sort().map((name) => read<FamilyDefinition>('families', name));
  return {
    profile: read<Profile>('profiles', profile),
    families,
    definition: (family) => families.find(({ document }) => document.family_id === family)!.document,
  };
};
