import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const BUILT = 'dist/src/cli/main.cjs';
const isFresh = (): boolean => {
  const built = existsSync(BUILT) ? statSync(BUILT).mtimeMs : 0;
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  return sources.every((name) => statSync(join('src', name)).mtimeMs < built);
};

/** Arguments of node that run the command: as built when that is what is written, else from its sources, which takes longer to start. */
export const COMMAND: readonly string[] = isFresh() ? [BUILT] : ['--import', 'tsx', 'src/cli/main.ts'];

export type SignerProcess = {
  readonly vkey: string;
  readonly pid: number;
  readonly close: () => Promise<void>;
  readonly child: ChildProcess;
};

/** Serves a signer by the command, in a process of its own, as users do. */
export const serveAsProcess = async (
  config: string,
  onStart: (child: ChildProcess) => void = () => {},
): Promise<SignerProcess> => {
  const child = spawn(process.execPath, [...COMMAND, 'signer', 'serve', '--config', config, '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onStart(child);
  const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), once(child, 'exit')])) as [unknown];
  if (typeof line !== 'string') throw new Error(`the signer ended with ${String(line)}`);
  return {
    child,
    ...(JSON.parse(line) as { vkey: string; pid: number }),
    close: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
};
