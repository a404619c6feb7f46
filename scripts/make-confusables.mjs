// Writes src/rules/detectors/names/confusables.generated.ts from the official Unicode data files.
//   node scripts/make-confusables.mjs CONFUSABLES_TXT UNICODE_DATA_DIR LICENSE
// Debian: CONFUSABLES_TXT and LICENSE from `apt-get source icu` (icu4c data/unidata, and the top folder),
// UNICODE_DATA_DIR = /usr/share/unicode of the package unicode-data. All files must be of one Unicode version.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [confusablesPath, dataDir, licencePath] = process.argv.slice(2);
if (!confusablesPath || !dataDir || !licencePath) {
  console.error('usage: node scripts/make-confusables.mjs CONFUSABLES_TXT UNICODE_DATA_DIR LICENSE');
  process.exit(2);
}

const read = (path) => readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
const sources = {
  'confusables.txt': read(confusablesPath),
  'CaseFolding.txt': read(join(dataDir, 'CaseFolding.txt')),
  'DerivedCoreProperties.txt': read(join(dataDir, 'DerivedCoreProperties.txt')),
  'DerivedGeneralCategory.txt': read(join(dataDir, 'extracted', 'DerivedGeneralCategory.txt')),
};

const versionOf = (name) => {
  const found = /(?:^# Version: |-)(\d+\.\d+\.\d+)/m.exec(sources[name].slice(0, 1000));
  if (!found) throw new Error(`${name} states no version`);
  return found[1];
};
const versions = new Set(Object.keys(sources).map(versionOf));
if (versions.size !== 1) throw new Error(`the files are of several Unicode versions: ${[...versions].join(', ')}`);
const [version] = versions;

const rows = (name) =>
  sources[name]
    .split('\n')
    .map((line) => line.split('#')[0].trim())
    .filter((line) => line !== '')
    .map((line) => line.split(';').map((field) => field.trim()));
const codePoints = (field) => field.split(' ').map((hex) => Number.parseInt(hex, 16));

/** Entries sorted by source: distance from the last source, then `:` and the target code points, all in base 36. */
const mapText = (entries) => {
  let last = 0;
  return entries
    .toSorted(([a], [b]) => a - b)
    .map(([source, target]) => {
      const distance = source - last;
      last = source;
      return `${distance.toString(36)}:${target.map((point) => point.toString(36)).join('.')}`;
    })
    .join(' ');
};

/** Runs of a set: distance from the end of the last run, then `:` and the length, in base 36. */
const setText = (points) => {
  const sorted = [...points].toSorted((a, b) => a - b);
  const runs = [];
  for (const point of sorted) {
    const run = runs.at(-1);
    if (run && run.start + run.length === point) run.length++;
    else runs.push({ start: point, length: 1 });
  }
  let end = 0;
  return runs
    .map(({ start, length }) => {
      const distance = start - end;
      end = start + length;
      return `${distance.toString(36)}:${length.toString(36)}`;
    })
    .join(' ');
};

const pointsOf = (name, wanted) => {
  const points = new Set();
  for (const [range, property] of rows(name)) {
    if (!wanted.has(property)) continue;
    const [first, last = first] = range.split('..').map((hex) => Number.parseInt(hex, 16));
    for (let point = first; point <= last; point++) points.add(point);
  }
  return points;
};

const confusables = rows('confusables.txt').map(([source, target]) => [codePoints(source)[0], codePoints(target)]);
const folding = rows('CaseFolding.txt')
  .filter(([, status]) => status === 'C' || status === 'F')
  .map(([source, , target]) => [codePoints(source)[0], codePoints(target)]);
const ignorable = pointsOf('DerivedCoreProperties.txt', new Set(['Default_Ignorable_Code_Point']));
const categories = new Set(['Lu', 'Ll', 'Lt', 'Lm', 'Lo', 'Mn', 'Mc', 'Me', 'Nd']);
const kept = [...pointsOf('DerivedGeneralCategory.txt', categories)].filter((point) => !ignorable.has(point));

const licence = read(licencePath);
const notice = licence.slice(licence.indexOf('UNICODE, INC. LICENSE'), licence.indexOf('\n----')).trim();
const digests = Object.entries(sources).map(
  ([name, text]) => `${createHash('sha256').update(text).digest('hex')}  ${name}`,
);

writeFileSync(
  join(import.meta.dirname, '..', 'src', 'rules', 'detectors', 'names', 'confusables.generated.ts'),
  [
    '/*',
    `Made by scripts/make-confusables.mjs from files of the Unicode Character Database and of UTS #39, version ${version}. Do not edit.`,
    'SHA-256 of the sources:',
    ...digests,
    '',
    notice,
    '*/',
    `export const UNICODE_VERSION = '${version}';`,
    '/** UTS #39 confusables: distance from the last source `:` target code points, in base 36. */',
    `export const CONFUSABLES = '${mapText(confusables)}';`,
    '/** Full case folding (statuses C and F), in the same form. */',
    `export const CASE_FOLDING = '${mapText(folding)}';`,
    '/** General categories L, M and Nd less Default_Ignorable_Code_Point: distance from the end of the last run `:` length. */',
    `export const LETTERS_MARKS_DIGITS = '${setText(kept)}';`,
    '/** Default_Ignorable_Code_Point, in the same form. */',
    `export const DEFAULT_IGNORABLE = '${setText(ignorable)}';`,
    '',
  ].join('\n'),
);
