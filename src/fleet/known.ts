import { closeSync, openSync, readSync } from 'node:fs';
import { linesOf } from './lines.ts';
import type { Pair } from './pair.ts';
import { Result } from './result.ts';

type Place = { readonly file: string; readonly start: number; readonly size: number; readonly key: string };

const nameOf = ({ bundle, receipt, profile }: Pick<Pair, 'bundle' | 'receipt' | 'profile'>): string =>
  JSON.stringify([bundle, receipt, profile]);

const read = (text: string): Result | null => {
  try {
    return Result.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
};

/** What earlier runs found, by the names of the pair: where its line stands, not the line itself. */
export class Known {
  readonly #places = new Map<string, Place>();

  /** Takes in the results of a file; a line that is cut off, or no result, is passed over. */
  add(file: string): void {
    for (const { text, start, size, ended } of linesOf(file)) {
      const result = text === null || !ended ? null : read(text);
      if (result === null || result.key === null) continue;
      this.#places.set(nameOf(result), { file, start, size, key: result.key });
    }
  }

  keyOf(pair: Pair): string | null {
    return this.#places.get(nameOf(pair))?.key ?? null;
  }

  /** The line of a pair whose key was given out. */
  lineOf(pair: Pair): string {
    const { file, start, size } = this.#places.get(nameOf(pair))!;
    const bytes = Buffer.alloc(size);
    const handle = openSync(file, 'r');
    try {
      for (let done = 0; done < size; ) {
        const more = readSync(handle, bytes, done, size - done, start + done);
        if (more === 0) throw new Error(`${file} became shorter`);
        done += more;
      }
    } finally {
      closeSync(handle);
    }
    return `${bytes.toString('utf8')}\n`;
  }
}
