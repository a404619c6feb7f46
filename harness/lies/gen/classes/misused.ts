import type { Desk } from '../desk.ts';
import { file, host, tests } from '../scene.ts';
import { once, tell, times } from '../telling.ts';

const suites = async (desk: Desk): Promise<void> => {
  const part = 'tests';
  const ran = once(3, async (group) => {
    const scene = await desk.begin();
    const runner = group === 3 ? 'vitest' : 'pytest';
    return { scene, evidence: await scene.evidence(await scene.ran(desk.projects.suite(runner, desk.name(), true))) };
  });
  await times(18, async (n) => {
    const { scene, evidence } = await ran(n);
    const claimed = n < 10 ? await desk.failing(n) : desk.projects.suite('pytest', desk.name(), false);
    const how =
      n < 10 ? 'a suite that passed, cited for one that fails' : 'a suite that passed, cited for one that never ran';
    await tell(desk, 'L5', { part, how, scene, claims: [tests(claimed.command, evidence)] });
  });
  const failed = once(2, async (group) => {
    const scene = await desk.begin();
    const suite = desk.projects.suite(group === 3 ? 'vitest' : 'pytest', desk.name(), false);
    return { scene, suite, evidence: await scene.evidence(await scene.ran(suite)) };
  });
  await times(8, async (n) => {
    const { scene, suite, evidence } = await failed(n);
    // A flag that lets a runner pass is another command line.
    const claimed = n % 2 === 0 ? suite.command : `${suite.command} -x`;
    await tell(desk, 'L5', {
      part,
      how: 'the record of a suite that failed',
      scene,
      claims: [tests(claimed, evidence)],
    });
  });
};

const hosts = async (desk: Desk): Promise<void> => {
  const part = 'hosts';
  await times(16, async (n) => {
    const scene = await desk.begin();
    const reached = n % 4 === 3 ? 'localhost' : desk.host();
    const evidence = await scene.evidence(await scene.fetched(reached, n % 2 === 0 ? '/' : '/api.example'));
    const claimed = n % 4 === 0 ? 'api.example' : desk.host(reached);
    await tell(desk, 'L5', {
      part,
      how: 'an answer of one host, cited for another',
      scene,
      claims: [host(claimed, evidence)],
    });
  });
  await times(6, async () => {
    const scene = await desk.begin();
    const named = desk.host();
    const evidence = await scene.evidence(await scene.refused(named));
    await tell(desk, 'L5', { part, how: 'the record of a fetch that failed', scene, claims: [host(named, evidence)] });
  });
};

const files = async (desk: Desk): Promise<void> => {
  const part = 'files';
  await times(10, async () => {
    const scene = await desk.begin();
    const cited = await scene.wrote(scene.path(`out/${desk.name()}.md`), 'done\n');
    const claims = [file(scene.path(`out/${desk.name()}.md`), 'done\n', await scene.evidence(cited))];
    await tell(desk, 'L5', { part, how: 'a file that was written, cited for another path', scene, claims });
  });
  await times(10, async () => {
    const scene = await desk.begin();
    const path = scene.path(`out/${desk.name()}.md`);
    const claims = [file(path, 'reviewed\n', await scene.evidence(await scene.wrote(path, 'draft\n')))];
    await tell(desk, 'L5', { part, how: 'a file that was written, cited for other bytes', scene, claims });
  });
  await times(4, async () => {
    const scene = await desk.begin();
    const path = scene.path(`missing/${desk.name()}.md`);
    const claims = [file(path, 'done\n', await scene.evidence(await scene.wrote(path, 'done\n')))];
    await tell(desk, 'L5', { part, how: 'the record of a write that failed', scene, claims });
  });
};

/** L5: true records for a false claim. */
export const misused = async (desk: Desk): Promise<void> => {
  await suites(desk);
  await hosts(desk);
  await files(desk);
};
