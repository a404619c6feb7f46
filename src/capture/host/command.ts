import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EnvironmentFault } from '../../store/fault.ts';
import { CHANNEL_VARIABLE } from '../channel/variable.ts';

export type CommandEnd = {
  readonly pid: number | null;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
};

const hookFile = (name: string): URL => new URL(`../hook/${name}`, import.meta.url);
/** `--import` would load the program itself as a module does: another order of ticks, other errors, no file type that CommonJS alone knows. Only what is built can be required. */
const PRELOAD = import.meta.url.endsWith('.ts')
  ? `--import ${hookFile('preload.ts').href}`
  : `--require ${JSON.stringify(fileURLToPath(hookFile('require.cjs')))}`;
const FORWARDED: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];

/** What Ctrl-C and Ctrl-\ send. */
const KEYS: ReadonlySet<NodeJS.Signals> = new Set(['SIGINT', 'SIGQUIT']);

/** Whether this process, and so its command, is in the foreground group of a terminal (proc(5), stat: fields 5 and 8). */
const isInForeground = (): boolean => {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return group === foreground;
  } catch {
    return process.stdin.isTTY;
  }
};

/** The environment of a command: no word of where the key is. */
export const withoutKey = (env: NodeJS.ProcessEnv, keyFile: string): NodeJS.ProcessEnv => {
  const key = resolve(keyFile);
  const isAboutKey = (value: string): boolean => value.includes(key) || value === keyFile || resolve(value) === key;
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && !isAboutKey(value)));
};

/** The same with the hook for every Node below it. */
export const environmentOf = (env: NodeJS.ProcessEnv, channel: string, keyFile: string): NodeJS.ProcessEnv => {
  const options = [env.NODE_OPTIONS, PRELOAD].filter((part) => part !== undefined && part !== '');
  return { ...withoutKey(env, keyFile), NODE_OPTIONS: options.join(' '), [CHANNEL_VARIABLE]: channel };
};

/** Runs a command with the terminal of this process; signals that this process gets are the command's to answer. Throws EnvironmentFault when it cannot start. */
export const runCommand = (
  [program, ...args]: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv,
): Promise<CommandEnd> =>
  new Promise((done, fail) => {
    const child = spawn(program, args, { stdio: 'inherit', env });
    // What the keys of a terminal send reaches the command by itself: told twice, many programs give up at once.
    const hand = (signal: NodeJS.Signals): void => {
      if (!KEYS.has(signal) || !isInForeground()) child.kill(signal);
    };
    for (const signal of FORWARDED) process.on(signal, hand);
    const release = (): void => {
      for (const signal of FORWARDED) process.off(signal, hand);
    };
    child.once('error', (error) => {
      release();
      fail(EnvironmentFault.of(error, `cannot run ${program}`));
    });
    child.once('exit', (code, signal) => {
      release();
      done({ pid: child.pid ?? null, code, signal });
    });
  });

/** What a shell would say: the command's own code, or 128 and the number of the signal that ended it. */
export const commandExitCode = ({ code, signal }: CommandEnd): number =>
  code ?? 128 + (signal === null ? 0 : (constants.signals[signal] ?? 0));
