import { closeSync, existsSync, fsyncSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';
import type * as z from 'zod';
import { EnvironmentFault } from '../../src/index.ts';

/** A file of records, one JSON text a line, that outlives a killed process: what `append` has returned from is on disk. */
export type LinesFile<T> = {
  /** The records so far, in the order of the file. */
  readonly records: readonly T[];
  /** Appends records in one piece and syncs. */
  append(...records: readonly T[]): void;
};

/**
 * Opens such a file, or begins it. A last line without its end was being written when a process was killed: it is cut off. Throws EnvironmentFault
 * when another line is not a record.
 */
export const openLines = <T>(path: string, schema: z.ZodType<T>): LinesFile<T> => {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (whole.length < text.length) truncateSync(path, Buffer.byteLength(whole));
  const records = whole
    .split('\n')
    .slice(0, -1)
    .map((line, at) => {
      try {
        return schema.parse(JSON.parse(line));
      } catch {
        throw new EnvironmentFault(`${path}: line ${at + 1} is not a record of this file`);
      }
    });
  return {
    records,
    append: (...added) => {
      const file = openSync(path, 'a', 0o644);
      try {
        writeSync(file, added.map((record) => `${JSON.stringify(record)}\n`).join(''));
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      records.push(...added);
    },
  };
};
