import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Records } from '../../src/evidence/bundle.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { verify } from '../../src/verify/verify.ts';
import { forensictrace, type Ran } from '../cli/run.ts';
import { openLab } from '../hook/support.ts';

const PROJECT = resolve('tests/vitest-plugin/project');

/** The command that runs the tests of the project as its user would. */
export const vitest = (...args: readonly string[]): readonly string[] => [
  process.execPath,
  resolve('node_modules/vitest/vitest.mjs'),
  'run',
  '--root',
  PROJECT,
  ...args,
];

export type Desk = {
  readonly folder: string;
  readonly env: Readonly<Record<'KEY' | 'TRUST' | 'PROFILE' | 'OUT', string>>;
  /** Options of `forensictrace capture` for the same. */
  readonly options: readonly string[];
};

/** A key, a trust store, and a profile that allows the site of the project and not the service behind it. */
export const openDesk = async (): Promise<Desk> => {
  const { folder, signing } = await openLab();
  const general = JSON.parse(readFileSync('profiles/general.json', 'utf8')) as { asrf: object };
  const asrf = { ...general.asrf, ports: null, allowed_cidrs: ['127.0.0.1/32'] };
  const at = (name: string): string => join(folder, name);
  writeFileSync(at('profile.json'), JSON.stringify({ ...general, profile_id: 'one-site', asrf }));
  const env = { KEY: at('key.pem'), TRUST: at('trust.json'), PROFILE: at('profile.json'), OUT: at('out') };
  return { folder, env, options: [...signing, '--profile', env.PROFILE, '--out', env.OUT] };
};

/** Runs a command with nothing in its environment but what is given. */
export const run = ([program, ...args]: readonly string[], env: NodeJS.ProcessEnv): Promise<Ran> =>
  new Promise((done) => {
    const options = { env: { PATH: process.env.PATH, NO_COLOR: '1', ...env }, maxBuffer: 1 << 26 };
    execFile(program!, args, options, (error, stdout, stderr) => {
      done({ code: error === null ? 0 : Number(error.code ?? -1), stdout, stderr });
    });
  });

export type Bundle = { readonly bundle: string; readonly receipt: string; readonly records: Records };

/** The bundles of the only run there was in a folder, by what their names begin with. */
export const bundlesOf = (OUT: string): ((name: string) => Bundle) => {
  const runs = readdirSync(OUT);
  if (runs.length !== 1) throw new Error(`${runs.length} runs`);
  const folder = join(OUT, runs[0]!);
  const files = readdirSync(folder).filter((file) => file.endsWith('.bundle.json'));
  return (name) => {
    const found = files.filter((file) => file.startsWith(`${name}.`));
    if (found.length !== 1) throw new Error(`${found.length} bundles of ${name} among ${files.join(', ')}`);
    const bundle = join(folder, found[0]!);
    const records = JSON.parse(readFileSync(bundle, 'utf8')) as Records;
    return { bundle, receipt: bundle.replace('.bundle.json', '.receipt.json'), records };
  };
};

/** The verdict of a bundle. */
export const verdictOf = ({ bundle, receipt }: Bundle, { env: { PROFILE, TRUST } }: Desk): string => {
  const [read, mode] = [readFileSync, 'full' as const];
  const files = { bundle: read(bundle), receipt: read(receipt), profile: read(PROFILE), trust: read(TRUST) };
  return verify({ ...files, mode, otherProfile: false }, nativeCrypto).verdict;
};

/** Verifies a bundle by the command line. */
export const verified = ({ bundle, receipt }: Bundle, { env: { PROFILE, TRUST } }: Desk): Promise<Ran> =>
  forensictrace(['verify', bundle, receipt, PROFILE, '--trust', TRUST]);
