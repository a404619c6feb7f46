import type { PcmEvidence } from '../../../../src/index.ts';
import type { Desk } from '../desk.ts';
import { type Change, editing, opening } from '../forge.ts';
import { ownKey, refitted } from '../own-log.ts';
import { approved, type Cited, file, host, tests } from '../scene.ts';
import { seededKey } from '../signer-place.ts';
import { once, refund, tell, tellApproved, times } from '../telling.ts';

const RESULT = 1;
const HASH = ['its hash made again', 'its hash left as it was'] as const;
const edit = async (cited: Cited, change: Change, n: number): Promise<PcmEvidence> =>
  editing(await cited.scene.evidence(cited), RESULT, change, n % 2 === 0);

const passed: Change = { data: { ok: true, exit_code: 0 } };
const answered: Change = { data: { ok: true, status: 200 } };
const written: Change = { data: { ok: true } };

const failing = async (desk: Desk, n: number) => {
  const scene = await desk.begin();
  const suite = desk.projects.suite(n % 6 === 5 ? 'vitest' : 'pytest', desk.name(), false);
  return { scene, command: suite.command, cited: await scene.ran(suite) };
};
const unreached = async (desk: Desk) => {
  const scene = await desk.begin();
  const named = desk.host();
  return { scene, named, cited: await scene.refused(named) };
};
const unwritten = async (desk: Desk) => {
  const scene = await desk.begin();
  const path = scene.path(`missing/${desk.name()}.md`);
  return { scene, path, cited: await scene.wrote(path, 'released\n') };
};

/** What a no becomes: a rejection turned, an agent approver made a person, one person made another. */
const NOES = [
  [{ by: 'alice', says: 'reject' }, { data: { decision: 'approve' } }, 'a rejection made an approval'],
  [{ by: 'robot' }, { data: { person: 'alice', approver_kind: 'person' } }, 'an agent approver made a person'],
  [
    { by: 'carol' },
    { data: { person: 'alice', approver: 'token:alice' } },
    'an approver who stands for nobody made alice',
  ],
] as const;

const events = async (desk: Desk): Promise<void> => {
  const failed = once(2, (group) => failing(desk, group));
  await times(12, async (n) => {
    const { scene, command, cited } = await failed(n);
    const how = `the result of a failed suite made a pass, ${HASH[n % 2]}`;
    await tell(desk, 'L2', { part: 'event', how, scene, claims: [tests(command, await edit(cited, passed, n))] });
  });
  await times(10, async (n) => {
    const { scene, named, cited } = await unreached(desk);
    const how = `the result of a refused connection made an answer, ${HASH[n % 2]}`;
    await tell(desk, 'L2', { part: 'event', how, scene, claims: [host(named, await edit(cited, answered, n))] });
  });
  await times(8, async (n) => {
    const { scene, path, cited } = await unwritten(desk);
    const how = `the result of a write that failed made one that did not, ${HASH[n % 2]}`;
    await tell(desk, 'L2', {
      part: 'event',
      how,
      scene,
      claims: [file(path, 'released\n', await edit(cited, written, n))],
    });
  });
  await times(6, async (n) => {
    const scene = await desk.begin();
    const args = refund(desk);
    const named = `refund-${args.order}`;
    const [answer, change, how] = NOES[n % 3]!;
    const cited = await scene.asked('refund', args, answer, named);
    const evidence = editing(await scene.evidence(cited), 2, change, n < 3);
    const claims = [approved('alice', named, true, evidence)];
    await tellApproved(desk, 'L2', { part: 'event', how: `${how}, ${HASH[n < 3 ? 0 : 1]}`, scene, claims, args });
  });
};

const openings = async (desk: Desk): Promise<void> => {
  const how = 'the args of a true call opened as others';
  const passed = once(6, async () => {
    const scene = await desk.begin();
    return scene.ran(desk.projects.suite('pytest', desk.name(), true));
  });
  await times(12, async (n) => {
    const scene = await desk.begin();
    // A salt of the sender's own opens nothing either.
    const salt = n % 2 === 0 ? undefined : `${desk.random.hex()}`.repeat(4);
    if (n % 3 === 0) {
      const cited = await passed(n);
      const { command } = desk.projects.suite('pytest', desk.name(), false);
      const evidence = opening(await cited.scene.evidence(cited), { command }, salt);
      return tell(desk, 'L2', { part: 'args', how, scene: cited.scene, claims: [tests(command, evidence)] });
    }
    if (n % 3 === 1) {
      const cited = await scene.fetched(desk.host('127.0.20.9'));
      const evidence = opening(await scene.evidence(cited), { url: scene.urlOf('127.0.20.9') }, salt);
      return tell(desk, 'L2', { part: 'args', how, scene, claims: [host('127.0.20.9', evidence)] });
    }
    const file_path = scene.path(`out/${desk.name()}.md`);
    const cited = await scene.wrote(file_path, 'draft\n');
    const evidence = opening(await scene.evidence(cited), { file_path, content: 'final\n' }, salt);
    return tell(desk, 'L2', { part: 'args', how, scene, claims: [file(file_path, 'final\n', evidence)] });
  });
};

/** What becomes of the proof of an edited record, so that it fits. */
const FITS: readonly (readonly [string, (desk: Desk, evidence: PcmEvidence) => PcmEvidence])[] = [
  [
    'the root of its checkpoint made again, under the signature of the true one',
    (_, evidence) => refitted(evidence, RESULT, null),
  ],
  [
    "the checkpoint made again, signed by the sender with a key of its own in the log's name",
    (desk, evidence) => refitted(evidence, RESULT, ownKey(desk.main.origin, seededKey(desk.seed, 'liar'))),
  ],
  [
    'its proof cut to nothing',
    (_, { checkpoint, records }) => ({
      checkpoint,
      records: records.map((record, i) => (i === RESULT ? { ...record, proof: [] } : record)),
    }),
  ],
];

const proofs = async (desk: Desk): Promise<void> => {
  await times(12, async (n) => {
    const [fit, refit] = FITS[n % 3]!;
    const part = 'proof';
    if (n < 4) {
      const { scene, command, cited } = await failing(desk, n);
      const claims = [tests(command, refit(desk, await edit(cited, passed, 0)))];
      return tell(desk, 'L2', { part, how: `a failed suite made a pass, ${fit}`, scene, claims });
    }
    if (n < 8) {
      const { scene, named, cited } = await unreached(desk);
      const claims = [host(named, refit(desk, await edit(cited, answered, 0)))];
      return tell(desk, 'L2', { part, how: `a refused connection made an answer, ${fit}`, scene, claims });
    }
    const { scene, path, cited } = await unwritten(desk);
    const claims = [file(path, 'released\n', refit(desk, await edit(cited, written, 0)))];
    return tell(desk, 'L2', { part, how: `a write that failed made one that did not, ${fit}`, scene, claims });
  });
};

/** L2: true records, changed in what they say. */
export const edited = async (desk: Desk): Promise<void> => {
  await events(desk);
  await openings(desk);
  await proofs(desk);
};
