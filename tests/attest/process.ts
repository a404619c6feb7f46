import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export type SignerProcess = {
  readonly vkey: string;
  readonly close: () => Promise<void>;
  readonly child: ChildProcess;
};

/** Serves a signer by the command, in a process of its own, as users do. */
export const serveAsProcess = async (config: string): Promise<SignerProcess> => {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', 'src/cli/main.ts', 'signer', 'serve', '--config', config, '--json'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), once(child, 'exit')])) as [unknown];
  if (typeof line !== 'string') throw new Error(`the signer ended with ${String(line)}`);
  return {
    child,
    vkey: (JSON.parse(line) as { vkey: string }).vkey,
    close: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
};
