import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { constants, Script } from 'node:vm';

type Program = typeof import('./program.ts');

/** What is started from the bundle: the rest of the commands takes longer than its start. */
const STARTED = new Set([undefined, 'verify', 'help', '--help', '-h', '--version', '-V']);

const FOLDER = import.meta.dirname;
const beside = (name: string): string => join(FOLDER, name);
const BUNDLE = beside('program.cjs');
/** V8's cache of the bundle's code; V8 itself refuses that of another version. @public for scripts/bundle-cli.mjs, which makes it. */
export const CODE_CACHE = beside('program.cjs.cache');

const timeOf = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.mtimeMs;

/** Runs the bundle as Node runs a module of CommonJS: it is such a function, in ASCII. @public for scripts/bundle-cli.mjs. */
export const runBundle = (cachedData: Buffer | undefined): { readonly program: Program; readonly script: Script } => {
  const script = new Script(readFileSync(BUNDLE, 'latin1'), {
    filename: BUNDLE,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...(cachedData === undefined ? {} : { cachedData }),
  });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(BUNDLE), module, BUNDLE, FOLDER);
  return { program: module.exports as Program, script };
};

/** The bundled program (`scripts/bundle-cli.mjs`) for commands that end sooner than their modules load; null for others, and where no bundle of this build is. */
export const bundledProgram = (command: string | undefined): Program | null => {
  if (!STARTED.has(command)) return null;
  const [bundled, compiled] = [timeOf(BUNDLE), timeOf(beside('program.js'))];
  if (bundled === undefined || compiled === undefined || bundled < compiled) return null;
  return runBundle(timeOf(CODE_CACHE) === undefined ? undefined : readFileSync(CODE_CACHE)).program;
};
