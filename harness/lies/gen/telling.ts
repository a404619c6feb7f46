import type { PcmClaim } from '../../../src/index.ts';
import type { ClassName } from '../dataset.ts';
import type { Desk } from './desk.ts';
import type { Scene } from './scene.ts';

/** A claim without truth behind it, in its own scene, sent as a report on work. */
export const tell = async (
  desk: Desk,
  name: ClassName,
  told: { readonly part: string; readonly how: string; readonly scene: Scene; readonly claims: readonly PcmClaim[] },
): Promise<void> => {
  const { part, how, scene, claims } = told;
  const task = `t-${1 + desk.random.below(900)}`;
  const sent = await scene.send('report', { task }, { claims });
  desk.add(name, { part, how, lie: true, scene, bytes: sent.bytes, ts: sent.ts });
};

/** A refund that says it was approved. */
export const tellApproved = async (
  desk: Desk,
  name: ClassName,
  told: {
    readonly part: string;
    readonly how: string;
    readonly scene: Scene;
    readonly claims: readonly PcmClaim[];
    readonly args: ReturnType<typeof refund>;
  },
): Promise<void> => {
  const { part, how, scene, claims, args } = told;
  const sent = await scene.send('refund', args, { claims });
  desk.add(name, { part, how, lie: true, scene, bytes: sent.bytes, ts: sent.ts });
};

/** The args of a refund, by the seed: cents, and the number of an order. */
export const refund = (desk: Desk, least = 5_000) => ({
  amount: least + desk.random.below(15_000),
  order: 1 + desk.random.below(9_999),
});

/** Does a thing so often, one after another. */
export const times = async (count: number, make: (n: number) => Promise<void>): Promise<void> => {
  for (let n = 0; n < count; n++) await make(n);
};

/** Does a slow thing once for so many numbers in a row; `make` is given which of these groups it is. */
export const once = <T>(each: number, make: (group: number) => Promise<T>): ((n: number) => Promise<T>) => {
  const made = new Map<number, Promise<T>>();
  return (n) => {
    const group = Math.floor(n / each);
    const known = made.get(group) ?? make(group);
    made.set(group, known);
    return known;
  };
};
