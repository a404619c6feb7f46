import { once } from 'node:events';
import { readConfig, type SignerConfig } from '../attest/config.ts';
import { signingKeyOf } from '../attest/log-key.ts';
import { logKeyFrom } from '../attest/secrets.ts';
import { serveSigner } from '../attest/serve.ts';
import { neutralise } from '../base/terminal.ts';
import { EnvironmentFault } from '../store/fault.ts';
import { nativeCrypto } from '../store/native-crypto.ts';
import { emit, json } from './output.ts';
import { atSigner, type ConnectionOptions } from './signer-connection.ts';

const told = (error: unknown): void => {
  if (error instanceof EnvironmentFault) {
    const advice = 'until that is mended and the signer started again, calls are refused';
    process.stderr.write(`forensictrace: ${neutralise(error.message)}\n${advice}\n`);
    return;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`forensictrace: internal error, please report it: ${neutralise(text)}\n`);
};

/** A receiver refuses a message that is further than this from its clock (docs/PCM.md section 4). */
const WINDOW_MS = 300_000;

/** What whoever starts a signer should know of it, in lines. */
export const notesOf = ({ actions }: Pick<SignerConfig, 'actions'>, aheadMs: number): readonly string[] => [
  ...actions
    .filter((action) => action.does === 'shell' && action.run_as === 'signer')
    .map(
      ({ name }) => `what the action ${name} runs can read the signer's key: it runs as the signer's own user (run_as)`,
    ),
  ...(aheadMs <= WINDOW_MS
    ? []
    : [
        `the newest record of the log is ${Math.round(aheadMs / 1000)} s ahead of this clock, and the signer's time never goes back: receivers refuse its messages until the clock is there`,
      ]),
];

/** `forensictrace signer serve`: returns 0 once a signal has ended it. */
export const runSignerServe = async (options: {
  readonly config: string;
  readonly json?: boolean;
}): Promise<number> => {
  const config = readConfig(options.config);
  const { vkey, records, aheadMs, close } = await serveSigner(config, told);
  for (const note of notesOf(config, aheadMs)) process.stderr.write(`forensictrace: ${note}\n`);
  const { socket } = config;
  emit(
    options.json
      ? `${JSON.stringify({ vkey, socket, records, pid: process.pid })}\n`
      : `serving at ${socket}; ${records} records; key ${vkey}; process ${process.pid}\n`,
  );
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await close();
  return 0;
};

/** `forensictrace signer trust`. */
export const runSignerTrust = (options: { readonly config: string; readonly out?: string }): number => {
  const { origin, data_dir } = readConfig(options.config);
  emit(json({ logs: [signingKeyOf(origin, logKeyFrom(data_dir, false), nativeCrypto).vkey] }), options.out);
  return 0;
};

/** `forensictrace signer hold`, `quarantine`, `release`. */
export const holdAs =
  (state: 'held' | 'quarantined' | 'released') =>
  async (run: string, options: ConnectionOptions): Promise<number> => {
    await atSigner(options, (client) => client.hold(run, state));
    emit(options.json ? json({ run, state }) : `${run} is ${state}\n`);
    return 0;
  };
