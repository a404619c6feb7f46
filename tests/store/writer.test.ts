import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createJournal, JournalError, writerOf } from '../../src/store/journal.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { isRunning, thisWriter } from '../../src/store/writer.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'writer-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const journalWith = (head: object): string => {
  const path = join(folder, 'j');
  const json = JSON.stringify(head);
  writeFileSync(path, `${nativeCrypto.sha256Hex(json).slice(0, 16)} ${json}\n`);
  return path;
};

describe('the writer of a journal', () => {
  test('is the process that made it, and it runs', () => {
    const path = join(folder, 'j');
    createJournal(path, nativeCrypto).close();
    expect(writerOf(path, nativeCrypto)).toEqual(thisWriter());
    expect(isRunning(writerOf(path, nativeCrypto)!)).toBe(true);
  });

  test('is not another process that was given its number', () => {
    expect(isRunning({ ...thisWriter(), started: '1' })).toBe(false);
  });

  test('on another machine or in another container is not known to run, whatever runs here under its number', () => {
    expect(isRunning({ ...thisWriter(), machine: 'elsewhere' })).toBe(false);
  });

  test('is known by its number alone where the system tells no start', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    await once(child, 'spawn');
    const writer = { ...thisWriter(), pid: child.pid!, started: null };
    expect(isRunning(writer)).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'close');
    expect(isRunning(writer)).toBe(false);
  });

  test.skipIf(!existsSync('/proc/self/stat'))(
    'has ended when it was killed, though nobody asked for its end',
    async () => {
      // The shell starts a child, tells its number, and becomes a program that never asks for the child's end.
      const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'inherit'] });
      const [said] = (await once(parent.stdout, 'data')) as [Buffer];
      const pid = Number(said.toString());
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]!;
      const writer = { ...thisWriter(), pid, started };
      expect(isRunning(writer)).toBe(true);
      process.kill(pid, 'SIGKILL');
      await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).toMatch(/\) Z /);
      expect(isRunning(writer)).toBe(false);
      parent.kill('SIGKILL');
      await once(parent, 'close');
    },
  );

  test.each([{}, { writer: 7 }, { writer: { pid: '7', machine: 'm' } }, { writer: { pid: 7 } }])(
    'that a journal does not tell is nobody: %j',
    (head) => {
      expect(writerOf(journalWith({ format: 'a2aft.journal.v1', ...head }), nativeCrypto)).toBeNull();
    },
  );

  test.each([{ format: 'other' }, {}])('is not looked for in what is no journal: %j', (head) => {
    expect(() => writerOf(journalWith(head), nativeCrypto)).toThrow(JournalError);
  });
});
