import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { EnvironmentFault } from '../../../src/store/fault.ts';
import { keyOf, rootOf } from '../../pcm/lab.ts';
import { newFolder } from './lab.ts';
import { hashOf, opened, trustOf } from './reading.ts';
import { fill, logKey, ORIGIN, open, recordAt } from './signer.ts';

/** A closed log of that many records; returns its folder. */
const closedLog = async (size: number): Promise<string> => {
  const folder = newFolder();
  const log = await open(folder);
  await fill(log, size);
  await log.close();
  return folder;
};

const edit = (folder: string, name: string, change: (bytes: Buffer) => Uint8Array | string): void => {
  const path = join(folder, name);
  writeFileSync(path, change(readFileSync(path)));
};
const flip = (at: number) => (bytes: Buffer) => {
  bytes[at < 0 ? bytes.length + at : at]! ^= 1;
  return bytes;
};

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => statSync(join(folder, name)).isFile());
const contentsOf = (folder: string) =>
  filesOf(folder).map((name) => [name, readFileSync(join(folder, name), 'latin1')]);

const lineOf = (seq: number): Buffer =>
  Buffer.concat([
    Buffer.from(`${Buffer.from(hashOf(recordAt(seq))).toString('hex')} `),
    recordAt(seq),
    Buffer.from('\n'),
  ]);

const sizeAfter = async (folder: string): Promise<number> => {
  const log = await open(folder);
  const { size } = log;
  const records = Array.from({ length: size }, (_, i) => log.record(i));
  expect(records).toEqual(Array.from({ length: size }, (_, i) => Buffer.from(recordAt(i))));
  expect(Buffer.from(opened(log.checkpoint()).root)).toEqual(rootOf(records.map(hashOf)));
  await log.close();
  return size;
};

it('cuts a line that was torn at any byte, and keeps one that is whole, for what it held was never acknowledged', async () => {
  const folder = await closedLog(3);
  const line = lineOf(3);
  const whole = readFileSync(join(folder, 'journal'));
  for (let bytes = 0; bytes < line.length; bytes += 23) {
    appendFileSync(join(folder, 'journal'), line.subarray(0, bytes));
    expect([bytes, await sizeAfter(folder)]).toEqual([bytes, 3]);
    expect(readFileSync(join(folder, 'journal'))).toEqual(whole);
  }
  appendFileSync(join(folder, 'journal'), line);
  expect(await sizeAfter(folder)).toBe(4);
});

it('cuts what follows a damaged line that no checkpoint covers: after a power cut, pages may come to the disk in any order', async () => {
  const folder = await closedLog(3);
  appendFileSync(join(folder, 'journal'), Buffer.concat([lineOf(3), Buffer.alloc(200), lineOf(5)]));
  expect(await sizeAfter(folder)).toBe(4);
});

it.each([0, 1, 64, 65, 300])('refuses a journal whose published line is changed at byte %i', async (at) => {
  const folder = await closedLog(2);
  edit(folder, 'journal', flip(`forensictrace.log.v1 ${ORIGIN}\n`.length + at));
  await expect(open(folder)).rejects.toThrow(EnvironmentFault);
  await expect(open(folder)).rejects.toThrow(/damaged or lost/);
});

it.each([
  ['a line is lost', ([head, , ...rest]: string[]) => [head, ...rest], /damaged or lost/],
  [
    'lines are exchanged',
    ([head, first, second, ...rest]: string[]) => [head, second, first, ...rest],
    /other records/,
  ],
  ['a line comes twice', ([head, first, ...rest]: string[]) => [head, first, first, ...rest], /other records/],
])('refuses to go on, and changes nothing, when %s', async (_, change, words) => {
  const folder = await closedLog(300);
  edit(folder, 'journal', (bytes) => `${change(bytes.toString().slice(0, -1).split('\n')).join('\n')}\n`);
  const before = contentsOf(folder);
  await expect(open(folder)).rejects.toThrow(words);
  expect(contentsOf(folder)).toEqual(before);
});

it.each<[string, (folder: string) => void, RegExp]>([
  [
    'is another log',
    (folder) => edit(folder, 'checkpoint', (note) => `x${note.toString()}`),
    /no checkpoint of the log/,
  ],
  [
    'claims another size',
    (folder) => edit(folder, 'checkpoint', (note) => note.toString().replace('\n3\n', '\n2\n')),
    /other records/,
  ],
  [
    'claims a larger size',
    (folder) => edit(folder, 'checkpoint', (note) => note.toString().replace('\n3\n', '\n4\n')),
    /damaged or lost/,
  ],
  ['is half a file', (folder) => truncateSync(join(folder, 'checkpoint'), 30), /no checkpoint of the log/],
  ['is lost', (folder) => rmSync(join(folder, 'checkpoint')), /records and no checkpoint/],
  ['is alone', (folder) => rmSync(join(folder, 'journal')), /a checkpoint and no journal/],
])('refuses a log whose checkpoint %s', async (_, damage, words) => {
  const folder = await closedLog(3);
  damage(folder);
  await expect(open(folder)).rejects.toThrow(EnvironmentFault);
  await expect(open(folder)).rejects.toThrow(words);
});

it('never cuts a file that is no journal of this log', async () => {
  const folder = await closedLog(1);
  rmSync(join(folder, 'checkpoint'));
  for (const stranger of ['', 'shopping\nlist\n', `forensictrace.log.v1 ${ORIGIN}.org\n`]) {
    writeFileSync(join(folder, 'journal'), stranger);
    await expect(open(folder)).rejects.toThrow(/no journal of the log/);
    expect(readFileSync(join(folder, 'journal'), 'utf8')).toBe(stranger);
  }
});

it('mends tiles that are damaged or lost, byte for byte, and drops partial ones that a full one replaced', async () => {
  const folder = await closedLog(600);
  const files = filesOf(folder).filter((name) => name.startsWith('tile/'));
  expect(files.length).toBe(7);
  const before = files.map((name) => readFileSync(join(folder, name)));
  for (const [i, name] of files.entries()) {
    if (i % 2 === 0) rmSync(join(folder, name));
    else edit(folder, name, flip(-1));
  }
  writeFileSync(join(folder, 'tile/0/001.p'), '');
  const log = await open(folder);
  expect(files.map((name) => readFileSync(join(folder, name)))).toEqual(before);
  expect(existsSync(join(folder, 'tile/0/001.p'))).toBe(false);
  edit(folder, 'tile/0/000', (bytes) => bytes.subarray(32));
  expect(() => log.proof(1)).toThrow(EnvironmentFault);
  rmSync(join(folder, 'tile/0/000'));
  expect(() => log.proof(1)).toThrow(/no such file/);
  await log.close();
});

it('signs the same tree anew with a new key of the log', async () => {
  const folder = await closedLog(3);
  const old = opened(readFileSync(join(folder, 'checkpoint'), 'utf8'));
  const log = await open(folder, logKey(2));
  const { size, root } = opened(log.checkpoint(), trustOf(keyOf(2, ORIGIN).vkey));
  expect([size, root]).toEqual([old.size, old.root]);
  expect(readFileSync(join(folder, 'checkpoint'), 'utf8')).toBe(log.checkpoint());
  await log.close();
});

it('refuses a name that no receiver could pin', async () => {
  for (const origin of ['', 'a b', 'a+b', 'a\nb', 'é'.repeat(128)])
    await expect(open(newFolder(), logKey(), origin)).rejects.toThrow(RangeError);
});
