import { execFileSync } from 'node:child_process';
import {
  closeSync,
  constants,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FrameReader } from '../../src/capture/channel/frame.ts';
import { ChannelWriter } from '../../src/capture/channel/writer.ts';
import { tempFolder } from '../cli/run.ts';

const gap = (what: string) => ({ t: 'gap', what }) as const;

let folder: string;
let path: string;
let reading: number | null;
beforeEach(() => {
  folder = tempFolder();
  path = join(folder, 'channel');
  execFileSync('mkfifo', [path]);
  reading = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
});
const closeChannel = (): void => {
  if (reading !== null) closeSync(reading);
  reading = null;
};
afterEach(() => {
  closeChannel();
  rmSync(folder, { recursive: true });
});

/** What is in the channel by now. */
const received = () => {
  const heads: string[] = [];
  let damages = 0;
  const reader = new FrameReader(
    ({ head }) => heads.push(JSON.parse(head).what),
    () => damages++,
  );
  const buffer = Buffer.alloc(1 << 17);
  try {
    for (;;) reader.push(buffer.subarray(0, readSync(reading!, buffer)));
  } catch {
    // It is empty.
  }
  return { heads, damages };
};
const lostFiles = (): number => readdirSync(folder).filter((name) => name.startsWith('lost-')).length;
/** The descriptors of this process that lead to the channel, but for the reading one. */
const descriptorsOfWriters = (): number[] =>
  readdirSync('/proc/self/fd')
    .map(Number)
    .filter((fd) => {
      try {
        return fd !== reading && readlinkSync(`/proc/self/fd/${fd}`) === path;
      } catch {
        return false;
      }
    });

test('a recorder that does not read holds a program up once, and what is lost is told', () => {
  const writer = new ChannelWriter(path, 20);
  const body = new Uint8Array(1 << 20);
  for (let round = 0; round < 3; round++) writer.send(gap(`${round}`), body);
  expect([writer.lost, lostFiles()]).toEqual([1, 1]);
});

test('a recorder that is gone is no fault of the program, before and after the first message', () => {
  const writer = new ChannelWriter(path, 20);
  writer.send(gap('first'));
  closeChannel();
  writer.send(gap('second'));
  const late = new ChannelWriter(path, 20);
  late.send(gap('third'));
  expect([writer.lost, late.lost, lostFiles()]).toEqual([1, 1, 2]);
});

test.runIf(process.platform === 'linux')(
  'a descriptor that the program closed costs a message, is told, and is not written into when it is another file',
  () => {
    const writer = new ChannelWriter(path, 20);
    writer.send(gap('first'));
    const [own] = descriptorsOfWriters();
    closeSync(own!);
    writer.send(gap('lost'));
    writer.send(gap('cannot be told from the rest of the lost one'));
    writer.send(gap('fourth'));
    expect(received()).toEqual({ heads: ['first', 'fourth'], damages: 1 });

    const [again] = descriptorsOfWriters();
    closeSync(again!);
    const file = join(folder, 'file');
    writeFileSync(file, '');
    const taken = openSync(file, 'r+');
    expect(taken).toBe(again);
    writer.send(gap('fifth'));
    closeSync(taken);
    expect(readFileSync(file, 'utf8')).toBe('');
  },
);
