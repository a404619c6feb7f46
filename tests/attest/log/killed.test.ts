import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rootOf } from '../../pcm/lab.ts';
import { buildChild, newFolder, startChild } from './lab.ts';
import { hashOf, opened } from './reading.ts';
import { open, randomOf } from './signer.ts';

/** 5 logs, each killed 10 times: calls of the file system are the points, some 30 for each checkpoint. */
const SEEDS = [11, 12, 13, 14, 15];
const KILLS = 10;
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

it.each(SEEDS)(
  'seed %i: no acknowledged record is lost, and every checkpoint that stood is a prefix of the next',
  async (seed) => {
    const folder = newFolder();
    const random = randomOf(seed);
    const acknowledged = new Map<number, string>();
    const notes: string[] = [];
    for (let kill = 0; kill < KILLS; kill++) {
      const call = 1 + Math.floor(random() * MAX_CALLS);
      for (const [index, record] of await runUntilKilled(folder, call, seed + kill)) {
        expect(acknowledged.has(index)).toBe(false);
        acknowledged.set(index, record);
      }
      try {
        notes.push(readFileSync(join(folder, 'checkpoint'), 'utf8'));
      } catch {
        expect(acknowledged.size).toBe(0);
      }
      const log = await open(folder);
      notes.push(log.checkpoint());
      await log.close();
    }
    const log = await open(folder);
    const records = Array.from({ length: log.size }, (_, index) => Buffer.from(log.record(index)));
    await log.close();
    const hashes = records.map(hashOf);
    expect(acknowledged.size).toBeGreaterThan(100);
    for (const [index, record] of acknowledged) expect(records[index]?.toString('base64')).toBe(record);
    const sizes = notes.map((note) => {
      const { size, root } = opened(note);
      expect(Buffer.from(root)).toEqual(rootOf(hashes.slice(0, Number(size))));
      return Number(size);
    });
    expect(sizes).toEqual([...sizes].sort((a, b) => a - b));
  },
);
