import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

type Software = { readonly name: string; readonly version: string };

/** The version of an installed package, read from its own manifest. */
export const installed = (name: string): Software => {
  let folder = dirname(createRequire(import.meta.url).resolve(name));
  for (;;) {
    const manifest = join(folder, 'package.json');
    const found = existsSync(manifest) ? (JSON.parse(readFileSync(manifest, 'utf8')) as Partial<Software>) : {};
    if (found.name === name && found.version !== undefined) return { name, version: found.version };
    folder = dirname(folder);
  }
};
