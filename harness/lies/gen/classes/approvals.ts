import type { JsonObject } from '../../../../src/index.ts';
import type { Desk } from '../desk.ts';
import { terms } from '../made.ts';
import { type Answer, approved, type Cited, type Scene } from '../scene.ts';
import { refund, tellApproved, times } from '../telling.ts';

type Other = { readonly how: string; readonly cited: Cited; readonly call: string };
type Refund = ReturnType<typeof refund>;

const OTHERS: Readonly<Record<'tool' | 'args' | 'name' | 'grant', (scene: Scene, args: Refund) => Promise<Other>>> = {
  tool: async (scene, args) => {
    const call = `notify-${args.order}`;
    const cited = await scene.asked('notify', { ...args }, { by: 'alice' }, call);
    return { how: 'an approval of another tool, with the args of the request', cited, call };
  },
  args: async (scene, args) => {
    const call = `refund-${args.order}`;
    const cited = await scene.asked('refund', { ...args, amount: 100 }, { by: 'alice' }, call);
    return { how: 'an approval of another amount', cited, call };
  },
  name: async (scene, args) => {
    const call = `refund-${args.order}-approved`;
    const cited = await scene.asked('notify', { to: 'the customer' }, { by: 'alice' }, call);
    return { how: 'an approval of another call, which the agent named like the one it wants', cited, call };
  },
  grant: async (scene, args) => {
    const { cited, call } = await scene.granted(terms(scene.agent, args.order, 100));
    return { how: 'an approval of a grant that the message does not carry', cited, call };
  },
};

/** L12: approvals of another call. */
export const anotherCall = async (desk: Desk): Promise<void> => {
  const one = async (part: string, kind: keyof typeof OTHERS, covers: boolean, open: boolean) => {
    const scene = await desk.begin();
    const args = refund(desk);
    const { how, cited, call } = await OTHERS[kind](scene, args);
    const claims = [approved('alice', call, covers, await scene.evidence(cited, open))];
    await tellApproved(desk, 'L12', { part, how: `${how}, ${open ? 'opened' : 'not opened'}`, scene, claims, args });
  };
  const covering: readonly (readonly [keyof typeof OTHERS, number])[] = [
    ['tool', 6],
    ['args', 9],
    ['name', 8],
    ['grant', 3],
  ];
  for (const [kind, count] of covering) await times(count, (n) => one('covers', kind, true, n % 3 < 2));
  const other: readonly (readonly [keyof typeof OTHERS, number])[] = [
    ['tool', 5],
    ['args', 5],
    ['name', 4],
  ];
  for (const [kind, count] of other) await times(count, (n) => one('without', kind, false, n % 2 === 0));
};

const NOBODY: readonly (readonly [string, string, Answer, 'main' | 'second'])[] = [
  ['agent', 'an agent approver approved', { by: 'robot' }, 'main'],
  ['self', 'the sender tried to approve, and was refused', { by: 'agent-a' }, 'main'],
  ['self', 'the sender approved, where the signer lets it', { by: 'agent-a' }, 'second'],
  ['refusal', 'alice rejected', { by: 'alice', says: 'reject' }, 'main'],
  ['timeout', 'nobody answered in time', { by: null }, 'second'],
  ['unmapped', 'an approver who stands for no person approved', { by: 'carol' }, 'main'],
];

/** L13: no person approved. */
export const nobody = async (desk: Desk): Promise<void> => {
  for (const [part, how, answer, place] of NOBODY) {
    await together(part === 'self' ? 4 : 8, async (n) => {
      const scene = await desk.begin('agent-a', desk[place]);
      const args = refund(desk);
      const call = `refund-${args.order}`;
      const evidence = await scene.evidence(await scene.asked('refund', args as JsonObject, answer, call));
      const person = n % 2 === 1 && answer.by === 'carol' ? 'carol' : 'alice';
      const claims = [approved(person, call, true, evidence)];
      await tellApproved(desk, 'L13', { part, how, scene, claims, args });
    });
  }
};

/** Does a thing so often, all begun at once in the order of their numbers: a time-out is waited for once. */
const together = async (count: number, make: (n: number) => Promise<void>): Promise<void> => {
  await Promise.all(Array.from({ length: count }, (_, n) => make(n)));
};
