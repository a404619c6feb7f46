import { Option } from 'commander';

/** What the definitions of several commands share. */

export const jsonOption = (): Option => new Option('--json', 'print JSON instead of text');
export const trustOption = (): Option =>
  new Option('--trust <file>', 'trust store (default: $FORENSICTRACE_TRUST, else the per-user config folder)');

/** Runs a command of one file, loaded only when it is used, and keeps its exit code. */
export const run =
  <A extends unknown[]>(load: () => Promise<(...args: A) => number | Promise<number>>) =>
  async (...args: A): Promise<void> => {
    const command = await load();
    process.exitCode = await command(...args);
  };
