import { statSync, writeFileSync } from 'node:fs';
import { neutralise } from '../base/terminal.ts';
import { EnvironmentFault } from '../store/fault.ts';
import { UsageFault } from './exit.ts';

/** Lines of our own that hold words of others, neutralised. */
export const lines = (text: string): string => text.split('\n').map(neutralise).join('\n');

const isSameFile = (a: string, b: string): boolean => {
  const [left, right] = [a, b].map((file) => statSync(file, { throwIfNoEntry: false }));
  return left?.isFile() === true && left.ino === right?.ino && left.dev === right.dev;
};

/** Refuses to write over what was given to read: evidence is never changed, and a slip of `--out` would destroy it. */
export const requireNoInput = (out: string | undefined, inputs: readonly (string | undefined)[]): void => {
  if (out === undefined) return;
  const input = inputs.find((file) => file !== undefined && isSameFile(out, file));
  if (input !== undefined) throw new UsageFault(`--out ${out} would overwrite the input ${input}`);
};

/** Writes text to a file when one is named, else to standard output. */
export const emit = (text: string, file?: string): void => {
  if (file === undefined) {
    process.stdout.write(text);
    return;
  }
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw EnvironmentFault.of(error, `cannot write ${file}`);
  }
};

export { jsonText as json } from '../report/json.ts';

/** A table of short columns, neutralised. */
export const table = (rows: readonly (readonly string[])[]): string => {
  const clean = rows.map((row) => row.map(neutralise));
  // Spreading a list of strangers' making over the arguments of Math.max overflows the stack.
  const widths = (clean[0] ?? []).map((_, column) =>
    clean.reduce((widest, row) => Math.max(widest, row[column]?.length ?? 0), 0),
  );
  return clean
    .map(
      (row) =>
        `${row
          .map((cell, at) => cell.padEnd(widths[at] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
};
