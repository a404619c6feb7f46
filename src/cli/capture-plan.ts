import { createHash } from 'node:crypto';
import { isId } from '../base/grammar.ts';
import type { JsonObject } from '../base/json-value.ts';
import type { WireRecordingOptions } from '../capture/host/wire-recording.ts';
import { MAX_BODY_LIMIT } from '../evidence/body.ts';
import type { Signer } from '../seal/receipt.ts';
import { packageFile } from '../store/package-file.ts';
import { readInput } from '../store/read.ts';
import { readProfile } from '../verify/documents.ts';
import { UsageFault } from './exit.ts';
import { accepted, type SigningOptions, signerFor } from './signing.ts';

export type CaptureCliOptions = SigningOptions & {
  readonly profile?: string;
  readonly trustedCard?: readonly string[];
  readonly incident?: string;
  readonly out: string;
  readonly bodyLimit?: string;
  readonly redact?: readonly string[];
  readonly perTest?: boolean;
  readonly proxy?: readonly string[];
  readonly insecureTarget?: boolean;
  readonly json?: boolean;
};

/** What a capture is made with. */
export type Plan = {
  readonly recording: Omit<WireRecordingOptions, 'observer'>;
  readonly signer: Signer;
  readonly profile: JsonObject;
  readonly profileFile: string;
};

/** A name that tells one run from another: when it began, and in which process. */
const incidentOf = (now: Date): string => `run-${now.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z-${process.pid}`;

const secretsOf = (names: readonly string[], env: NodeJS.ProcessEnv): string[] =>
  names.map((name) => {
    const value = env[name];
    if (value) return value;
    throw new UsageFault(`--redact ${name}: the environment has no such variable, or it is empty`);
  });

const bodyLimitOf = (text: string | undefined): { readonly bodyLimit?: number } => {
  if (text === undefined) return {};
  const bytes = Number(text);
  if (Number.isInteger(bytes) && bytes >= 0 && bytes <= MAX_BODY_LIMIT) return { bodyLimit: bytes };
  throw new UsageFault(`--body-limit ${text}: a number of bytes from 0 to ${MAX_BODY_LIMIT} is needed`);
};

/** Everything that can be wrong is found before the command starts. */
export const planOf = (options: CaptureCliOptions): Plan => {
  const profileFile = options.profile ?? packageFile('profiles/general.json');
  const { value, document } = accepted(readProfile(readInput(profileFile, 'profile')));
  const incident_id = options.incident ?? incidentOf(new Date());
  if (!isId(incident_id) || /^\.{1,2}$/.test(incident_id)) {
    throw new UsageFault(
      `--incident ${JSON.stringify(incident_id)}: letters, digits and . _ : - only, 1 to 128 of them`,
    );
  }
  const pinned = new Map(value.as.pinned_cards.map(({ sha256, name }) => [sha256, name]));
  const trusted = (options.trustedCard ?? []).map((file) => {
    const bytes = readInput(file, 'trusted card');
    const digest = createHash('sha256').update(bytes).digest('hex');
    if (pinned.has(digest)) return bytes;
    throw new UsageFault(
      `the trusted card ${file} has digest ${digest}, which the profile ${profileFile} does not pin`,
    );
  });
  const secrets = secretsOf(options.redact ?? [], process.env);
  const bounds = bodyLimitOf(options.bodyLimit);
  return {
    recording: {
      dir: options.out,
      incident_id,
      profile_id: value.profile_id,
      pinned: new Set(pinned.keys()),
      trusted,
      secrets,
      ...bounds,
    },
    signer: signerFor(options),
    profile: document,
    profileFile,
  };
};
