import { expect, test } from 'vitest';
import { WorkerQueue } from '../../harness/lab/worker-queue.ts';

/** Starts so many pieces of work; returns what has begun, in order, and how to end a piece. */
const begin = (queue: WorkerQueue, count: number) => {
  const begun: number[] = [];
  const releases: (() => void)[] = [];
  for (let n = 0; n < count; n++) {
    void queue.take().then((release) => {
      begun.push(n);
      releases[n] = release;
    });
  }
  return { begun, releases };
};
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test.each([1, 2, 3, 4])('%i workers serve the first, the others wait in order', async (workers) => {
  for (let count = 0; count <= 6; count++) {
    const queue = new WorkerQueue(workers, () => 0n);
    const { begun, releases } = begin(queue, count);
    await settled();
    expect(begun).toEqual(Array.from({ length: Math.min(workers, count) }, (_, n) => n));
    expect(queue.depth).toBe(Math.max(0, count - workers));
    for (let n = 0; n < count; n++) {
      releases[n]?.();
      releases[n]?.();
      await settled();
    }
    expect(begun).toEqual(Array.from({ length: count }, (_, n) => n));
    expect(queue.depth).toBe(0);
  }
});

test('a reading holds the depth and the longest wait of its window alone', async () => {
  let now = 0n;
  const queue = new WorkerQueue(1, () => now);
  const { releases } = begin(queue, 3);
  await queue.reached(2);
  now = 7_000n;
  expect(queue.read()).toEqual({ depth: 2, longestWaitUs: 7, windowUs: 7 });
  now = 9_000n;
  releases[0]?.();
  await settled();
  now = 12_000n;
  expect(queue.read()).toEqual({ depth: 1, longestWaitUs: 12, windowUs: 5 });
  releases[1]?.();
  await settled();
  expect(queue.read()).toEqual({ depth: 0, longestWaitUs: 12, windowUs: 0 });
  expect(queue.read()).toEqual({ depth: 0, longestWaitUs: 0, windowUs: 0 });
});
