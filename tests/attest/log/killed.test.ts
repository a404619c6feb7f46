import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TILE_WIDTH, tilePath, tileWidth } from '../../../src/attest/log/paths.ts';
import { randomOf } from '../../pcm/fuzz/random.ts';
import { rootOf } from '../../pcm/lab.ts';
import { runs } from '../../support/thorough.ts';
import { buildChild, newFolder, startChild } from './lab.ts';
import { hashOf, opened } from './reading.ts';
import { open } from './signer.ts';

/** 5 logs, each killed 10 times: calls of the file system are the points, some 30 for each checkpoint. */
const SEEDS = [11, 12, 13, 14, 15];
const KILLS = runs(10, 5);
const MAX_CALLS = 130;

let built: string;
let child: string;
beforeAll(() => {
  built = mkdtempSync(join(tmpdir(), 'a2aft-child-'));
  child = buildChild(built);
});
afterAll(() => rmSync(built, { recursive: true, force: true }));

/** Lets a signer run until it kills itself; returns what it said that is acknowledged, by index. */
const runUntilKilled = async (folder: string, call: number, seed: number): Promise<Map<number, string>> => {
  const signer = startChild(child, folder, 'crash', `${call}`, `${seed}`);
  const said: Buffer[] = [];
  signer.stdout!.on('data', (chunk: Buffer) => said.push(chunk));
  const [code, signal] = await once(signer, 'close');
  expect([code, signal]).toEqual([null, 'SIGKILL']);
  const lines = Buffer.concat(said).toString().split('\n').slice(0, -1);
  return new Map(lines.map((line) => line.split(' ')).map(([index, record]) => [Number(index), record!]));
};

/** What a checkpoint of that size covers, read as others would: the record hashes, from the bundles, and the leaves beside them. */
const coveredOnDisk = (folder: string, size: number): Buffer[] => {
  const covered: Buffer[] = [];
  for (let index = 0; index * TILE_WIDTH < size; index++) {
    const width = tileWidth(0, index, size);
    const [entries, leaves] = (['entries', 0] as const).map((kind) => {
      const full = join(folder, tilePath(kind, index, TILE_WIDTH));
      return readFileSync(existsSync(full) ? full : join(folder, tilePath(kind, index, width)));
    });
    const hashes = Array.from({ length: width }, (_, i) => entries!.subarray(34 * i + 2, 34 * (i + 1)));
    expect(entries!.subarray(0, 34 * width)).toEqual(Buffer.concat(hashes.flatMap((hash) => [Buffer.of(0, 32), hash])));
    expect(leaves!.subarray(0, 32 * width)).toEqual(Buffer.concat(hashes.map((hash) => rootOf([hash]))));
    covered.push(...hashes);
  }
  return covered;
};

it.each(SEEDS)(
  'seed %i: no acknowledged record is lost, and every checkpoint that stood is a prefix of the next',
  async (seed) => {
    const folder = newFolder();
    const random = randomOf(seed);
    const acknowledged = new Map<number, string>();
    const notes: string[] = [];
    for (let kill = 0; kill < KILLS; kill++) {
      const call = 1 + random.below(MAX_CALLS);
      for (const [index, record] of await runUntilKilled(folder, call, seed + kill)) {
        expect(acknowledged.has(index)).toBe(false);
        acknowledged.set(index, record);
      }
      if (existsSync(join(folder, 'checkpoint'))) {
        const note = readFileSync(join(folder, 'checkpoint'), 'utf8');
        const { size, root } = opened(note);
        expect(Math.max(-1, ...acknowledged.keys())).toBeLessThan(Number(size));
        expect(rootOf(coveredOnDisk(folder, Number(size)))).toEqual(Buffer.from(root));
        notes.push(note);
      } else expect(acknowledged.size).toBe(0);
      const log = await open(folder);
      notes.push(log.checkpoint());
      await log.close();
    }
    const log = await open(folder);
    const records = Array.from({ length: log.size }, (_, index) => Buffer.from(log.record(index)));
    await log.close();
    const hashes = records.map(hashOf);
    expect(acknowledged.size).toBeGreaterThan(20);
    for (const [index, record] of acknowledged) expect(records[index]?.toString('base64')).toBe(record);
    const sizes = notes.map((note) => {
      const { size, root } = opened(note);
      expect(Buffer.from(root)).toEqual(rootOf(hashes.slice(0, Number(size))));
      return Number(size);
    });
    expect(sizes).toEqual([...sizes].sort((a, b) => a - b));
  },
);
