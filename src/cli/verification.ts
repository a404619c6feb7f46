import { join } from 'node:path';
import type { ReportFiles } from '../report/face.ts';
import { FileSource, isLargeFile } from '../store/file-source.ts';
import { nativeCrypto } from '../store/native-crypto.ts';
import { readFolder, readInput } from '../store/read.ts';
import type { Mode, Outcome } from '../verify/outcome.ts';
import { createVerifier, type VerifierInput, verify } from '../verify/verify.ts';
import { requireNoInput } from './output.ts';
import { type PcmFileOptions, pcmFileNames, pcmFilesOf } from './pcm-files.ts';
import { trustFile } from './trust-file.ts';

/** What a verification is asked for on the command line. */
export type VerificationOptions = PcmFileOptions & {
  readonly trust?: string;
  readonly incident?: string;
  readonly mode: Mode;
  readonly families?: string;
  readonly settings?: string;
  readonly otherProfile?: boolean;
  readonly out?: string;
};

/**
 * Reads the named files and verifies them; opens no socket. Returns the outcome and the files as read. Throws EnvironmentFault on a file that
 * cannot be read, UsageFault when `out` names one of them.
 */
export const verifyNamed = (
  bundle: string,
  receipt: string,
  profile: string,
  options: VerificationOptions,
): { readonly outcome: Outcome; readonly files: ReportFiles } => {
  const trust = requireApart(bundle, receipt, profile, options);
  const evidence = { bundle: readInput(bundle, 'bundle'), receipt: readInput(receipt, 'receipt') };
  const own = readOwn(profile, trust, options);
  const files = { ...own, ...evidence };
  return { outcome: verify(files, nativeCrypto), files };
};

/** The outcome of `verifyNamed`, of a bundle of any size: of one that is large no more than some pieces are in memory at once. */
export const verifyWhereItStands = (
  bundle: string,
  receipt: string,
  profile: string,
  options: VerificationOptions,
): Outcome => {
  if (!isLargeFile(bundle)) return verifyNamed(bundle, receipt, profile, options).outcome;
  const trust = requireApart(bundle, receipt, profile, options);
  const source = new FileSource(bundle, 'bundle');
  try {
    return createVerifier(readOwn(profile, trust, options), nativeCrypto).verifySource({
      bundle: source,
      bundleSha256: () => source.sha256(),
      receipt: readInput(receipt, 'receipt'),
    });
  } finally {
    source.close();
  }
};

/** Requires that the report goes to none of the files it is made of; returns the trust store's name. */
const requireApart = (bundle: string, receipt: string, profile: string, options: VerificationOptions): string => {
  const { families, settings, out } = options;
  const pcm = pcmFileNames(options);
  const trust = trustFile(options.trust);
  const ofFolder =
    families === undefined ? [] : readFolder(families, 'families').map(({ name }) => join(families, name));
  requireNoInput(out, [bundle, receipt, profile, trust, settings, ...pcm, ...ofFolder]);
  return trust;
};

/** What a bundle is verified by. */
const readOwn = (profile: string, trust: string, options: VerificationOptions): VerifierInput => {
  const { incident, families, settings } = options;
  return {
    profile: readInput(profile, 'profile'),
    trust: readInput(trust, 'trust store'),
    ...(families === undefined ? {} : { families: readFolder(families, 'families') }),
    ...(settings === undefined ? {} : { settings: readInput(settings, 'settings') }),
    ...pcmFilesOf(options),
    ...(incident === undefined ? {} : { expectedIncident: incident }),
    mode: options.mode,
    otherProfile: options.otherProfile ?? false,
  };
};
