import { type Dirent, lstatSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type FileSystemAdapter, globSync } from 'tinyglobby';
import { EnvironmentFault } from '../store/fault.ts';
import { type Pair, type Pairs, pairOf } from './pair.ts';

/** What begins a part of a pattern that no name can be. */
const MAGIC = /[*?[{(\\]/;
const BUNDLE = '.bundle.json';
const RECEIPT = '.receipt.json';

/** Names without their endings, below the folders that hold bundles and receipts. */
type Found = { readonly bundles: string; readonly receipts: string; readonly stems: readonly string[] };

const stemsOf = (names: readonly string[], ...endings: readonly string[]): readonly string[] =>
  names.flatMap((name) => {
    const ending = endings.find((one) => name.endsWith(one));
    return ending === undefined ? [] : [name.slice(0, -ending.length)];
  });

const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder);
  } catch (error) {
    throw EnvironmentFault.of(error, `cannot read the folder ${folder}`);
  }
};

const inFolder = (folder: string, receipts: string | undefined): Found => ({
  bundles: folder,
  receipts: receipts ?? folder,
  stems:
    receipts === undefined
      ? stemsOf(namesIn(folder), BUNDLE, RECEIPT)
      : [...stemsOf(namesIn(folder), BUNDLE), ...stemsOf(namesIn(receipts), RECEIPT)],
});

/** To a pattern all is a file that is no folder: a link or a FIFO may be told as what cannot be read, not passed over. Links to folders may lead in circles. */
const ENTRIES = {
  readdirSync: (folder: string): readonly Pick<Dirent, 'name' | 'isFile' | 'isDirectory' | 'isSymbolicLink'>[] =>
    readdirSync(folder, { withFileTypes: true }).map((entry) => ({
      name: entry.name,
      isDirectory: () => entry.isDirectory(),
      isFile: () => !entry.isDirectory(),
      isSymbolicLink: () => false,
    })),
} as unknown as FileSystemAdapter;

/** A pattern is read from its first folder that is no pattern itself. */
const byPattern = (pattern: string, receipts: string | undefined): Found => {
  const steps = pattern.split('/');
  const fixed = steps.findIndex((step) => MAGIC.test(step));
  const folder = steps.slice(0, fixed).join('/') || (pattern.startsWith('/') ? '/' : '.');
  const options = { cwd: folder, dot: true, expandDirectories: false, fs: ENTRIES };
  const names = globSync(steps.slice(fixed).join('/'), options);
  return { bundles: folder, receipts: receipts ?? folder, stems: stemsOf(names, BUNDLE, RECEIPT) };
};

const byName = (file: string, receipts: string | undefined): Found => {
  const folder = dirname(file);
  const stems = stemsOf([basename(file)], BUNDLE, RECEIPT);
  if (stems.length > 0) return { bundles: folder, receipts: receipts ?? folder, stems };
  throw new EnvironmentFault(`${file} is neither NAME${BUNDLE} nor NAME${RECEIPT}`, [
    'Name a folder, a pattern in quotes, or @LIST: a file of bundle, receipt and profile, separated by tabs',
  ]);
};

const found = (place: string, receipts: string | undefined): Found => {
  const stat = statSync(place, { throwIfNoEntry: false });
  if (stat?.isDirectory()) return inFolder(place, receipts);
  if (stat !== undefined) return byName(place, receipts);
  if (MAGIC.test(place)) return byPattern(place, receipts);
  throw new EnvironmentFault(`there is no folder or file ${place}`);
};

/** Whatever it is that has this name: what cannot be read is told as that, not as missing. */
const existing = (file: string): string | null =>
  lstatSync(file, { throwIfNoEntry: false }) === undefined ? null : file;

/**
 * The pairs among folders, patterns and files, by base name: NAME.bundle.json with NAME.receipt.json beside it, or at the same place below `receipts`. A name of
 * which one of the two is missing is a pair with a fault. Sorted by name, each once. Throws EnvironmentFault for a place that is not there.
 */
export const pairsOfFiles = (
  places: readonly string[],
  profile: string | null,
  receipts: string | undefined,
): Pairs => {
  const pairs = new Map<string, () => Pair>();
  for (const place of places) {
    const { bundles, receipts: signed, stems } = found(place, receipts);
    for (const stem of stems) {
      const [bundle, receipt] = [join(bundles, stem + BUNDLE), join(signed, stem + RECEIPT)];
      pairs.set(bundle, () => pairOf(existing(bundle), existing(receipt), profile));
    }
  }
  const names = [...pairs.keys()].sort();
  return {
    count: names.length,
    *all() {
      for (const name of names) yield pairs.get(name)!();
    },
  };
};
