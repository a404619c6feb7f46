import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EnvironmentFault } from '../../../src/store/fault.ts';
import { buildChild, newFolder, startChild } from './lab.ts';
import { fill, open } from './signer.ts';

let built: string;
let child: string;
beforeAll(() => {
  built = mkdtempSync(join(tmpdir(), 'a2aft-child-'));
  child = buildChild(built);
});
afterAll(() => rmSync(built, { recursive: true, force: true }));

const REFUSED = /another signer has the log/;

/** What a signer of its own process says: that it has the log, or why not. */
const said = async (signer: ChildProcess): Promise<'open' | 'refused'> => {
  let error = '';
  signer.stderr!.on('data', (chunk: Buffer) => {
    error += chunk.toString();
  });
  const opened = once(signer.stdout!, 'data').then(() => 'open' as const);
  const ended = once(signer, 'close').then(() => {
    expect(error).toMatch(REFUSED);
    return 'refused' as const;
  });
  return Promise.race([opened, ended]);
};

const kill = async (signer: ChildProcess): Promise<void> => {
  const closed = once(signer, 'close');
  signer.kill('SIGKILL');
  await closed;
};

it('refuses a second signer of this process, by whatever path, until the first has closed', async () => {
  const folder = newFolder();
  const log = await open(folder);
  await fill(log, 2);
  symlinkSync(folder, `${folder}-too`);
  for (const path of [folder, `${folder}-too`, `${folder}/../log/`]) {
    const refused = open(path);
    await expect(refused).rejects.toThrow(EnvironmentFault);
    await expect(refused).rejects.toThrow(REFUSED);
  }
  await fill(log, 1);
  await log.close();
  const again = await open(folder);
  expect(again.size).toBe(3);
  await again.close();
});

it('refuses a second signer while one runs or is stopped, and opens right after it is killed', async () => {
  const folder = newFolder();
  for (let round = 0; round < 3; round++) {
    const signer = startChild(child, folder, 'hold');
    expect(await said(signer)).toBe('open');
    await expect(open(folder)).rejects.toThrow(REFUSED);
    signer.kill('SIGSTOP');
    await expect(open(folder)).rejects.toThrow(REFUSED);
    await kill(signer);
    const log = await open(folder);
    await fill(log, 1);
    expect(log.size).toBe(round + 1);
    await log.close();
  }
});

it('gives the log to one of many that come at once, after a kill too', async () => {
  const folder = newFolder();
  for (let round = 0; round < 2; round++) {
    const signers = Array.from({ length: 5 }, () => startChild(child, folder, 'hold'));
    const outcomes = await Promise.all(signers.map(said));
    expect(outcomes.filter((outcome) => outcome === 'open')).toHaveLength(1);
    await kill(signers[outcomes.indexOf('open')]!);
  }
  await (await open(folder)).close();
  expect(readdirSync(join(folder, 'lock'))).toHaveLength(1);
});

it('says that a path is too long for a socket', async () => {
  const folder = join(newFolder(), 'x'.repeat(100));
  await expect(open(folder)).rejects.toThrow(/too long for a socket/);
});
