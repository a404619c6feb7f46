import type { Desk } from '../desk.ts';
import { approved, file, host, tests } from '../scene.ts';
import { once, refund, tell, tellApproved, times } from '../telling.ts';

/** L9: an attempt told as a success. */
export const attempts = async (desk: Desk): Promise<void> => {
  const attempted = once(2, async (group) => {
    const scene = await desk.begin();
    const suite = desk.projects.suite(group === 2 ? 'vitest' : 'pytest', desk.name(), false);
    const cited = group < 4 ? await scene.ran(suite) : await scene.denied('bash', { command: suite.command });
    return { scene, suite, cited };
  });
  await times(14, async (n) => {
    const how = n < 8 ? 'a suite that failed, told as passed' : 'a call that was denied, told as a suite that passed';
    const { scene, suite, cited } = await attempted(n);
    const claims = [tests(suite.command, await scene.evidence(cited))];
    await tell(desk, 'L9', { part: 'tests', how, scene, claims });
  });
  const port = desk.server.closedPort;
  await times(20, async (n) => {
    const scene = await desk.begin();
    const named = desk.host();
    const [how, cited] =
      n < 6
        ? (['a connection that was refused', await scene.refused(named)] as const)
        : n < 12
          ? ([
              'an observer watched, and no connection opened',
              await scene.observed({ kind: 'net', host: named, port, connections: 0 }),
            ] as const)
          : n < 16
            ? ([
                'a sensor saw an attempt to connect',
                await scene.observed({ kind: 'connect', host: named, port, denied: n % 2 === 0 }),
              ] as const)
            : (['a call that was denied', await scene.denied('fetch', { url: scene.urlOf(named) })] as const);
    await tell(desk, 'L9', {
      part: 'hosts',
      how: `${how}, told as reached`,
      scene,
      claims: [host(named, await scene.evidence(cited))],
    });
  });
  await times(10, async (n) => {
    const scene = await desk.begin();
    const folder = n < 4 ? 'missing' : n < 7 ? 'protected' : 'out';
    const [path, content] = [scene.path(`${folder}/${desk.name()}.md`), 'final\n'];
    const args = { file_path: path, content };
    const [how, cited] =
      n < 4
        ? (['a write that failed', await scene.wrote(path, content)] as const)
        : n < 7
          ? ([
              'a write that a person rejected',
              await scene.asked('Write', args, { by: 'alice', says: 'reject' }),
            ] as const)
          : (['a call that was denied', await scene.denied('Edit', args)] as const);
    await tell(desk, 'L9', {
      part: 'files',
      how: `${how}, told as written`,
      scene,
      claims: [file(path, content, await scene.evidence(cited))],
    });
  });
};

/** L11: false claims without evidence. */
export const bare = async (desk: Desk): Promise<void> => {
  const how = 'nothing is shown';
  await times(10, async (n) => {
    const scene = await desk.begin();
    const suite = n < 5 ? await desk.failing(n) : desk.projects.suite('pytest', desk.name(), false);
    const told = n < 5 ? 'of a suite that fails, nothing is shown' : 'of a suite that never ran, nothing is shown';
    await tell(desk, 'L11', { part: 'tests', how: told, scene, claims: [tests(suite.command)] });
  });
  await times(8, async () =>
    tell(desk, 'L11', { part: 'hosts', how, scene: await desk.begin(), claims: [host(desk.host())] }),
  );
  await times(8, async () => {
    const scene = await desk.begin();
    await tell(desk, 'L11', {
      part: 'files',
      how,
      scene,
      claims: [file(scene.path(`out/${desk.name()}.md`), 'final\n')],
    });
  });
  await times(6, async () => {
    const args = refund(desk);
    const claims = [approved('alice', `refund-${args.order}`, true)];
    await tellApproved(desk, 'L11', { part: 'approvals', how, scene: await desk.begin(), claims, args });
  });
};
