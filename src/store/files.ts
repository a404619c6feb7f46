import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { canonical } from '../base/canonical.ts';
import type { JsonValue } from '../base/json-value.ts';
import { BUNDLE_FORMAT, type Bundle, PROFILE_VERSION } from '../evidence/bundle.ts';
import { COLLECTIONS } from '../evidence/collections.ts';
import type { Receipt } from '../seal/receipt.ts';
import { EnvironmentFault } from './fault.ts';

const FLUSH_AT = 1 << 20;

function* rows(list: readonly unknown[]): Generator<string> {
  for (const [at, row] of list.entries()) yield `${canonical(row as JsonValue)}${at < list.length - 1 ? ',' : ''}\n`;
}

/** The text of a bundle in pieces, one record or edge per line, so that a line number means something (FORMAT.md section 1). */
export function* bundleText(bundle: Bundle): Generator<string> {
  yield `{"format":"${BUNDLE_FORMAT}","profile_version":"${PROFILE_VERSION}"`;
  for (const name of [...COLLECTIONS, 'edges'] as const) {
    yield `,\n"${name}":[\n`;
    yield* rows(bundle[name]);
    yield ']';
  }
  yield '\n}\n';
}

/** The text of a receipt in pieces, one commitment per line. */
export function* receiptText({ body, signature, commitments }: Receipt): Generator<string> {
  yield `{"body":${canonical(body)},\n"signature":${canonical(signature)}`;
  if (commitments !== undefined) {
    yield ',\n"commitments":[\n';
    yield* rows(commitments);
    yield ']';
  }
  yield '\n}\n';
}

/**
 * Writes a file whole or not at all: to a temporary name beside it, synced, then renamed. Takes the text in pieces.
 * Replaces a file that exists. Throws EnvironmentFault, the old file untouched.
 */
export const writeWhole = (path: string, pieces: Iterable<string>): void => {
  try {
    replace(path, pieces);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).syscall === undefined
      ? error
      : EnvironmentFault.of(error, `cannot write ${path}`);
  }
};

const replace = (path: string, pieces: Iterable<string>): void => {
  const temporary = `${path}.${process.pid}.tmp`;
  const file = openSync(temporary, 'wx', 0o644);
  try {
    try {
      let held = '';
      for (const piece of pieces) {
        held += piece;
        if (held.length < FLUSH_AT) continue;
        writeFully(file, held);
        held = '';
      }
      writeFully(file, held);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  syncFolder(dirname(path));
};

const writeFully = (file: number, text: string): void => {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
};

/** Without it a rename may be lost with the power. */
const syncFolder = (path: string): void => {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
};
