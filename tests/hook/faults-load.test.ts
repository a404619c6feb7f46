import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { openWireRecording } from '../../src/capture/host/wire-recording.ts';
import type { CallStart } from '../../src/capture/wire/call.ts';
import { folder } from '../capture/lab.ts';

const MIB = 1 << 20;
const TEXT = 'x'.repeat(64 * 1024);
const ENDS = { client: ['127.0.0.1:40000', '127.0.0.1:80'], server: ['127.0.0.1:80', '127.0.0.1:40000'] } as const;

const callOf = (key: string, side: keyof typeof ENDS): CallStart => ({
  key,
  side,
  process: 'program (1)',
  method: 'POST',
  url: 'http://127.0.0.1/rpc',
  headers: [['content-type', 'application/json']],
  cause: null,
  local: ENDS[side][0],
  remote: ENDS[side][1],
});

const requestOf = (id: number): Buffer => {
  const message = { messageId: `m-${id}`, role: 'ROLE_USER', parts: [{ text: TEXT }] };
  return Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, method: 'SendMessage', params: { message } }));
};
const responseOf = (id: number): Buffer => {
  const status = { state: 'TASK_STATE_COMPLETED' };
  const task = {
    id: `task-${id}`,
    contextId: 'context',
    status,
    artifacts: [{ artifactId: 'a', parts: [{ text: TEXT }] }],
  };
  return Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, result: { task } }));
};

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
/** What is still held after a collection, buffers included. */
const held = (): number => {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

test('a recorder holds no bodies of what has ended: its memory does not grow with what passed', () => {
  const place = folder();
  const recording = openWireRecording({
    dir: place.path,
    incident_id: 'load',
    profile_id: 'general',
    pinned: new Set(),
    trusted: [],
    observer: 'process-hook',
  });
  const { wire } = recording;
  const exchange = (id: number): void => {
    for (const side of ['client', 'server'] as const) {
      wire.call(callOf(`${id} ${side}`, side));
      wire.request(`${id} ${side}`, requestOf(id), true);
    }
    for (const side of ['server', 'client'] as const) {
      wire.response(`${id} ${side}`, 200, [['content-type', 'application/json']]);
      wire.chunk(`${id} ${side}`, responseOf(id));
      wire.end(`${id} ${side}`, 'complete', null);
    }
  };
  const more = (from: number, to: number): number => {
    for (let id = from; id < to; id++) exchange(id);
    return held();
  };
  const filled = more(0, 130);
  // The four bodies of each further exchange would take 11 MiB.
  expect(more(130, 175) - filled).toBeLessThan(5 * MIB);
  recording.stop();
  place.remove();
});
