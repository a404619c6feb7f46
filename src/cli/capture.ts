import { createHash } from 'node:crypto';
import { isId } from '../base/grammar.ts';
import type { JsonObject } from '../base/json-value.ts';
import { openChannel } from '../capture/channel/reader.ts';
import { commandExitCode, environmentOf, runCommand } from '../capture/host/command.ts';
import { HostRecorder } from '../capture/host/recorder.ts';
import { allIn } from '../capture/host/recordings.ts';
import { openWireRecording, type WireRecording, type WireRecordingOptions } from '../capture/host/wire-recording.ts';
import { MAX_BODY_LIMIT } from '../evidence/body.ts';
import type { Signer } from '../seal/receipt.ts';
import { defaultKeyFile } from '../store/config.ts';
import { packageFile } from '../store/package-file.ts';
import { readInput } from '../store/read.ts';
import { readProfile } from '../verify/documents.ts';
import { EXIT, UsageFault } from './exit.ts';
import { tell } from './fault.ts';
import { nextCommand } from './next-command.ts';
import { json, lines, table } from './output.ts';
import { accepted, type SigningOptions, signerFor } from './signing.ts';

export type CaptureCliOptions = SigningOptions & {
  readonly profile?: string;
  readonly trustedCard?: readonly string[];
  readonly incident?: string;
  readonly out: string;
  readonly bodyLimit?: string;
  readonly redact?: readonly string[];
  readonly json?: boolean;
};

type Plan = {
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
const planOf = (options: CaptureCliOptions): Plan => {
  const profileFile = options.profile ?? packageFile('profiles/general.json');
  const { value, document } = accepted(readProfile(readInput(profileFile, 'profile')));
  const incident_id = options.incident ?? incidentOf(new Date());
  if (!isId(incident_id)) {
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

/** Ends the recording, signs it and tells where it is; returns whether it is whole. */
const seal = (recording: WireRecording, plan: Plan, options: CaptureCliOptions): boolean => {
  recording.wire.finish();
  const { bundle, bundlePath, receiptPath } = recording.finish({ signer: () => plan.signer, profile: plan.profile });
  const [trace] = bundle.trace_metadata;
  const gaps = trace?.gaps.map(({ what }) => what) ?? [];
  const counts = { exchanges: bundle.exchanges.length, dereferences: bundle.uri_dereferences.length };
  const made = { bundle: bundlePath, receipt: receiptPath, ended: trace?.ended, ...counts };
  const { trust } = options;
  const next = nextCommand(
    { bundle: bundlePath, receipt: receiptPath },
    { profile: plan.profileFile, ...(trust !== undefined && { trust }) },
  );
  if (options.json) process.stdout.write(json({ ...made, gaps, next }));
  else {
    const nothing = counts.exchanges === 0 ? [['note', 'no A2A exchange was seen: there is nothing to judge']] : [];
    const rows = [...Object.entries(made).map(([name, value]) => [name, String(value)]), ...nothing];
    process.stderr.write(
      `${lines('forensictrace')}\n${table([...rows, ...gaps.slice(0, 20).map((what) => ['gap', what]), ['next', next]])}`,
    );
  }
  return trace?.ended === 'complete';
};

/**
 * `forensictrace capture -- COMMAND`: runs a command watched, and returns its exit code; 6 when the command succeeded and there is no complete, signed
 * bundle of it.
 */
export const runCapture = async (command: readonly string[], options: CaptureCliOptions): Promise<number> => {
  const [program, ...args] = command;
  if (program === undefined) {
    throw new UsageFault('no command was named', ['Name it behind --, as in: forensictrace capture -- npm test']);
  }
  const plan = planOf(options);
  const recording = openWireRecording({ ...plan.recording, observer: 'process-hook' });
  const host = new HostRecorder(allIn([recording]));
  const channel = openChannel(
    (message) => host.message(message),
    (damage) => host.damage(damage),
  );
  let code: number;
  try {
    const ended = await runCommand(
      [program, ...args],
      environmentOf(process.env, channel.path, options.key ?? defaultKeyFile()),
    );
    code = commandExitCode(ended);
    if (ended.pid !== null) host.exited(ended.pid, ended.code, ended.signal);
    await channel.drain();
    host.ended();
    host.closing(recording, channel.missed());
  } finally {
    channel.close();
  }
  return sealed(recording, plan, options) || code !== 0 ? code : EXIT.NOT_CAPTURED;
};

/** A seal that fails is told, and the command's own exit code stands. */
const sealed = (recording: WireRecording, plan: Plan, options: CaptureCliOptions): boolean => {
  try {
    return seal(recording, plan, options);
  } catch (error) {
    tell(error, options.json ?? false);
    process.stderr.write(`forensictrace: the journal is kept: ${lines(recording.journalPath)}\n`);
    return false;
  }
};
