import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { JournalEntry } from '../../src/store/entry.ts';
import { createJournal, JournalError, readJournal } from '../../src/store/journal.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'journal-'));
  path = join(folder, 'a.journal');
});
afterEach(() => rmSync(folder, { recursive: true }));

const gap = (what: string): JournalEntry => ({ kind: 'gap', at: '2026-01-01T00:00:00.000Z', what });

const write = (entries: readonly JournalEntry[]): void => {
  const journal = createJournal(path, nativeCrypto);
  for (const entry of entries) journal.append(entry);
  journal.close();
};

const read = (): { entries: JournalEntry[]; torn: boolean } => {
  const reader = readJournal(path, nativeCrypto);
  const entries: JournalEntry[] = [];
  for (;;) {
    const { done, value } = reader.next();
    if (done) return { entries, torn: value.torn };
    entries.push(value);
  }
};

const damagedLine = (): number | null => {
  try {
    read();
    return null;
  } catch (error) {
    if (error instanceof JournalError) return error.line;
    throw error;
  }
};

describe('a journal', () => {
  test('gives back what was appended, whatever it holds', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 40 }), { maxLength: 20 }), (texts) => {
        rmSync(path, { force: true });
        const entries = texts.map((text) => gap(`${text}\n\u2028"\\`));
        write(entries);
        expect(read()).toEqual({ entries, torn: false });
      }),
      { numRuns: 100 },
    );
  });

  test('is readable by its owner alone and never overwritten', () => {
    write([]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(() => createJournal(path, nativeCrypto)).toThrow(/EEXIST/);
  });

  test('an entry is in the file when append has returned', () => {
    const journal = createJournal(path, nativeCrypto);
    journal.append(gap('one'));
    expect(read().entries).toEqual([gap('one')]);
    journal.append(gap('two'));
    expect(read().entries).toEqual([gap('one'), gap('two')]);
    journal.close();
  });

  test('lines longer than one block are read whole', () => {
    const entries = [gap('a'.repeat(3 << 20)), gap('b'), gap('c'.repeat((1 << 20) - 90))];
    write(entries);
    expect(read()).toEqual({ entries, torn: false });
  });

  test('cut at every byte: whole lines stand, a torn one is dropped, nothing else is made up', () => {
    const entries = [gap('one'), gap('zwei €'), gap('three')];
    write(entries);
    const bytes = readFileSync(path);
    const header = bytes.indexOf(10) + 1;
    for (let end = header; end < bytes.length; end++) {
      writeFileSync(path, bytes.subarray(0, end));
      const whole = bytes.subarray(header, end).filter((byte) => byte === 10).length;
      expect(read()).toEqual({ entries: entries.slice(0, whole), torn: bytes[end - 1] !== 10 });
    }
    for (let end = 0; end < header; end++) {
      writeFileSync(path, bytes.subarray(0, end));
      expect(damagedLine()).toBe(1);
    }
  });

  test('any changed byte before the last line is named by its line', () => {
    write([gap('one'), gap('two'), gap('three')]);
    const bytes = readFileSync(path);
    let line = 1;
    for (let at = 0; at < bytes.length - 1; at++) {
      const damaged = Buffer.from(bytes);
      damaged[at]! ^= 1;
      writeFileSync(path, damaged);
      expect(damagedLine(), `byte ${at}`).toBe(line);
      if (bytes[at] === 10) line++;
    }
  });

  test('a line lost, doubled or moved is found', () => {
    write([gap('one'), gap('two'), gap('three')]);
    const [header, one, two, three] = readFileSync(path, 'latin1').split(/(?<=\n)/) as [string, string, string, string];
    for (const [lines, at] of [
      [[header, two, three], 2],
      [[header, one, three], 3],
      [[header, one, one, two], 3],
      [[header, two, one, three], 2],
    ] as const) {
      writeFileSync(path, lines.join(''));
      expect(damagedLine()).toBe(at);
    }
  });
});
