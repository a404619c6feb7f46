import { closeSync, existsSync, fsyncSync, openSync, readSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { EnvironmentFault } from '../store/fault.ts';
import { isResults } from './is-results.ts';
import type { Known } from './known.ts';
import { linesOf } from './lines.ts';
import { type Convert, parquetWriter } from './parquet.ts';

const PARQUET = '.parquet';
/** What a run writes beside its results, and the next one takes up. */
const BESIDE = { part: '.part', known: '.known' } as const;

/** Nobody's file is replaced, or taken for ours, because of its name. */
const requireResults = (file: string, holds: (file: string) => boolean): void => {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined || (stat.isFile() && holds(file))) return;
  throw new EnvironmentFault(`${file} is there, and holds no results of verify-all`, ['Name another with --out']);
};

const startsWithMagic = (file: string): boolean => {
  const handle = openSync(file, 'r');
  try {
    const magic = Buffer.alloc(4);
    return readSync(handle, magic, 0, 4, 0) === 4 && magic.toString('latin1') === 'PAR1';
  } finally {
    closeSync(handle);
  }
};

const writeFully = (handle: number, text: string): void => {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length; ) done += writeSync(handle, bytes, done);
};

/** Moves the whole lines of what a killed run left to those that are kept for the next one. */
const keepPart = (part: string, kept: string): void => {
  if (!existsSync(part)) return;
  const handle = openSync(kept, 'a');
  try {
    for (const { text, ended } of linesOf(part)) if (text !== null && ended) writeFully(handle, `${text}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  rmSync(part);
};

/**
 * Results on their way to a file. They grow in OUT.part, which takes the place of OUT when all are there: OUT is never half of a run. What a killed run left is kept in
 * OUT.known until then, and is known to this run, as are the results in OUT itself (as Parquet they are not). Each method throws EnvironmentFault.
 */
export class ResultsFile {
  /** What earlier runs found; null where there were none. */
  readonly known: Known | null;
  readonly #out: string;
  readonly #handle: number;
  readonly #convert: Convert | null;

  private constructor(out: string, convert: Convert | null, known: Known | null) {
    this.#out = out;
    this.#convert = convert;
    this.known = known;
    this.#handle = openSync(this.#part, 'wx', 0o644);
  }

  static async open(out: string): Promise<ResultsFile> {
    const isParquet = out.endsWith(PARQUET);
    const convert = isParquet ? await parquetWriter() : null;
    const earlier = attempt(out, () => {
      requireResults(out, isParquet ? startsWithMagic : isResults);
      for (const ending of Object.values(BESIDE)) requireResults(out + ending, isResults);
      keepPart(out + BESIDE.part, out + BESIDE.known);
      return [...(isParquet ? [] : [out]), out + BESIDE.known].filter((file) => existsSync(file));
    });
    // Reading results takes their schema, which takes longer to load than a first run has to wait.
    const known = earlier.length === 0 ? null : new (await import('./known.ts')).Known();
    return attempt(out, () => {
      for (const file of earlier) known?.add(file);
      return new ResultsFile(out, convert, known);
    });
  }

  write(lines: string): void {
    attempt(this.#out, () => writeFully(this.#handle, lines));
  }

  /** Puts the results in their place. */
  async finish(): Promise<void> {
    this.leave();
    if (this.#convert !== null) {
      await this.#convert(this.#part, this.#unfinished);
      rmSync(this.#part);
    }
    attempt(this.#out, () => {
      renameSync(this.#convert === null ? this.#part : this.#unfinished, this.#out);
      rmSync(this.#kept, { force: true });
    });
  }

  /** Ends the writing where it is; another run goes on from there. */
  leave(): void {
    attempt(this.#out, () => {
      fsyncSync(this.#handle);
      closeSync(this.#handle);
    });
  }

  get #part(): string {
    return this.#out + BESIDE.part;
  }

  get #kept(): string {
    return this.#out + BESIDE.known;
  }

  get #unfinished(): string {
    return `${this.#out}.tmp`;
  }
}

const attempt = <T>(out: string, write: () => T): T => {
  try {
    return write();
  } catch (error) {
    const isSystem = (error as NodeJS.ErrnoException).syscall !== undefined;
    throw isSystem ? EnvironmentFault.of(error, `cannot write the results ${out}`) : error;
  }
};
