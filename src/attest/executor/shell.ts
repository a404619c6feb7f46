import { type ChildProcess, spawn } from 'node:child_process';
import * as z from 'zod';
import type { PcmObject } from '../../pcm/value.ts';
import type { ActionConfig } from '../config-shape.ts';
import { paramsOf } from '../shape.ts';
import type { Action, Outcome } from './action.ts';

const MAX_OUTPUT = 256 * 1024;
const Args = z.strictObject({
  command: z
    .string()
    .min(1)
    .max(65_536)
    .refine((command) => !command.includes('\0'), 'a command holds no NUL'),
});

/** Keeps the end of what a command says, where a test runner tells its result. */
class Tail {
  private kept = Buffer.alloc(0);

  add(piece: Buffer): void {
    this.kept = Buffer.concat([this.kept, piece]).subarray(-MAX_OUTPUT);
  }

  toString(): string {
    return new TextDecoder().decode(this.kept);
  }
}

/** The command leads a group of its own, so that what it started ends with it. */
const endGroup = ({ pid }: ChildProcess): void => {
  try {
    process.kill(-pid!, 'SIGKILL');
  } catch {
    // The group is gone already.
  }
};

type Config = ActionConfig & { does: 'shell' };

const execute = (
  { cwd, env, run_as, timeout_s }: Config,
  command: string,
  running: Set<ChildProcess>,
): Promise<Outcome> =>
  new Promise((resolve) => {
    const output = new Tail();
    // Nothing of the signer's environment is passed on but where programs are.
    const child = spawn('/bin/sh', ['-c', command], {
      cwd,
      env: { PATH: process.env.PATH, ...env },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(run_as === 'signer' ? {} : run_as),
    });
    running.add(child);
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      endGroup(child);
    }, timeout_s * 1000);
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => output.add(piece));
    const end = (exit: number | null, why: string | null): void => {
      clearTimeout(timer);
      running.delete(child);
      const seen: PcmObject = { exit_code: exit };
      resolve({ ok: exit === 0, seen, told: { exit_code: exit, output: String(output), why } });
    };
    child.once('error', (error) => end(null, `the command was not started: ${error.message}`));
    child.once('exit', () => endGroup(child));
    child.once('close', (code, signal) =>
      end(
        code,
        timedOut ? `it did not end within ${timeout_s} s` : signal === null ? null : `signal ${signal} ended it`,
      ),
    );
  });

/** Runs a command line by the shell, as the user the configuration names; ok when it exits with 0. Args: `command`. */
export const shellAction = (config: Config): Action => {
  const running = new Set<ChildProcess>();
  return {
    prepare: (args) => {
      const { command } = paramsOf(Args, args);
      return () => execute(config, command, running);
    },
    end: () => {
      for (const child of running) endGroup(child);
    },
  };
};
