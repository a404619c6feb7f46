import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Pairs } from '../../src/fleet/pair.ts';
import { pairsOfFiles } from '../../src/fleet/pairs-files.ts';
import { pairsOfList } from '../../src/fleet/pairs-list.ts';
import { outFile, tempFolder } from './lab.ts';

/** A new folder with those files, all empty. */
const folderWith = (...files: readonly string[]): string => {
  const folder = tempFolder();
  for (const file of files) {
    mkdirSync(join(folder, file, '..'), { recursive: true });
    writeFileSync(join(folder, file), '');
  }
  return folder;
};

/** Bundle, receipt and fault of each pair, by their names below the folder. */
const told = (pairs: Pairs, folder: string) => {
  const all = [...pairs.all()].map(({ bundle, receipt, fault }) => [
    bundle?.slice(folder.length + 1) ?? null,
    receipt?.slice(folder.length + 1) ?? null,
    fault?.reason ?? null,
  ]);
  expect(all).toHaveLength(pairs.count);
  return all;
};

describe('pairs by base name', () => {
  it('in one folder: sorted, each with what it lacks; other files are no evidence', () => {
    const folder = folderWith(
      'b.bundle.json',
      'b.receipt.json',
      'a.receipt.json',
      'a.bundle.json',
      'c.bundle.json',
      'd.receipt.json',
      'trust.json',
      'a.journal',
      'below/e.bundle.json',
    );
    expect(told(pairsOfFiles([folder], null, undefined), folder)).toEqual([
      ['a.bundle.json', 'a.receipt.json', null],
      ['b.bundle.json', 'b.receipt.json', null],
      ['c.bundle.json', null, 'PAIR_WITHOUT_RECEIPT'],
      [null, 'd.receipt.json', 'PAIR_WITHOUT_BUNDLE'],
    ]);
  });

  it('in two folders, by a pattern at the same place below the second', () => {
    const folder = folderWith(
      't/a.bundle.json',
      't/x/a.bundle.json',
      't/x/.b.bundle.json',
      'r/a.receipt.json',
      'r/x/a.receipt.json',
      'r/x/c.receipt.json',
    );
    const [traces, receipts] = [join(folder, 't'), join(folder, 'r')];
    expect(told(pairsOfFiles([traces], null, receipts), folder)).toEqual([
      ['t/a.bundle.json', 'r/a.receipt.json', null],
    ]);
    expect(told(pairsOfFiles([`${traces}/**/*.bundle.json`], null, receipts), folder)).toEqual([
      ['t/a.bundle.json', 'r/a.receipt.json', null],
      ['t/x/.b.bundle.json', null, 'PAIR_WITHOUT_RECEIPT'],
      ['t/x/a.bundle.json', 'r/x/a.receipt.json', null],
    ]);
    expect(told(pairsOfFiles([`${folder}/r/{x,y}/*`], null, undefined), folder)).toEqual([
      [null, 'r/x/a.receipt.json', 'PAIR_WITHOUT_BUNDLE'],
      [null, 'r/x/c.receipt.json', 'PAIR_WITHOUT_BUNDLE'],
    ]);
  });

  it('as a shell writes out a pattern: bundles and receipts, each pair once', () => {
    const folder = folderWith('a.bundle.json', 'a.receipt.json', 'b.receipt.json');
    const places = ['b.receipt.json', 'a.receipt.json', 'a.bundle.json'].map((name) => join(folder, name));
    expect(told(pairsOfFiles([...places, folder], null, undefined), folder)).toEqual([
      ['a.bundle.json', 'a.receipt.json', null],
      [null, 'b.receipt.json', 'PAIR_WITHOUT_BUNDLE'],
    ]);
  });

  it('whatever a name holds, and a folder named like a pattern', () => {
    const name = 'a\n\u202e\x1b[2J *?[x]';
    const folder = folderWith(`[d]*/${name}.bundle.json`, `[d]*/${name}.receipt.json`, '[d]*/.bundle.json');
    expect(told(pairsOfFiles([join(folder, '[d]*')], null, undefined), folder)).toEqual([
      ['[d]*/.bundle.json', null, 'PAIR_WITHOUT_RECEIPT'],
      [`[d]*/${name}.bundle.json`, `[d]*/${name}.receipt.json`, null],
    ]);
  });

  it('ends in a circle of links', () => {
    const folder = folderWith('x/a.bundle.json');
    symlinkSync('..', join(folder, 'x', 'up'));
    symlinkSync('nowhere', join(folder, 'x', 'b.bundle.json'));
    expect(told(pairsOfFiles([`${folder}/**/*.bundle.json`], null, undefined), folder)).toEqual([
      ['x/a.bundle.json', null, 'PAIR_WITHOUT_RECEIPT'],
      ['x/b.bundle.json', null, 'PAIR_WITHOUT_RECEIPT'],
    ]);
  });

  it('refuses a place that is not there, and a file that is no evidence by its name', () => {
    const folder = folderWith('trust.json');
    expect(() => pairsOfFiles([join(folder, 'nowhere')], null, undefined)).toThrow('there is no folder or file');
    expect(() => pairsOfFiles([join(folder, 'trust.json')], null, undefined)).toThrow('is neither NAME.bundle.json');
    expect(() => pairsOfFiles([folder], null, join(folder, 'nowhere'))).toThrow('cannot read the folder');
    expect(pairsOfFiles([join(folder, 'nowhere', '*')], null, undefined).count).toBe(0);
  });
});

describe('pairs of a list', () => {
  const list = (text: string): string => {
    const file = outFile('pairs.tsv');
    writeFileSync(file, text);
    return file;
  };

  it('one a line, in the order of the lines, the last column or the profile of all', () => {
    const file = list('b\tr\n\nx\ty\tz\r\na\t\tp\n\tr2\tp\n');
    expect([...pairsOfList(file, 'own').all()]).toEqual([
      { bundle: 'b', receipt: 'r', profile: 'own', fault: null },
      { bundle: 'x', receipt: 'y', profile: 'z', fault: null },
      expect.objectContaining({ bundle: 'a', receipt: null, profile: 'p' }),
      expect.objectContaining({ bundle: null, receipt: 'r2', profile: 'p' }),
    ]);
    expect(pairsOfList(file, 'own').count).toBe(4);
  });

  it.each([
    ['one column', 'a', 'own'],
    ['four columns', 'a\tb\tc\td', 'own'],
    ['no file at all', '\t\tp', 'own'],
    ['no profile', 'a\tb', null],
    ['a line without end', `a\t${'b'.repeat(1 << 21)}`, 'own'],
  ])('tells a line with %s by its number', (_, line, profile) => {
    const [, second] = [...pairsOfList(list(`a\tb\tc\n${line}\n`), profile).all()];
    expect(second).toMatchObject({ bundle: null, fault: { reason: 'LIST_LINE_MALFORMED' } });
    expect(second?.fault?.detail).toContain('pairs.tsv line 2: ');
  });

  it('refuses a list that is no file', () => {
    expect(() => pairsOfList('/nowhere.tsv', null)).toThrow('cannot read the list /nowhere.tsv');
    expect(() => pairsOfList(tempFolder(), null)).toThrow('is not a regular file');
  });
});
