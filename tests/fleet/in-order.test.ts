import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { batchesOf, inOrder } from '../../src/fleet/in-order.ts';

it('gives answers in the order of the items, with no more under way than told, and takes items only as it goes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(4), { maxLength: 40 }), fc.integer({ min: 1, max: 6 }), async (delays, atOnce) => {
      let [taken, underWay, most, given] = [0, 0, 0, 0];
      function* items(): Generator<number> {
        for (const index of delays.keys()) {
          taken++;
          expect(taken - given).toBeLessThanOrEqual(atOnce + 1);
          yield index;
        }
      }
      const work = async (index: number): Promise<number> => {
        most = Math.max(most, ++underWay);
        await sleep(delays[index]);
        underWay--;
        return index * 2;
      };
      const answers: (readonly [number, number])[] = [];
      for await (const answer of inOrder(items(), atOnce, work)) {
        given++;
        answers.push(answer);
      }
      expect(answers).toEqual([...delays.keys()].map((index) => [index, index * 2]));
      expect(most).toBeLessThanOrEqual(atOnce);
    }),
    { numRuns: 40 },
  );
});

it('throws what the work throws in its turn, whatever failed before it behind', async () => {
  const work = async (index: number): Promise<number> => {
    if (index > 2) throw new Error(`failed at ${index}`);
    await sleep(5);
    return index;
  };
  const seen: number[] = [];
  const all = async (): Promise<void> => {
    for await (const [index] of inOrder([1, 2, 3, 4], 4, work)) seen.push(index);
  };
  await expect(all()).rejects.toThrow('failed at 3');
  expect(seen).toEqual([1, 2]);
});

it('puts items into lists of so many and loses none', () => {
  fc.assert(
    fc.property(fc.array(fc.nat()), fc.integer({ min: 1, max: 9 }), (items, size) => {
      const batches = [...batchesOf(items, size)];
      expect(batches.flat()).toEqual(items);
      expect(batches.slice(0, -1).every(({ length }) => length === size)).toBe(true);
    }),
  );
});
