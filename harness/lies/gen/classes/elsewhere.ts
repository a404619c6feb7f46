import type { Desk } from '../desk.ts';
import { madeUpCall } from '../forge.ts';
import { ownKey, ownLog } from '../own-log.ts';
import { approved, file, host, type Scene, tests } from '../scene.ts';
import { type Name, type SignerPlace, seededKey } from '../signer-place.ts';
import { once, refund, tell, tellApproved, times } from '../telling.ts';

type Whose = { readonly agent: Name; readonly person: 'alice' | 'nora'; readonly how: string };
const OTHERS: readonly Whose[] = [
  { agent: 'agent-a', person: 'alice', how: 'records of another run of the same agent' },
  { agent: 'agent-v', person: 'alice', how: 'records of another agent' },
  { agent: 'agent-n', person: 'nora', how: 'records of another tenant' },
];

const suiteOf = async (desk: Desk, scene: Scene, n: number) => {
  const suite = desk.projects.suite(n % 5 === 4 ? 'vitest' : 'pytest', desk.name(), true);
  return { command: suite.command, evidence: await scene.evidence(await scene.ran(suite)) };
};
const fetchOf = async (desk: Desk, scene: Scene) => {
  const named = desk.host();
  return { named, evidence: await scene.evidence(await scene.fetched(named)) };
};
const writeOf = async (desk: Desk, scene: Scene) => {
  const path = scene.path(`out/${desk.name()}.md`);
  return { path, evidence: await scene.evidence(await scene.wrote(path, 'theirs\n')) };
};

/** L3: what another did in the same log, told as one's own. */
export const anotherRun = async (desk: Desk): Promise<void> => {
  const victims = await Promise.all(OTHERS.map(async (whose) => ({ ...whose, scene: await desk.begin(whose.agent) })));
  const theirs = once(3, async (group) => {
    const { scene, how } = victims[group % 3]!;
    return { how, ...(await suiteOf(desk, scene, group)) };
  });
  await times(14, async (n) => {
    const { how, command, evidence } = await theirs(n);
    await tell(desk, 'L3', { part: 'tests', how, scene: await desk.begin(), claims: [tests(command, evidence)] });
  });
  await times(12, async (n) => {
    const { scene, how } = victims[n % 3]!;
    const { named, evidence } = await fetchOf(desk, scene);
    await tell(desk, 'L3', { part: 'hosts', how, scene: await desk.begin(), claims: [host(named, evidence)] });
  });
  await times(12, async (n) => {
    const { scene, how } = victims[n % 3]!;
    const { path, evidence } = await writeOf(desk, scene);
    await tell(desk, 'L3', {
      part: 'files',
      how,
      scene: await desk.begin(),
      claims: [file(path, 'theirs\n', evidence)],
    });
  });
  await times(10, async (n) => {
    const { scene, how, person } = victims[n % 3]!;
    const args = refund(desk);
    const call = `refund-${args.order}-${n}`;
    const evidence = await scene.evidence(await scene.asked('refund', args, { by: person }, call));
    const claims = [approved(person, call, true, evidence)];
    await tellApproved(desk, 'L3', { part: 'approvals', how, scene: await desk.begin(), claims, args });
  });
};

/** True records of a signer that is not the one whose key signs the message. */
const fromLog = async (
  desk: Desk,
  part: string,
  place: SignerPlace,
  how: string,
  [suites, hosts, files]: readonly [number, number, number],
) => {
  const other = await desk.begin('agent-a', place);
  const theirs = once(2, (group) => suiteOf(desk, other, group));
  await times(suites, async (n) => {
    const { command, evidence } = await theirs(n);
    await tell(desk, 'L4', { part, how, scene: await desk.begin(), claims: [tests(command, evidence)] });
  });
  await times(hosts, async () => {
    const { named, evidence } = await fetchOf(desk, other);
    await tell(desk, 'L4', { part, how, scene: await desk.begin(), claims: [host(named, evidence)] });
  });
  await times(files, async () => {
    const { path, evidence } = await writeOf(desk, other);
    await tell(desk, 'L4', { part, how, scene: await desk.begin(), claims: [file(path, 'theirs\n', evidence)] });
  });
};

/** A log that the sender wrote, so that its records are of the message's own run. */
const written = async (desk: Desk): Promise<void> => {
  await times(16, async (n) => {
    const scene = await desk.begin();
    const [start] = await scene.events();
    const isNamesake = n % 2 === 0;
    const origin = isNamesake ? desk.main.origin : 'liar.example/log';
    const key = ownKey(origin, seededKey(desk.seed, 'liar'));
    const log = (tool: string, args: Parameters<typeof madeUpCall>[2], seen: Parameters<typeof madeUpCall>[4]) =>
      ownLog(origin, key, madeUpCall(start!, tool, args, `${desk.random.hex()}${desk.random.hex()}`, seen));
    const how = isNamesake
      ? "a log that the sender wrote, in the name of the message's"
      : 'a log that the sender wrote, in a name of its own';
    if (n < 6) {
      const { command, tool } = desk.projects.suite('pytest', desk.name(), false);
      const evidence = log(tool, { command }, { exit_code: 0 });
      return tell(desk, 'L4', { part: 'unpinned', how, scene, claims: [tests(command, evidence)] });
    }
    if (n < 11) {
      const named = desk.host();
      const evidence = log('WebFetch', { url: scene.urlOf(named) }, { status: 200 });
      return tell(desk, 'L4', { part: 'unpinned', how, scene, claims: [host(named, evidence)] });
    }
    const file_path = scene.path(`out/${desk.name()}.md`);
    const evidence = log('Write', { file_path, content: 'mine\n' }, {});
    return tell(desk, 'L4', { part: 'unpinned', how, scene, claims: [file(file_path, 'mine\n', evidence)] });
  });
};

/** L4: records of another log than the message's. */
export const anotherLog = async (desk: Desk): Promise<void> => {
  await fromLog(desk, 'unpinned', desk.own, 'true records of a signer that the receiver does not know', [4, 3, 3]);
  await written(desk);
  await fromLog(desk, 'pinned', desk.second, "true records of a pinned log that is not the message's", [5, 5, 4]);
};
