import { execFile } from 'node:child_process';
import { cpSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { bytesOf } from '../support/bundle.ts';
import { pinningProfile, sealedFiles } from '../support/pair.ts';
import { forensictrace, MAIN, type Ran, tempFolder, writeAll } from './run.ts';

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

const ATSI =
  'verify traces/atsi-cb5d.bundle.json receipts/atsi-cb5d.receipt.json profiles/experiment.json --trust receipts/trust.json'.split(
    ' ',
  );

it.each(['program', 'packages'])(
  'the build leaves %s bundled, newer than what was compiled, and a cache of its code that this runtime takes',
  async (name) => {
    const [bundle, program] = [`${name}.cjs`, 'program.js'].map((file) => statSync(join(FOLDER, file)).mtimeMs);
    expect(bundle).toBeGreaterThanOrEqual(program!);
    const probe = `import(${JSON.stringify(resolve(FOLDER, 'bundled.js'))}).then(({ cacheOf, runBundle }) =>
    console.log(runBundle('${name}', fs.readFileSync(cacheOf('${name}'))).script.cachedDataRejected))`;
    expect(await node(['-e', probe])).toEqual({ code: 0, stdout: 'false\n', stderr: '' });
  },
);

it.each<[string, readonly string[]]>([
  ['a good bundle', verify(good)],
  ['a good bundle as JSON', verify(good, '--json')],
  ['an altered one', verify(altered)],
  ['markup in an artifact', ATSI],
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

it('a good bundle is verified without any of the packages', async () => {
  const folder = tempFolder();
  for (const name of ['main.cjs', 'program.js', 'program.cjs', 'program.cjs.cache']) {
    cpSync(join(FOLDER, name), join(folder, name), { preserveTimestamps: true });
  }
  const alone = (args: readonly string[]): Promise<Ran> => node([join(folder, 'main.cjs'), ...args]);
  expect(await alone(verify(good))).toEqual(await forensictrace(verify(good)));
  const { code, stderr } = await alone(verify(malformed));
  expect([code, stderr]).toEqual([2, expect.stringContaining('packages.cjs')]);
});
