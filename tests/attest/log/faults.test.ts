import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EnvironmentFault } from '../../../src/store/fault.ts';
import { buildChild, newFolder } from './lab.ts';
import { opened, proves } from './reading.ts';
import { fill, open, recordAt } from './signer.ts';

let built: string;
let child: string;
beforeAll(() => {
  built = mkdtempSync(join(tmpdir(), 'a2aft-child-'));
  child = buildChild(built);
  chmodSync(built, 0o755);
});
afterAll(() => rmSync(built, { recursive: true, force: true }));

/** Writing to it says ENOSPC. */
const FULL = '/dev/full';
/** A user to whom permissions apply; root has to become one. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : null;

/** Runs a signer until the disk refuses it; returns what it then says (tests/attest/log/child.ts). */
const untilFault = async (script: string, args: readonly string[], user = {}) => {
  const running = spawn('sh', ['-c', script, 'sh', process.execPath, child, ...args], {
    ...user,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const said: Buffer[] = [];
  running.stdout.on('data', (chunk: Buffer) => said.push(chunk));
  expect(await once(running, 'close')).toEqual([0, null]);
  return JSON.parse(Buffer.concat(said).toString());
};

const holds = async (folder: string, size: number): Promise<void> => {
  const log = await open(folder);
  expect(log.size).toBeGreaterThanOrEqual(size);
  for (let i = 0; i < log.size; i++) expect(Buffer.from(recordAt(i))).toEqual(log.record(i));
  await fill(log, 2);
  await log.close();
};

it.skipIf(!existsSync(FULL)).each(['checkpoint', 'tile/0/000.p/5', 'tile/entries/000.p/5'])(
  'tells of a disk that is full when %s is written, stays readable, and goes on once opened again',
  async (path) => {
    const folder = newFolder();
    const log = await open(folder);
    await fill(log, 3);
    const note = log.checkpoint();
    symlinkSync(FULL, join(folder, `${path}.tmp`));
    const [first, second] = await Promise.allSettled([log.append(recordAt(3)), log.append(recordAt(4))]);
    expect(first).toMatchObject({ status: 'rejected', reason: expect.any(EnvironmentFault) });
    expect(first).toMatchObject({ reason: { message: `cannot write the log ${folder}: the disk is full` } });
    expect(second).toEqual(first);
    await expect(log.append(recordAt(5))).rejects.toThrow('the disk is full');
    expect([log.size, log.checkpoint()]).toEqual([3, note]);
    for (let i = 0; i < 3; i++) expect(proves(log.record(i), i, log.proof(i), opened(note))).toBe(true);
    await log.close();
    rmSync(join(folder, `${path}.tmp`));
    await holds(folder, 3);
  },
);

it('tells of a journal that may not grow, in the middle of a line, and cuts that line off again', async () => {
  const folder = newFolder();
  const told = await untilFault('trap "" XFSZ; ulimit -f 8; exec "$@"', [folder, 'fault']);
  expect(told).toMatchObject({ isFault: true, isSame: true, unread: [] });
  expect(told.message).toMatch(/cannot write the log .*EFBIG/);
  expect(told.size).toBeGreaterThan(10);
  await holds(folder, told.size);
});

it.each(['tile/0/000.p', 'tile/entries/000.p', ''])('tells of a folder it may not write to: %s', async (path) => {
  const folder = newFolder();
  if (NOBODY !== null) chownSync(dirname(folder), NOBODY.uid, NOBODY.gid);
  const told = await untilFault('exec "$@"', [folder, 'fault', path], NOBODY ?? {});
  expect(told).toMatchObject({ isFault: true, isSame: true, size: 3, unread: [] });
  expect(told.message).toMatch(/cannot write the log .*permission denied/);
  chmodSync(join(folder, path), 0o700);
  await holds(folder, 3);
});

it('says of a folder that is none, and leaves no lock where it could not open', async () => {
  const folder = newFolder();
  writeFileSync(folder, '');
  await expect(open(folder)).rejects.toThrow(EnvironmentFault);
  rmSync(folder);
  await (await open(folder)).close();
  rmSync(join(folder, 'checkpoint'));
  symlinkSync(FULL, join(folder, 'checkpoint.tmp'));
  await expect(open(folder)).rejects.toThrow('the disk is full');
  expect(readdirSync(join(folder, 'lock'))).toHaveLength(1);
  rmSync(join(folder, 'checkpoint.tmp'));
  await holds(folder, 0);
});
