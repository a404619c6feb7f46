import { expect, test } from 'vitest';
import type { CallSink } from '../../src/capture/wire/call.ts';
import { EndedCalls } from '../../src/capture/wire/ended-calls.ts';

const sink = (): CallSink => ({ response: () => {}, chunk: () => {}, end: () => {} });

test('calls that have ended are held up to 16 MiB, and forgotten oldest first', () => {
  const ended = new EndedCalls();
  const sinks = Array.from({ length: 10 }, sink);
  for (const [at, each] of sinks.entries()) ended.add(`call-${at}`, each, 4 << 20);
  const held = sinks.map((each, at) => ended.take(`call-${at}`) === each);
  expect(held).toEqual([false, false, false, false, false, false, false, true, true, true]);
  expect(ended.take('call-9')).toBeNull();
});

test('what was taken makes room', () => {
  const ended = new EndedCalls();
  const first = sink();
  ended.add('first', first, 9 << 20);
  for (let round = 0; round < 100; round++) {
    ended.add('big', sink(), 6 << 20);
    ended.take('big');
  }
  expect(ended.take('first')).toBe(first);
});
