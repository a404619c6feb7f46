import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newFolder } from './lab.ts';
import { opened, proves } from './reading.ts';
import { open, recordAt } from './signer.ts';

it('gives 100 concurrent appends their indices in order, and one checkpoint that covers them', async () => {
  const folder = newFolder();
  const log = await open(folder);
  const answers = await Promise.all(Array.from({ length: 100 }, (_, i) => log.append(recordAt(i))));
  expect(answers.map(({ index }) => index)).toEqual(Array.from({ length: 100 }, (_, i) => i));
  expect(readdirSync(join(folder, 'tile/0/000.p'))).toEqual(['100']);
  const checkpoint = opened(log.checkpoint());
  for (let i = 0; i < 100; i++) expect(proves(recordAt(i), i, log.proof(i), checkpoint)).toBe(true);
  await log.close();
});

it('puts appends that come while a batch is written into one batch, and resolves none before it is published', async () => {
  const folder = newFolder();
  const log = await open(folder);
  const early: number[] = [];
  const append = async (seq: number): Promise<void> => {
    const { index } = await log.append(recordAt(seq));
    if (opened(log.checkpoint()).size <= BigInt(index)) early.push(index);
    expect(proves(log.record(index), index, log.proof(index), opened(log.checkpoint()))).toBe(true);
  };
  const first = append(0);
  await new Promise((resolve) => setImmediate(resolve));
  expect(log.size).toBe(0);
  await Promise.all([first, ...Array.from({ length: 99 }, (_, i) => append(i + 1))]);
  expect(early).toEqual([]);
  expect(readdirSync(join(folder, 'tile/0/000.p')).sort()).toEqual(['1', '100']);
  await log.close();
});

it('publishes before it closes', async () => {
  const folder = newFolder();
  const log = await open(folder);
  const appended = log.append(recordAt(0));
  await log.close();
  expect(await appended).toEqual({ index: 0 });
  const again = await open(folder);
  expect(again.size).toBe(1);
  await again.close();
});

it('lets its owner alone into the folder, and at the records', async () => {
  const folder = newFolder();
  const log = await open(folder);
  await log.append(recordAt(0));
  const mode = (path: string): string => (statSync(join(folder, path)).mode & 0o777).toString(8);
  expect(['', 'journal', 'lock'].map(mode)).toEqual(['700', '600', '700']);
  await log.close();
});
