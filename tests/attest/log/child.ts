/**
 * A signer of its own process. `FOLDER hold` opens the log and waits. `FOLDER crash N SEED` appends without end, prints what is acknowledged, and kills itself
 * before its N-th call of the file system, a write half done. `FOLDER fault [PATH]` takes from itself the right to write to a folder of the log, appends until
 * the disk refuses, and prints what it then can read.
 */
import fs, { chmodSync, writeSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import type { Log } from '../../../src/attest/log/types.ts';
import { EnvironmentFault } from '../../../src/store/fault.ts';
import { randomOf } from '../../pcm/fuzz/random.ts';
import { opened, proves } from './reading.ts';
import { fill, nextRecords, open } from './signer.ts';

const [folder, mode, ...rest] = process.argv.slice(2) as [string, string, ...string[]];

let calls = 0;
const die = (): never => {
  process.kill(process.pid, 'SIGKILL');
  for (;;);
};
const count = (half: () => void = () => {}): void => {
  if (++calls < Number(rest[0])) return;
  half();
  die();
};

type Methods = Record<string, (...args: never[]) => unknown>;
const counted = (
  methods: Methods,
  names: readonly string[],
  half?: (self: FileHandle, data: Uint8Array) => void,
): void => {
  for (const name of names) {
    const original = methods[name]!;
    methods[name] = function (this: FileHandle, ...args: never[]) {
      count(half && (() => half(this, Buffer.from(args[0]!))));
      return original.apply(this, args);
    };
  }
};

if (mode === 'crash') {
  const self = await fs.promises.open(process.argv[1]!);
  const handle = Object.getPrototypeOf(self) as Methods;
  await self.close();
  counted(handle, ['sync', 'datasync', 'truncate', 'close']);
  counted(handle, ['writeFile', 'appendFile'], ({ fd }, data) => writeSync(fd, data.subarray(0, data.length / 2)));
  counted(fs.promises as unknown as Methods, ['open', 'mkdir', 'rename', 'rm', 'link']);
  syncBuiltinESMExports();
}

/** Appends in batches of a seeded size, and prints each record that is acknowledged. */
const appendForEver = async (log: Log, seed: number): Promise<never> => {
  const random = randomOf(seed);
  const acknowledge = async (record: Uint8Array): Promise<void> => {
    const { index } = await log.append(record);
    writeSync(1, `${index} ${Buffer.from(record).toString('base64')}\n`);
  };
  for (;;) await Promise.all(nextRecords(log, 1 + random.below(60)).map(acknowledge));
};

const appendUntilFault = async (log: Log, denied: string | undefined): Promise<void> => {
  await fill(log, 3);
  if (denied !== undefined) chmodSync(join(folder, denied), 0o500);
  const fault: unknown = await (async () => {
    for (;;) await fill(log, 1);
  })().catch((error: unknown) => error);
  const again: unknown = await fill(log, 1).catch((error: unknown) => error);
  const { size } = log;
  const checkpoint = opened(log.checkpoint());
  const unread = Array.from({ length: size }, (_, index) => index).filter(
    (index) => !proves(log.record(index), index, log.proof(index), checkpoint),
  );
  await log.close();
  const isFault = fault instanceof EnvironmentFault;
  writeSync(1, JSON.stringify({ isFault, isSame: again === fault, message: String(fault), size, unread }));
};

const log = await open(folder);
switch (mode) {
  case 'hold':
    writeSync(1, 'open\n');
    setInterval(() => {}, 1000);
    break;
  case 'crash':
    await appendForEver(log, Number(rest[1]));
    break;
  case 'fault':
    await appendUntilFault(log, rest[0]);
}
