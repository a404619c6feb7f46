import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { EnvironmentFault } from '../store/fault.ts';

/** As of `forensictrace capture`; paths are relative to the root of the vitest project. */
export type RecorderOptions = {
  /** Profile file, by default the general profile. */
  readonly profile?: string;
  /** Files of agent cards that the profile pins. */
  readonly trustedCards?: readonly string[];
  /** Private key file, by default that of the user. */
  readonly key?: string;
  /** Signer id, by default to whom the trust store gives the key. */
  readonly signer?: string;
  /** Trust store, by default that of the user. */
  readonly trust?: string;
  /** Folder of the bundles, in a folder for each run; by default `evidence`. */
  readonly out?: string;
  /** Bytes kept of one body, by default 4 MiB. */
  readonly bodyLimit?: number;
  /** Environment variables whose values must never be written down. */
  readonly redact?: readonly string[];
};

type Recorder = {
  /** What processes that are to be watched need in their environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Ends the recorder; returns what it says of the run. */
  stop(): Promise<string>;
};

const program = (path: string): string => {
  const ending = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
  return fileURLToPath(new URL(path + ending, import.meta.url));
};

const argumentsOf = (options: RecorderOptions): string[] => {
  const { profile, key, signer, trust, out, bodyLimit, trustedCards = [], redact = [] } = options;
  const single = { profile, key, signer, trust, out, 'body-limit': bodyLimit };
  return [
    ...Object.entries(single).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, String(value)])),
    ...trustedCards.flatMap((file) => ['--trusted-card', file]),
    ...redact.flatMap((name) => ['--redact', name]),
  ];
};

/**
 * Starts `forensictrace capture --per-test` in a process of its own: the key is read there and nowhere else. Throws EnvironmentFault, with what the recorder
 * says, when it cannot begin.
 */
export const startRecorder = async (options: RecorderOptions, root: string): Promise<Recorder> => {
  const command = [process.execPath, program('./until-closed')];
  const args = [program('../cli/main'), 'capture', '--per-test', ...argumentsOf(options), '--', ...command];
  // Apart from the terminal's group: Ctrl-C ends vitest, and what it left is then sealed.
  const recorder = spawn(process.execPath, args, { cwd: root, detached: true, stdio: 'pipe' });
  const exited = once(recorder, 'exit');
  const said = text(recorder.stderr);
  recorder.stdin.on('error', () => {});
  const [first] = (await Promise.race([once(createInterface(recorder.stdout), 'line'), exited])) as [unknown];
  if (typeof first !== 'string') throw new EnvironmentFault((await said).trim());
  return {
    env: JSON.parse(first) as Record<string, string>,
    stop: async () => {
      recorder.stdin.end();
      await exited;
      return (await said).trim();
    },
  };
};
