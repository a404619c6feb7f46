import { spawn } from 'node:child_process';
import * as z from 'zod';
import { isTestCommand } from '../../pcm/test-command.ts';
import type { PcmObject } from '../../pcm/value.ts';
import type { ActionConfig } from '../config-shape.ts';
import { paramsOf } from '../shape.ts';
import type { Action, Outcome } from './action.ts';
import { onTree } from './on-tree.ts';
import { endMarked, newMark } from './stragglers.ts';

/** How long the output of a command that has ended is waited for: what escaped from it may hold it open for ever. */
const OUTPUT_MS = 1000;
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

type Config = ActionConfig & { does: 'shell' };

/** A command: `end` ends all that it started, as far as that is known. */
type Running = { readonly end: () => void };

/** The command leads a group of its own, so that what it started ends with it; what has left the group is known by its mark. */
const start = ({ cwd, env, run_as }: Config, command: string) => {
  const mark = newMark();
  // Nothing of the signer's environment is passed on but where programs are.
  const child = spawn('/bin/sh', ['-c', command], {
    cwd,
    env: { PATH: process.env.PATH, ...env, ...mark },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(run_as === 'signer' ? {} : run_as),
  });
  const end = (): void => {
    try {
      process.kill(-child.pid!, 'SIGKILL');
    } catch {
      // The group is gone already.
    }
    endMarked(mark);
  };
  return { child, end };
};

const execute = (config: Config, command: string, running: Set<Running>): Promise<Outcome> =>
  new Promise((resolve) => {
    const output = new Tail();
    const one = start(config, command);
    const { child, end } = one;
    running.add(one);
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      end();
    }, config.timeout_s * 1000);
    const streams = [child.stdout, child.stderr];
    for (const stream of streams) stream.on('data', (piece: Buffer) => output.add(piece));
    const done = (exit: number | null, why: string | null): void => {
      clearTimeout(timer);
      running.delete(one);
      const seen: PcmObject = { exit_code: exit };
      resolve({ ok: exit === 0, seen, told: { exit_code: exit, output: String(output), why } });
    };
    child.once('error', (error) => done(null, `the command was not started: ${error.message}`));
    child.once('exit', () => {
      end();
      const closing = setTimeout(() => streams.forEach((stream) => void stream.destroy()), OUTPUT_MS);
      child.once('close', () => clearTimeout(closing));
    });
    child.once('close', (code, signal) =>
      done(
        code,
        timedOut ? `it did not end within ${config.timeout_s} s` : signal === null ? null : `signal ${signal} ended it`,
      ),
    );
  });

/** Runs a command line by the shell, as the user the configuration names; ok when it exits with 0. Args: `command`. */
export const shellAction = (config: Config): Action => {
  const running = new Set<Running>();
  return {
    prepare: (args) => {
      const { command } = paramsOf(Args, args);
      const go = () => execute(config, command, running);
      return config.git_tree && isTestCommand(command) ? () => onTree(config.cwd, go) : go;
    },
    end: () => {
      for (const one of running) one.end();
    },
  };
};
