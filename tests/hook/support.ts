import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Records } from '../../src/evidence/bundle.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import type { Outcome } from '../../src/verify/outcome.ts';
import { verify } from '../../src/verify/verify.ts';
import { forensictrace, type Ran, tempFolder } from '../cli/run.ts';

export type CaptureOptions = {
  /** A profile file, by default `profiles/general.json`. */
  readonly profile?: string;
  /** Further options of `forensictrace capture`. */
  readonly options?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
};
export type Captured = Ran & {
  /** Where bundle and journal are, without their endings. */
  readonly stem: string;
  readonly records: Records;
  /** What the verifier says of the bundle. */
  readonly outcome: Outcome;
};
export type Lab = {
  readonly folder: string;
  readonly signing: readonly string[];
  /** Runs a command captured, and verifies what came of it: its bundle must be admissible, that is, each of its records derives again. */
  capture(incident: string, command: readonly string[], options?: CaptureOptions): Promise<Captured>;
};

const ADMISSIBLE = ['FORENSICALLY_INDICATED', 'INCONCLUSIVE', 'FORENSICALLY_CONSISTENT'];

const ran = async (args: readonly string[]): Promise<void> => {
  expect(await forensictrace(args)).toMatchObject({ code: 0 });
};

/** Makes a folder with a key and a trust store, once for a test file. */
export const openLab = async (): Promise<Lab> => {
  const folder = tempFolder();
  const [key, trust, out] = [join(folder, 'key.pem'), join(folder, 'trust.json'), join(folder, 'out')];
  await ran(['keys', 'generate', '--out', key]);
  await ran(['trust', 'init', '--trust', trust]);
  await ran(['trust', 'add', '--signer', 'ci', '--key', join(folder, 'key.pub.pem'), '--trust', trust]);
  const signing = ['--key', key, '--signer', 'ci', '--trust', trust];
  return {
    folder,
    signing,
    capture: async (incident, command, { profile = 'profiles/general.json', options = [], env = {} } = {}) => {
      const args = ['capture', ...signing, '--incident', incident, '--out', out, '--profile', profile];
      const result = await forensictrace([...args, ...options, '--', ...command], env);
      const stem = join(out, incident);
      if (!existsSync(`${stem}.bundle.json`)) throw new Error(`no bundle: exit ${result.code}\n${result.stderr}`);
      const bundle = readFileSync(`${stem}.bundle.json`);
      const files = { bundle, receipt: readFileSync(`${stem}.receipt.json`), profile: readFileSync(profile) };
      const input = { ...files, trust: readFileSync(trust), mode: 'full', otherProfile: false } as const;
      const outcome = verify(input, nativeCrypto);
      expect(ADMISSIBLE, JSON.stringify(outcome.refusals)).toContain(outcome.verdict);
      return { ...result, stem, records: JSON.parse(bundle.toString()) as Records, outcome };
    },
  };
};
