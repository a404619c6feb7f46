import { type ChildProcess, spawn } from 'node:child_process';
import { MAIN } from '../../cli/run.ts';

/** Starts `forensictrace experiment …` as it is built: eight processes start sooner without a compiler. */
export const experiment = (args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess =>
  spawn(process.execPath, [MAIN, 'experiment', ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

/** Waits for its end; gives exit code and what it wrote. */
export const ended = (child: ChildProcess): Promise<{ code: number | null; output: string }> =>
  new Promise((resolve) => {
    let output = '';
    for (const stream of [child.stdout!, child.stderr!])
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
    child.on('close', (code) => resolve({ code, output }));
  });
