import type { JsonObject } from '../../../../src/index.ts';
import type { Desk } from '../desk.ts';
import { approvedRefund, passedTests } from '../made.ts';
import { ownKey, signedAs } from '../own-log.ts';
import { approved, type Scene, tests } from '../scene.ts';
import { seededKey } from '../signer-place.ts';
import { refund, times } from '../telling.ts';
import { someTrue } from './honest.ts';

type Loose = { [name: string]: JsonObject[string] };
const add = (desk: Desk, part: string, how: string, scene: Scene, message: JsonObject): void => {
  desk.add('L6', { part, how, lie: true, scene, bytes: { text: JSON.stringify(message) }, ts: message.ts as string });
};

/** A request that nobody approved, or tests that never ran, as a signer signed it; then it is changed. */
const claimed = async (desk: Desk, n: number) => {
  const scene = await desk.begin();
  if (n % 2 === 0) {
    const args = refund(desk);
    return {
      scene,
      ...(await scene.send('refund', args, { claims: [approved('alice', `refund-${args.order}`, true)] })),
    };
  }
  const { command } = desk.projects.suite('pytest', desk.name(), false);
  return { scene, ...(await scene.send('report', { task: 't-7' }, { claims: [tests(command)] })) };
};

const withNote = (message: JsonObject, note: string): Loose => {
  const intent = message.intent as { type: string; args: JsonObject };
  return { ...message, intent: { ...intent, args: { ...intent.args, note } } };
};

const forged = (desk: Desk): Promise<void> => {
  const liar = ownKey(desk.main.origin, seededKey(desk.seed, 'liar'));
  return times(20, async (n) => {
    const { scene, message } = await claimed(desk, n);
    const { key, sig } = message.sig as { key: string; sig: string };
    const changed = withNote(message, 'forged');
    if (n < 5)
      return add(
        desk,
        'forged',
        "signed with the sender's own key in the name of the log's",
        scene,
        signedAs(changed, liar, key),
      );
    if (n < 10) {
      const noise = Buffer.from(desk.random.hex().repeat(8), 'hex').toString('base64');
      return add(desk, 'forged', 'signed with noise', scene, { ...changed, sig: { key, sig: noise } });
    }
    if (n < 15)
      return add(desk, 'forged', 'signed with the signature of another message', scene, {
        ...changed,
        sig: { key, sig },
      });
    const victim = await desk.begin('agent-v');
    const from = { agent: victim.agent, run: victim.run.id, tenant: victim.run.tenant };
    return add(
      desk,
      'forged',
      "another agent's name on it, signed with the sender's own key",
      scene,
      signedAs({ ...changed, from }, liar, key),
    );
  });
};

const STRIPPED: readonly ((sig: { key: string }) => Loose)[] = [
  () => ({}),
  () => ({ sig: null }),
  () => ({ sig: {} }),
  ({ key }) => ({ sig: { key } }),
  ({ key }) => ({ sig: { key, sig: '' } }),
];
const stripped = (desk: Desk): Promise<void> =>
  times(10, async (n) => {
    const { scene, message } = await claimed(desk, n);
    const { sig, ...rest } = withNote(message, 'stripped');
    const left = STRIPPED[n % STRIPPED.length]!(sig as { key: string });
    add(
      desk,
      'stripped',
      `its signature taken away: ${JSON.stringify(left)}`.replace(/lies\.example[^"]*/, 'KEY'),
      scene,
      { ...rest, ...left },
    );
  });

const altered = (desk: Desk): Promise<void> =>
  times(14, async (n) => {
    if (n < 5) {
      const { scene, sent } = await approvedRefund(desk);
      const intent = sent.message.intent as { type: string; args: JsonObject };
      const args = { ...intent.args, amount: 900_000 };
      return add(desk, 'altered', 'the amount raised after it was signed', scene, {
        ...sent.message,
        intent: { ...intent, args },
      });
    }
    if (n < 8) {
      const { scene, sent } = await passedTests(desk, 'pytest');
      const [first] = sent.message.claims as { type: string; args: JsonObject }[];
      const claims = [{ ...first!, args: { suite: 'pytest -q tests/test_all.py' } }];
      return add(desk, 'altered', 'another suite claimed after it was signed', scene, {
        ...sent.message,
        claims,
      } as Loose);
    }
    if (n < 11) {
      const { scene, sent } = await someTrue(desk, n, 'token:agent-c');
      return add(desk, 'altered', 'turned to another receiver after it was signed', scene, {
        ...sent.message,
        to: { agent: 'token:agent-b' },
      });
    }
    const { scene, sent } = await someTrue(desk, n);
    const fresh = { id: desk.random.hex().repeat(2), nonce: desk.random.hex().repeat(2) };
    return add(desk, 'altered', 'a new id and nonce put on a message that was signed', scene, {
      ...sent.message,
      ...fresh,
    });
  });

const unknownKeys = (desk: Desk): Promise<void> => {
  const liar = ownKey('liar.example/log', seededKey(desk.seed, 'liar'));
  return times(6, async (n) => {
    if (n < 3) {
      const { scene, message } = await claimed(desk, n);
      return add(
        desk,
        'key',
        "signed with the sender's own key, by its own name",
        scene,
        signedAs(withNote(message, 'mine'), liar),
      );
    }
    const scene = await desk.begin('agent-a', desk.own);
    const { command } = desk.projects.suite('pytest', desk.name(), false);
    const sent = await scene.send('report', { task: 't-8' }, { claims: [tests(command)] });
    return add(desk, 'key', 'signed by a signer that the receiver does not know', scene, sent.message);
  });
};

/** L6: signatures that are forged, taken away or of a key that is no log's, and messages altered after they were signed. */
export const unsigned = async (desk: Desk): Promise<void> => {
  await forged(desk);
  await stripped(desk);
  await altered(desk);
  await unknownKeys(desk);
};

const SECOND_MS = 1000;
const after = (ts: string, seconds: number): string =>
  new Date(Date.parse(ts) + seconds * SECOND_MS).toISOString().replace('Z', '000Z');

/** L7: true messages, sent once more. */
export const replayed = async (desk: Desk): Promise<void> => {
  const again = async (
    part: string,
    how: string,
    n: number,
    of: (ts: string) => { after: number; started?: string },
  ) => {
    const { scene, sent, held } = await someTrue(desk, n);
    scene.delivered(sent.bytes, 'token:agent-b');
    const earlier = [{ ...sent.bytes, now: after(sent.ts, 1) }];
    const { bytes, ts } = sent;
    desk.add('L7', {
      part,
      how,
      lie: true,
      scene,
      bytes,
      ts,
      earlier,
      ...(held === undefined ? {} : { held }),
      ...of(ts),
    });
  };
  await times(20, (n) =>
    again('same', 'a message that the receiver got before', n, () => ({ after: 2 + desk.random.below(290) })),
  );
  await times(10, async (n) => {
    const { scene, sent } = await someTrue(desk, n, 'token:agent-c');
    scene.delivered(sent.bytes, 'token:agent-c');
    desk.add('L7', {
      part: 'other',
      how: 'a message that another receiver got',
      lie: true,
      scene,
      bytes: sent.bytes,
      ts: sent.ts,
      after: 5,
    });
  });
  await times(10, (n) =>
    again('window', 'a message that the receiver got more than five minutes before', n, () => ({
      after: 301 + desk.random.below(5_000),
    })),
  );
  await times(10, (n) =>
    again('restart', 'a message that the receiver got before it was started again', n, (ts) => ({
      after: 10,
      started: after(ts, 5),
    })),
  );
};
