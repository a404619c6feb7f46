import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Records } from '../../src/evidence/bundle.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import type { Outcome } from '../../src/verify/outcome.ts';
import { verify } from '../../src/verify/verify.ts';
import { forensictrace, inProcess, type Ran, tempFolder } from '../cli/run.ts';

export type CaptureOptions = {
  /** A profile file, by default `profiles/general.json`. */
  readonly profile?: string;
  /** Further options of `forensictrace capture`. */
  readonly options?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
};
export type Sealed = {
  /** Where bundle and journal are, without their endings. */
  readonly stem: string;
  readonly records: Records;
  /** What the verifier says of the bundle. */
  readonly outcome: Outcome;
};
export type Captured = Ran & Sealed;
export type Lab = {
  readonly folder: string;
  readonly signing: readonly string[];
  /** The arguments that capture a command under a name; what it leaves is at the stem. */
  commandLine(
    incident: string,
    command: readonly string[],
    options?: readonly string[],
    profile?: string,
  ): readonly string[];
  readonly stemOf: (incident: string) => string;
  /** Verifies the bundle of a capture, which must be there and admissible. */
  sealed(incident: string, profile?: string): Sealed;
  /** Runs a command captured, and verifies what came of it: its bundle must be admissible, that is, each of its records derives again. */
  capture(incident: string, command: readonly string[], options?: CaptureOptions): Promise<Captured>;
};

const GENERAL = 'profiles/general.json';
const ADMISSIBLE = ['FORENSICALLY_INDICATED', 'INCONCLUSIVE', 'FORENSICALLY_CONSISTENT'];

const ran = async (args: readonly string[]): Promise<void> => {
  expect(await inProcess(args)).toMatchObject({ code: 0 });
};

/** Makes a folder with a key and a trust store, once for a test file. */
export const openLab = async (): Promise<Lab> => {
  const folder = tempFolder();
  const [key, trust, out] = [join(folder, 'key.pem'), join(folder, 'trust.json'), join(folder, 'out')];
  await ran(['keys', 'generate', '--out', key]);
  await ran(['trust', 'init', '--trust', trust]);
  await ran(['trust', 'add', '--signer', 'ci', '--key', join(folder, 'key.pub.pem'), '--trust', trust]);
  const signing = ['--key', key, '--signer', 'ci', '--trust', trust];
  const stemOf = (incident: string): string => join(out, incident);
  const commandLine: Lab['commandLine'] = (incident, command, options = [], profile = GENERAL) => {
    const args = ['capture', ...signing, '--incident', incident, '--out', out, '--profile', profile];
    return [...args, ...options, '--', ...command];
  };
  const sealed: Lab['sealed'] = (incident, profile = GENERAL) => {
    const stem = stemOf(incident);
    const bundle = readFileSync(`${stem}.bundle.json`);
    const files = { bundle, receipt: readFileSync(`${stem}.receipt.json`), profile: readFileSync(profile) };
    const input = { ...files, trust: readFileSync(trust), mode: 'full', otherProfile: false } as const;
    const outcome = verify(input, nativeCrypto);
    expect(ADMISSIBLE, JSON.stringify(outcome.refusals)).toContain(outcome.verdict);
    return { stem, records: JSON.parse(bundle.toString()) as Records, outcome };
  };
  return {
    folder,
    signing,
    commandLine,
    stemOf,
    sealed,
    capture: async (incident, command, { profile = GENERAL, options = [], env = {} } = {}) => {
      const result = await forensictrace(commandLine(incident, command, options, profile), env);
      if (!existsSync(`${stemOf(incident)}.bundle.json`))
        throw new Error(`no bundle: exit ${result.code}\n${result.stderr}`);
      return { ...result, ...sealed(incident, profile) };
    },
  };
};
