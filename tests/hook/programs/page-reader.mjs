// node page-reader.mjs [FAULT ROUND]: a test of an agent that reads the page which each message names. Before that round it does something to the channel of
// a recorder, as a careless or a hostile program might; the test passes all the same.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, constants, openSync, readdirSync, readlinkSync, rmSync, unlinkSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname } from 'node:path';
import { send, serve } from './json-rpc.mjs';

const ROUNDS = 10;
const [fault, before] = process.argv.slice(2);
const channel = process.env.FORENSICTRACE_CHANNEL;

const write = (bytes) => {
  const file = openSync(channel, constants.O_WRONLY | constants.O_NONBLOCK);
  writeSync(file, bytes);
  closeSync(file);
};
/** A frame as the hook writes them, of a writer that is none of its own. */
const frameOf = (head, number, isLast = true) => {
  const text = Buffer.from(JSON.stringify(head));
  const frame = Buffer.alloc(18 + text.length);
  frame.set([0xf7, isLast ? 1 : 0, 9, 9, 9, 9, 9, 9]);
  frame.writeUInt32BE(number, 8);
  frame.writeUInt16BE(4 + text.length, 12);
  frame.writeUInt32BE(text.length, 14);
  frame.set(text, 18);
  return frame;
};
const hello = { t: 'hello', pid: process.pid, thread: 7, program: 'page-reader.mjs', node: '20.0.0' };
const leadsToChannel = (fd) => {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`) === channel;
  } catch {
    return false;
  }
};
/** Another process, that can tell nothing any more. */
const another = () => {
  const { status } = spawnSync(process.execPath, [process.argv[1], 'alone']);
  if (status !== 0) throw new Error('the other process failed');
};

const FAULTS = {
  closed: () => {
    for (const fd of readdirSync('/proc/self/fd').filter(leadsToChannel)) closeSync(Number(fd));
  },
  unlinked: () => {
    unlinkSync(channel);
    another();
  },
  removed: () => {
    rmSync(dirname(channel), { recursive: true });
    another();
  },
  garbage: () => write(randomBytes(4_000)),
  'no observation': () => {
    write(frameOf(hello, 0));
    write(frameOf({ t: 'call', call: '__proto__' }, 1));
    write(frameOf({ t: 'bye', lost: 0 }, 2));
  },
  'a stranger': () => write(frameOf({ t: 'end', call: 1, ended: 'complete', error: null }, 0)),
  'a process that never ends': () => write(frameOf({ ...hello, pid: 1, thread: 0 }, 0)),
  'a message without end': () => write(frameOf(hello, 0, false)),
};

const site = createServer((_, response) => response.end('a page')).listen(0, '127.0.0.1');
await once(site, 'listening');
const { url, close } = await serve(async (page) => void (await (await fetch(page)).text()));
for (let round = 0; round < ROUNDS; round++) {
  if (channel !== undefined && String(round) === before) FAULTS[fault]();
  await send(url, `m-${process.pid}-${round}`, `http://127.0.0.1:${site.address().port}/page-${round}`);
}
close();
site.close();
site.closeAllConnections();
console.log('the pages were read');
