import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject, PcmGrant } from '../../../../src/index.ts';
import { pcmTime } from '../../../../src/index.ts';
import type { ClassName } from '../../dataset.ts';
import { hashOf } from '../../receivers/jcs.ts';
import type { Desk } from '../desk.ts';
import { terms } from '../made.ts';
import type { Scene } from '../scene.ts';
import { refOf } from '../schemas.ts';
import type { Name } from '../signer-place.ts';
import { refund, times } from '../telling.ts';

type Caveat = { field: string; op: string; value: JsonObject[string] };
const BOUND = 20_000;
const WIDER = 900_000;

const ask = async (
  desk: Desk,
  name: ClassName,
  part: string,
  how: string,
  scene: Scene,
  args: JsonObject,
  grants: readonly PcmGrant[],
) => {
  const sent = await scene.send('granted', args, { grants });
  desk.add(name, { part, how, lie: true, scene, bytes: sent.bytes, ts: sent.ts });
};

const caveatsOf = (grant: PcmGrant): readonly Caveat[] => grant.caveats as unknown as Caveat[];
const raised = (grant: PcmGrant): PcmGrant =>
  ({
    ...grant,
    caveats: caveatsOf(grant).map((one) => (one.field === 'amount' ? { ...one, value: WIDER } : one)),
  }) as PcmGrant;
const dropped = (grant: PcmGrant, field: string): PcmGrant =>
  ({ ...grant, caveats: caveatsOf(grant).filter((one) => one.field !== field) }) as PcmGrant;

/** A root grant of alice's, widened by the agent that it is for. */
const roots = (desk: Desk): Promise<void> =>
  times(20, async (n) => {
    const scene = await desk.begin();
    const args = refund(desk);
    const { grant } = await scene.granted(terms(scene.agent, args.order, BOUND));
    const more = { ...args, amount: 500_000 };
    if (n < 7) return ask(desk, 'L14', 'root', 'its bound raised', scene, more, [raised(grant)]);
    if (n < 14) return ask(desk, 'L14', 'root', 'its bound dropped', scene, more, [dropped(grant, 'amount')]);
    return ask(desk, 'L14', 'root', 'its order dropped', scene, { ...args, order: args.order + 1 }, [
      dropped(grant, 'order'),
    ]);
  });

/** A grant of agent-a's, passed on to agent-s with a lower bound. */
const passedOn = async (desk: Desk, order: number, expires?: string) => {
  const first = await desk.begin();
  const { grant: root } = await first.granted(terms(first.agent, order, 50_000, { delegable: true }));
  const scene = await desk.begin('agent-s');
  const child = await first.delegated(
    root,
    terms(scene.agent, order, 10_000, { expires_at: expires ?? (root.expires_at as string) }),
  );
  return { first, scene, root, child };
};

const children = (desk: Desk): Promise<void> =>
  times(24, async (n) => {
    const args = refund(desk);
    const { first, scene, root, child } = await passedOn(desk, args.order);
    const more = { ...args, amount: 45_000 };
    if (n < 8) {
      // The agent that passes on has a wider grant too; the child is made to hang from that.
      const { grant: wide } = await first.granted(terms(first.agent, args.order, WIDER, { delegable: true }));
      const hung = { ...raised(child), parent: hashOf(wide) };
      return ask(
        desk,
        'L14',
        'child',
        'its link edited, to a grant that allows more',
        scene,
        { ...args, amount: 500_000 },
        [wide, hung],
      );
    }
    if (n < 14)
      return ask(desk, 'L14', 'child', 'its bound raised to that of its parent', scene, more, [
        root,
        { ...raised(child), parent: child.parent! },
      ]);
    if (n < 19) return ask(desk, 'L14', 'child', 'its bound dropped', scene, more, [root, dropped(child, 'amount')]);
    const own = { ...raised(child), ts: pcmTime(Date.now()), parent: hashOf(root) };
    return ask(
      desk,
      'L14',
      'child',
      "a child of the sender's own writing, which allows more than its parent",
      scene,
      { ...args, amount: 600_000 },
      [root, own],
    );
  });

/** L14: grants that were widened. */
export const widened = async (desk: Desk): Promise<void> => {
  await roots(desk);
  await children(desk);
};

const LIFE_MS = 2_500;

const expired = async (desk: Desk): Promise<void> => {
  const waiting: (() => Promise<void>)[] = [];
  await times(10, async (n) => {
    const args = refund(desk);
    if (n < 6) {
      const scene = await desk.begin();
      const { grant } = await scene.granted(
        terms(scene.agent, args.order, BOUND, { expires_at: pcmTime(Date.now() + LIFE_MS) }),
      );
      waiting.push(() => ask(desk, 'L15', 'expired', 'a grant that had expired', scene, args, [grant]));
    } else {
      const { scene, root, child } = await passedOn(desk, args.order, pcmTime(Date.now() + LIFE_MS));
      const small = { ...args, amount: 9_000 };
      waiting.push(() =>
        ask(desk, 'L15', 'expired', 'a grant that was passed on, and had expired', scene, small, [root, child]),
      );
    }
  });
  await sleep(LIFE_MS);
  for (const tell of waiting) await tell();
};

const other = async (desk: Desk, n: number): Promise<void> => {
  const first = await desk.begin();
  const args = refund(desk);
  const sendAs = async (agent: Name, how: string, grants: readonly PcmGrant[]) =>
    ask(desk, 'L15', 'other', how, await desk.begin(agent), args, grants);
  if (n < 6) {
    const { grant } = await first.granted(terms(first.agent, args.order, BOUND));
    return sendAs('agent-s', "another agent's grant", [grant]);
  }
  if (n < 12) {
    const { grant } = await first.granted(terms(first.agent, args.order, BOUND, { schema: 'credit' }));
    return ask(desk, 'L15', 'other', 'a grant for another intent', first, args, [grant]);
  }
  if (n < 18) {
    const { grant } = await first.granted(terms('token:agent-n', args.order, BOUND));
    return sendAs('agent-n', 'a grant of another tenant', [grant]);
  }
  const { grant } = await first.granted(terms(first.agent, args.order, BOUND));
  const issuer = { kind: 'agent', id: first.agent, run: first.run.id, tenant: first.run.tenant };
  const parent = n % 2 === 0 ? grant : { ...grant, delegable: true };
  const child = {
    ...grant,
    issuer,
    subject: 'token:agent-s',
    intent: refOf('granted'),
    parent: hashOf(parent),
  } as PcmGrant;
  return sendAs('agent-s', 'a grant that was not to be passed on, passed on', [parent, child]);
};

/** L15: grants that had expired, or are for something else. */
export const misdirected = async (desk: Desk): Promise<void> => {
  await expired(desk);
  await times(24, (n) => other(desk, n));
};
