import { basename, join } from 'node:path';
import type { ReportFiles } from '../report/face.ts';
import { nativeCrypto } from '../store/native-crypto.ts';
import { readFolder, readInput } from '../store/read.ts';
import type { Mode, Outcome } from '../verify/outcome.ts';
import type { PcmFiles } from '../verify/pcm-documents.ts';
import { type VerifyInput, verify } from '../verify/verify.ts';
import { UsageFault } from './exit.ts';
import { requireNoInput } from './output.ts';
import { trustFile } from './trust-file.ts';

/** What a verification is asked for on the command line. */
export type VerificationOptions = {
  readonly trust?: string;
  readonly incident?: string;
  readonly mode: Mode;
  readonly families?: string;
  readonly settings?: string;
  readonly pcmTrust?: string;
  readonly pcmSchema?: readonly string[];
  readonly otherProfile?: boolean;
  readonly out?: string;
};

const pcmFiles = (trust: string, schemas: readonly string[]): PcmFiles => ({
  trust: readInput(trust, 'trust document of PCM'),
  schemas: schemas.map((file) => ({ name: basename(file), bytes: readInput(file, 'schema document') })),
});

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
  const { incident, families, settings, pcmTrust, pcmSchema = [], out } = options;
  if (pcmTrust === undefined && pcmSchema.length > 0)
    throw new UsageFault('--pcm-schema is read with --pcm-trust alone');
  const trust = trustFile(options.trust);
  const folder = families === undefined ? undefined : readFolder(families, 'families');
  const ofFolder = folder?.map(({ name }) => join(families!, name)) ?? [];
  requireNoInput(out, [bundle, receipt, profile, trust, settings, pcmTrust, ...pcmSchema, ...ofFolder]);
  const files = {
    bundle: readInput(bundle, 'bundle'),
    receipt: readInput(receipt, 'receipt'),
    profile: readInput(profile, 'profile'),
    trust: readInput(trust, 'trust store'),
  };
  const input: VerifyInput = {
    ...files,
    ...(folder === undefined ? {} : { families: folder }),
    ...(settings === undefined ? {} : { settings: readInput(settings, 'settings') }),
    ...(pcmTrust === undefined ? {} : { pcm: pcmFiles(pcmTrust, pcmSchema) }),
    ...(incident === undefined ? {} : { expectedIncident: incident }),
    mode: options.mode,
    otherProfile: options.otherProfile ?? false,
  };
  return { outcome: verify(input, nativeCrypto), files };
};
