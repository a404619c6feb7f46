import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { bytesOf } from '../support/bundle.ts';
import { pinningProfile, sealedFiles } from '../support/pair.ts';
import { forensictrace, MAIN, type Ran, writeAll } from './run.ts';

const FOLDER = join(MAIN, '..');

const node = (args: readonly string[]): Promise<Ran> =>
  new Promise((done) => {
    execFile(process.execPath, args, { env: { PATH: process.env.PATH } }, (error, stdout, stderr) =>
      done({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
  });

/** Runs the program as it was compiled, past the bundle. */
const compiled = (args: readonly string[]): Promise<Ran> =>
  node([
    '-e',
    `import(${JSON.stringify(resolve(FOLDER, 'program.js'))}).then(({ main }) => main(['node', 'forensictrace', ...process.argv.slice(1)]))`,
    '--',
    ...args,
  ]);

const good = writeAll(sealedFiles());
const altered = writeAll({
  ...sealedFiles(),
  bundle: Buffer.from(sealedFiles().bundle).toString().replace('Summarise', 'summarise'),
});
const malformed = writeAll({ ...sealedFiles(), profile: bytesOf({ ...pinningProfile(), co: { max_hops: 'x' } }) });
const verify = (files: typeof good, ...more: readonly string[]): readonly string[] => [
  'verify',
  files.bundle,
  files.receipt,
  files.profile,
  '--trust',
  files.trust,
  ...more,
];

it('the build leaves a bundle, newer than what was compiled, and a cache of its code that this runtime takes', async () => {
  const [bundle, program] = ['program.cjs', 'program.js'].map((name) => statSync(join(FOLDER, name)).mtimeMs);
  expect(bundle).toBeGreaterThanOrEqual(program!);
  const probe = `import(${JSON.stringify(resolve(FOLDER, 'bundled.js'))}).then(({ CODE_CACHE, runBundle }) =>
    console.log(runBundle(fs.readFileSync(CODE_CACHE)).script.cachedDataRejected))`;
  expect(await node(['-e', probe])).toEqual({ code: 0, stdout: 'false\n', stderr: '' });
});

it.each<[string, readonly string[]]>([
  ['a good bundle', verify(good)],
  ['a good bundle as JSON', verify(good, '--json')],
  ['an altered one', verify(altered)],
  ['a profile that is malformed', verify(malformed, '--json')],
  ['a file that is not there', ['verify', '/nowhere', good.receipt, good.profile, '--trust', good.trust]],
  ['a wrong option', verify(good, '--nope')],
  ['the help of the program', ['--help']],
  ['the help of the command', ['verify', '--help']],
  ['no command', []],
  ['the version', ['--version']],
])('the bundle does as the program does: %s', async (_, args) => {
  const [bundled, plain] = await Promise.all([forensictrace(args), compiled(args)]);
  expect(bundled).toEqual(plain);
  expect(bundled.stdout + bundled.stderr).not.toBe('');
});
