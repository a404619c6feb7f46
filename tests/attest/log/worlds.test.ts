import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tilePath, tileWidth } from '../../../src/attest/log/paths.ts';
import type { Checkpoint } from '../../../src/pcm/note.ts';
import { rootOf } from '../../pcm/lab.ts';
import { newFolder } from './lab.ts';
import { hashOf, opened, proves } from './reading.ts';
import { fill, open, recordAt } from './signer.ts';

/** Every small size, and those about the edges of nodes, tiles and levels. */
const SIZES = [...Array.from({ length: 40 }, (_, i) => i + 1), 63, 64, 65, 127, 128, 129, 255, 256, 257, 258, 300];

it('proves each record at its place under the checkpoint of each size, to a receiver who pins the key', async () => {
  const log = await open(newFolder());
  const checkpoints: Checkpoint[] = [];
  for (const size of SIZES) {
    await fill(log, size - log.size);
    checkpoints.push(opened(log.checkpoint()));
    expect(checkpoints.at(-1)!.size).toBe(BigInt(size));
  }
  for (const [i, size] of SIZES.entries()) {
    const wrong = Array.from({ length: size }, (_, index) => index).filter(
      (index) => !proves(log.record(index), index, log.proof(index, size), checkpoints[i]!),
    );
    expect([size, wrong]).toEqual([size, []]);
    const other = checkpoints[i - 1] ?? checkpoints[i + 1]!;
    expect(proves(log.record(size - 1), size - 1, log.proof(size - 1, size), other)).toBe(false);
  }
  await log.close();
});

it('gives the roots of RFC 9162 and the records as they were taken', async () => {
  const log = await open(newFolder());
  expect(Buffer.from(opened(log.checkpoint()).root)).toEqual(rootOf([]));
  const records: Uint8Array[] = [];
  for (const count of [1, 2, 4, 249, 1, 1, 260]) {
    const added = Array.from({ length: count }, (_, i) => recordAt(log.next + i));
    await Promise.all(added.map((record) => log.append(record)));
    records.push(...added);
    expect(Buffer.from(opened(log.checkpoint()).root)).toEqual(rootOf(records.map(hashOf)));
  }
  for (const [index, record] of records.entries()) expect(log.record(index)).toEqual(Buffer.from(record));
  await log.close();
});

it('has three levels of tiles beyond 65,536 records, and the same after it is opened again', async () => {
  const folder = newFolder();
  const log = await open(folder);
  await fill(log, 65_800);
  expect(readdirSync(join(folder, 'tile')).sort()).toEqual(['0', '1', '2', 'entries']);
  expect(readdirSync(join(folder, 'tile', '1')).sort()).toEqual(['000', '001.p']);
  const note = log.checkpoint();
  await log.close();
  const again = await open(folder);
  expect(again.checkpoint()).toBe(note);
  for (const index of [0, 255, 256, 40_000, 65_535, 65_536, 65_799])
    expect(proves(recordAt(index), index, again.proof(index), opened(note))).toBe(true);
  await again.close();
});

it('keeps the partial tiles of every published size until the full one is there', async () => {
  const folder = newFolder();
  const log = await open(folder);
  await fill(log, 250);
  await fill(log, 3);
  expect(readdirSync(join(folder, 'tile/0/000.p')).sort()).toEqual(['250', '253']);
  expect(readdirSync(join(folder, 'tile/entries/000.p')).sort()).toEqual(['250', '253']);
  await fill(log, 5);
  await log.close();
  expect(readdirSync(join(folder, 'tile/0')).sort()).toEqual(['000', '001.p']);
  expect(readdirSync(join(folder, 'tile/entries')).sort()).toEqual(['000', '001.p']);
  expect(readdirSync(join(folder, 'tile/1/000.p'))).toEqual(['1']);
});

it.each([
  [0, 256, 'tile/0/000'],
  [7, 3, 'tile/0/007.p/3'],
  [999, 256, 'tile/0/999'],
  [1000, 256, 'tile/0/x001/000'],
  [1_234_067, 255, 'tile/0/x001/x234/067.p/255'],
])('names tile %i of width %i as C2SP does: %s', (index, width, path) => {
  expect(tilePath(0, index, width)).toBe(path);
});

/** The example of C2SP tlog-tiles, "Partial Tiles": a tree of 70,000. */
it.each([
  [0, 272, 256],
  [0, 273, 112],
  [0, 274, 0],
  [1, 0, 256],
  [1, 1, 17],
  [2, 0, 1],
])('gives the tile of level %i at %i the width %i in a tree of 70,000', (level, index, width) => {
  expect(tileWidth(level, index, 70_000)).toBe(width);
});

it('takes no index and no size that is not published, and no record that is none', async () => {
  const log = await open(newFolder());
  await fill(log, 3);
  const pending = log.append(recordAt(3));
  expect([log.size, log.next]).toEqual([3, 4]);
  for (const index of [-1, 0.5, 3, Number.NaN]) {
    expect(() => log.record(index)).toThrow(RangeError);
    expect(() => log.proof(index)).toThrow(RangeError);
  }
  expect(() => log.proof(0, 4)).toThrow(RangeError);
  expect(() => log.proof(2, 2)).toThrow(RangeError);
  await pending;
  await expect(log.append(Buffer.from('{"a":\n1}'))).rejects.toThrow(RangeError);
  await expect(log.append(Buffer.alloc(1024 * 1024 + 1, 0x20))).rejects.toThrow(RangeError);
  expect(log.next).toBe(4);
  expect(await log.append(Buffer.alloc(1024 * 1024, 0x20))).toEqual({ index: 4 });
  await log.close();
  await expect(log.append(recordAt(5))).rejects.toThrow('closed');
});
