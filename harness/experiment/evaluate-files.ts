import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type * as z from 'zod';
import { nativeCrypto, readInput, readJson } from '../../src/index.ts';
import { type Fault, fault } from './evaluate-faults.ts';
import { Choice, type Layout, Outcome, Schedule, Seal, Settings } from './model.ts';

/** The results as their files say, before anything is compared. */
export type ResultFiles = {
  readonly schedule: Schedule;
  readonly settings: Settings;
  readonly settingsBytes: Uint8Array;
  readonly choices: readonly Choice[];
  readonly outcomes: readonly Outcome[];
  /** Null when there is none. */
  readonly seal: Seal | null;
  /** SHA-256 of the bytes of each file but the seal, by its base name. */
  readonly digests: ReadonlyMap<string, string>;
};

const NEWLINE = 0x0a;

/** Reads files of the results and gathers what is wrong with their form. */
class Reader {
  readonly faults: Fault[] = [];
  readonly digests = new Map<string, string>();

  bytes(file: string): Uint8Array {
    const bytes = readInput(file, basename(file));
    this.digests.set(basename(file), nativeCrypto.sha256Hex(bytes));
    return bytes;
  }

  value<T>(bytes: Uint8Array, schema: z.ZodType<T>, at: string): T | null {
    const json = readJson(bytes, { input: at, recordAttributes: false });
    if (!json.ok) {
      for (const { reason, detail } of json.refusals) this.#add(at, `${reason}: ${detail}`);
      return null;
    }
    const fit = schema.safeParse(json.value);
    if (fit.success) return fit.data;
    for (const { path, message } of fit.error.issues) this.#add(at, `/${path.map(String).join('/')}: ${message}`);
    return null;
  }

  /** One value a line; the last line ends too, so that one that was cut is not taken for a whole one. */
  lines<T>(bytes: Uint8Array, schema: z.ZodType<T>, at: string): readonly T[] {
    const values: T[] = [];
    for (let start = 0, line = 1; start < bytes.length; line++) {
      const end = bytes.indexOf(NEWLINE, start);
      if (end < 0) {
        this.#add(`${at} line ${line}`, 'the line does not end');
        break;
      }
      const value = this.value(bytes.subarray(start, end), schema, `${at} line ${line}`);
      if (value !== null) values.push(value);
      start = end + 1;
    }
    return values;
  }

  #add(at: string, detail: string): void {
    this.faults.push(fault('FILE_MALFORMED', at, detail));
  }
}

/**
 * Reads schedule, settings, choices, outcomes and seal; returns them, or every fault of their form. Throws EnvironmentFault
 * for a file that cannot be read.
 */
export const readResults = (layout: Layout): ResultFiles | { readonly faults: readonly Fault[] } => {
  const reader = new Reader();
  const settingsBytes = reader.bytes(layout.settings);
  const schedule = reader.value(reader.bytes(layout.schedule), Schedule, basename(layout.schedule));
  const settings = reader.value(settingsBytes, Settings, basename(layout.settings));
  const choices = reader.lines(reader.bytes(layout.choices), Choice, basename(layout.choices));
  const outcomes = reader.lines(reader.bytes(layout.outcomes), Outcome, basename(layout.outcomes));
  const digests = new Map(reader.digests);
  const seal = existsSync(layout.seal) ? reader.value(reader.bytes(layout.seal), Seal, basename(layout.seal)) : null;
  if (schedule === null || settings === null || reader.faults.length > 0) return { faults: reader.faults };
  return { schedule, settings, settingsBytes, choices, outcomes, seal, digests };
};
