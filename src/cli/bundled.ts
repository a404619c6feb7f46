import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { constants, Script } from 'node:vm';

type Program = typeof import('./program.ts');

/** What is started from the bundle: the rest of the commands takes longer than its start. */
const STARTED = new Set([undefined, 'verify', 'help', '--help', '-h', '--version', '-V']);

/** Two files: the program, and of packages those that most bundles have no need of. */
type BundleName = 'program' | 'packages';
/** Takes the name of a package of the second file; returns what it exports. */
type PackageOf = (name: string) => unknown;

const FOLDER = import.meta.dirname;
const beside = (name: string): string => join(FOLDER, name);
const codeOf = (name: BundleName): string => beside(`${name}.cjs`);
/** V8's cache of a file's code; V8 itself refuses that of another version. @public for scripts/bundle-cli.mjs, which makes it. */
export const cacheOf = (name: BundleName): string => beside(`${name}.cjs.cache`);

const timeOf = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.mtimeMs;
const cachedData = (name: BundleName): Buffer | undefined =>
  timeOf(cacheOf(name)) === undefined ? undefined : readFileSync(cacheOf(name));

/** Runs a bundled file as Node runs a module of CommonJS: it is such a function, in ASCII. @public for scripts/bundle-cli.mjs. */
export const runBundle = (
  name: BundleName,
  cached: Buffer | undefined,
  packageOf?: PackageOf,
): { readonly exports: unknown; readonly script: Script } => {
  const file = codeOf(name);
  const script = new Script(readFileSync(file, 'latin1'), {
    filename: file,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...(cached === undefined ? {} : { cachedData: cached }),
  });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(file), module, packageOf);
  return { exports: module.exports, script };
};

let packages: PackageOf | undefined;
const bundledPackage: PackageOf = (name) => {
  packages ??= runBundle('packages', cachedData('packages')).exports as PackageOf;
  return packages(name);
};

/** The bundled program (`scripts/bundle-cli.mjs`) for commands that end sooner than their modules load; null for others, and where no bundle of this build is. */
export const bundledProgram = (command: string | undefined): Program | null => {
  if (!STARTED.has(command)) return null;
  const [bundled, compiled] = [timeOf(codeOf('program')), timeOf(beside('program.js'))];
  if (bundled === undefined || compiled === undefined || bundled < compiled) return null;
  return runBundle('program', cachedData('program'), bundledPackage).exports as Program;
};
