import { closeSync, fsyncSync, ftruncateSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import type { Crypto } from '../base/crypto.ts';
import type { JournalEntry } from './entry.ts';
import { EnvironmentFault } from './fault.ts';
import { thisWriter, type Writer } from './writer.ts';

const FORMAT = 'a2aft.journal.v1';
const NO_JOURNAL = `not a journal of format ${FORMAT}`;
/** Hex digits of a line's checksum: it finds torn and damaged lines, the receipt is what finds an adversary. */
const CHECKSUM_DIGITS = 16;
const READ_BYTES = 1 << 20;
/** No entry is longer: a line holds at most two bodies of 12 MiB, escaped. */
const MAX_LINE_BYTES = 1 << 29;

/** A journal that is no journal, or that was damaged elsewhere than at its end. */
export class JournalError extends Error {
  override readonly name = 'JournalError';
  /** From 1. */
  readonly line: number;
  constructor(path: string, line: number, what: string) {
    super(`${path}, line ${line}: ${what}`);
    this.line = line;
  }
}

/** The checksum of a line covers the checksum before it, so a line that was lost or moved shows as well. */
const checksum = (previous: string, json: string, crypto: Crypto): string =>
  crypto.sha256Hex(previous + json).slice(0, CHECKSUM_DIGITS);

export type Journal = {
  /** Appends one entry. When it returns, write(2) has returned: the entry survives the death of this process. Throws what the file system throws. */
  readonly append: (entry: JournalEntry) => void;
  readonly close: () => void;
};

/**
 * Creates a journal, which must not exist yet, readable by its owner alone; its first line names this process. Throws what
 * the file system throws, and then leaves none.
 */
export const createJournal = (path: string, crypto: Crypto): Journal => {
  const file = openSync(path, 'wx', 0o600);
  let previous = '';
  let end = 0;
  const append = (json: string): void => {
    const sum = checksum(previous, json, crypto);
    const line = Buffer.from(`${sum} ${json}\n`);
    try {
      for (let done = 0; done < line.length; ) done += writeSync(file, line, done, line.length - done, end + done);
    } catch (error) {
      // A full disk leaves half a line, which later lines must not follow.
      ftruncateSync(file, end);
      throw error;
    }
    previous = sum;
    end += line.length;
  };
  try {
    append(JSON.stringify({ format: FORMAT, writer: thisWriter() }));
  } catch (error) {
    closeSync(file);
    rmSync(path, { force: true });
    throw error;
  }
  return {
    append: (entry) => append(JSON.stringify(entry)),
    close: () => {
      fsyncSync(file);
      closeSync(file);
    },
  };
};

/** Lines with their newline; the last may lack it. */
function* linesOf(path: string): Generator<Buffer> {
  const file = openSync(path, 'r');
  try {
    let pieces: Buffer[] = [];
    let held = 0;
    for (;;) {
      const block = Buffer.allocUnsafe(READ_BYTES);
      const read = readSync(file, block, 0, READ_BYTES, null);
      if (read === 0) break;
      let start = 0;
      for (let at = block.indexOf(10); at >= 0 && at < read; at = block.indexOf(10, start)) {
        yield Buffer.concat([...pieces, block.subarray(start, at + 1)]);
        pieces = [];
        held = 0;
        start = at + 1;
      }
      pieces.push(block.subarray(start, read));
      held += read - start;
      if (held > MAX_LINE_BYTES) throw new EnvironmentFault(`${path} has a line of more than ${MAX_LINE_BYTES} bytes`);
    }
    const rest = Buffer.concat(pieces);
    if (rest.length > 0) yield rest;
  } finally {
    closeSync(file);
  }
}

/** The JSON text of a whole line. Throws JournalError where its checksum says that it was damaged. */
const jsonOf = (path: string, number: number, line: Buffer, previous: string, crypto: Crypto): string => {
  const json = line.toString('utf8', CHECKSUM_DIGITS + 1, line.length - 1);
  const isSound =
    line[CHECKSUM_DIGITS] === 0x20 && line.toString('latin1', 0, CHECKSUM_DIGITS) === checksum(previous, json, crypto);
  if (isSound) return json;
  if (number === 1) throw new JournalError(path, 1, NO_JOURNAL);
  throw new JournalError(path, number, 'the line does not have its checksum: it was damaged after it was written');
};

const headOf = (path: string, line: Buffer, crypto: Crypto): { readonly writer?: unknown } => {
  const head = JSON.parse(jsonOf(path, 1, line, '', crypto));
  if (head?.format !== FORMAT) throw new JournalError(path, 1, NO_JOURNAL);
  return head;
};

/** The process that wrote a journal; null where the journal does not tell. Throws JournalError, and what the file system throws. */
export const writerOf = (path: string, crypto: Crypto): Writer | null => {
  for (const line of linesOf(path)) {
    const writer = headOf(path, line, crypto).writer as Partial<Writer> | undefined;
    const { pid, machine, started } = writer ?? {};
    if (typeof pid !== 'number' || typeof machine !== 'string') return null;
    return { pid, machine, started: typeof started === 'string' ? started : null };
  }
  throw new JournalError(path, 1, NO_JOURNAL);
};

/**
 * Reads a journal entry by entry; returns whether its last line was torn: begun, and not written to its end. A torn line
 * was never acknowledged and is dropped. Throws JournalError for a line that is damaged, and what the file system throws.
 */
export function* readJournal(path: string, crypto: Crypto): Generator<JournalEntry, { readonly torn: boolean }> {
  let previous = '';
  let number = 0;
  for (const line of linesOf(path)) {
    number++;
    if (line.at(-1) !== 10) {
      if (number === 1) break;
      return { torn: true };
    }
    if (number === 1) headOf(path, line, crypto);
    else yield JSON.parse(jsonOf(path, number, line, previous, crypto)) as JournalEntry;
    previous = line.toString('latin1', 0, CHECKSUM_DIGITS);
  }
  if (previous === '') throw new JournalError(path, 1, NO_JOURNAL);
  return { torn: false };
}
