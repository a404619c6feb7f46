import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Ran, runMain } from '../support/run-main.ts';

export const MAIN = join('dist', 'src', 'cli', 'main.cjs');
const PROGRAM = pathToFileURL(join('dist', 'src', 'cli', 'program.js')).href;

/** These tests run what users run, so what is built must be what is written: `npm test` builds first. */
const requireFresh = (): void => {
  const built = existsSync(MAIN) ? statSync(MAIN).mtimeMs : 0;
  const sources = ['src', 'harness'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  const newer = sources.find((name) => name.endsWith('.ts') && statSync(name).mtimeMs > built);
  if (newer !== undefined) throw new Error(`${newer} is newer than what was built: npm run build`);
};
requireFresh();

export type { Ran };

/** Runs the built command as a user does; the per-user config folder is `home`'s. */
export const forensictrace = (args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ran> =>
  new Promise((resolve) => {
    const child = { env: { PATH: process.env.PATH, ...env }, maxBuffer: 1 << 28 };
    execFile(process.execPath, [MAIN, ...args], child, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, stdout, stderr });
    });
  });

/**
 * The same by the built program in this process, one at a time: for what it says and does, since the start of a process takes longer than most commands.
 * That it starts and ends as a process of its own is seen wherever `forensictrace` is used, and of each command in tests/docs.test.ts.
 */
export const inProcess = async (args: readonly string[]): Promise<Ran> => {
  const { main } = (await import(PROGRAM)) as typeof import('../../src/cli/program.ts');
  return runMain(main, args);
};

export const tempFolder = (): string => mkdtempSync(join(tmpdir(), 'forensictrace-test-'));

/** Writes files into a new folder; returns their paths. */
export const writeAll = <K extends string>(
  files: Readonly<Record<K, string | Uint8Array>>,
): Readonly<Record<K, string>> => {
  const folder = tempFolder();
  return Object.fromEntries(
    Object.entries<string | Uint8Array>(files).map(([name, bytes]) => {
      const file = join(folder, `${name}.json`);
      writeFileSync(file, bytes);
      return [name, file];
    }),
  ) as Record<K, string>;
};
