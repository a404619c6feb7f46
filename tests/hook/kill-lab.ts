import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

const MAIN = join('dist', 'src', 'cli', 'main.cjs');
export const EXCHANGES = 'tests/hook/programs/exchanges.mjs';

export type Ended = {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
};
export type Running = {
  readonly pid: number;
  /** When the process has ended, and nobody holds its output any more. */
  readonly ended: Promise<Ended>;
};

export type StartOptions = {
  readonly env?: NodeJS.ProcessEnv;
  /** A program that is started in its place, with it as arguments. */
  readonly by?: readonly string[];
};

/** Starts the built command as a user does, to be killed or stopped: in a session of its own, whose group signals can be sent to. */
export const startCommand = (args: readonly string[], { env, by = [] }: StartOptions = {}): Running => {
  const [program, ...rest] = [...by, process.execPath, MAIN, ...args];
  const child = spawn(program!, rest, {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]).then(
    ([[code, signal], stdout, stderr]): Ended => ({ code, signal, stdout, stderr }),
  );
  return { pid: child.pid!, ended };
};

/** Lines of a file that are whole; none while it is not there. */
export const linesOf = (file: string): readonly string[] =>
  existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];

/** Waits until a file has so many lines; throws when what writes it ends first. */
export const untilLines = async (file: string, count: number, { ended }: Running): Promise<readonly string[]> => {
  let last: Ended | null = null;
  void ended.then((how) => {
    last = how;
  });
  for (;;) {
    const lines = linesOf(file);
    if (lines.length >= count) return lines;
    if (last !== null) throw new Error(`ended after ${lines.length} lines: ${JSON.stringify(last)}`);
    await sleep(2);
  }
};

/** Numbers from 0 up to 1, the same for the same seed (mulberry32). */
export const randomOf = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** Does work for each item, two at a time. */
export const twoAtATime = async <T>(
  items: readonly T[],
  work: (item: T, at: number) => Promise<void>,
): Promise<void> => {
  const left = [...items.entries()];
  const lane = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await work(next[1], next[0]);
  };
  await Promise.all([lane(), lane()]);
};
