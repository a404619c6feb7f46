import { fstatSync, writeSync } from 'node:fs';

const STANDARD_OUTPUT = 1;
/** How long a reader is given that has not yet read what was written before. */
const PATIENCE_MS = 1;

/** Set in the bundled program alone (`scripts/bundle-cli.mjs`): every other command has loaded Node's streams anyway. */
const IS_BUNDLED = (import.meta as { readonly bundled?: true }).bundled === true;

/** Whether standard output is a terminal: it alone has colours and a width. */
export const isTerminal = (): boolean =>
  fstatSync(STANDARD_OUTPUT).isCharacterDevice() && process.stdout.isTTY === true;

/** Writes text to standard output, whole. From the bundle past Node's stream where it is no terminal: to load that takes as long as half of a small verification. */
export const say = (text: string): void => {
  if (!IS_BUNDLED || isTerminal()) {
    process.stdout.write(text);
    return;
  }
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(STANDARD_OUTPUT, bytes, at);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // A reader that has left (`| head -1`) has what it came for, and the verdict stands; on a full disk the report is lost.
      if (code === 'EPIPE') return;
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PATIENCE_MS);
    }
  }
};
