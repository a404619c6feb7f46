import { vi } from 'vitest';

export type Ran = { readonly code: number; readonly stdout: string; readonly stderr: string };
type Main = (argv: readonly string[]) => Promise<void>;

/** Runs a command in this process, one at a time: takes the program's `main` and its arguments; returns what it said and the exit code it set. */
export const runMain = async (main: Main, args: readonly string[]): Promise<Ran> => {
  const before = process.exitCode;
  const written = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      written[name] += String(text);
      return true;
    }),
  );
  try {
    await main(['node', 'forensictrace', ...args]);
    return { code: Number(process.exitCode), ...written };
  } finally {
    process.exitCode = before;
    for (const spy of spies) spy.mockRestore();
  }
};
