import type { ClassName } from '../../dataset.ts';
import type { Desk } from '../desk.ts';
import {
  approvedRefund,
  delegatedRefund,
  grantedRefund,
  type Made,
  passedTests,
  reachedHost,
  reported,
  shownPayout,
  wroteFile,
} from '../made.ts';
import { file, host, tests } from '../scene.ts';
import { once, times } from '../telling.ts';

/** Adds a true message as it was sent. */
const addTrue = (desk: Desk, name: ClassName, part: string, how: string, { scene, sent, fresh, held }: Made): void => {
  desk.add(name, {
    part,
    how,
    lie: false,
    scene,
    bytes: sent.bytes,
    ts: sent.ts,
    ...(fresh === undefined ? {} : { fresh }),
    ...(held === undefined ? {} : { held }),
  });
};

/** Writes its change by the executor, has the tests run on it, and tells both. */
const testedChange = async (desk: Desk): Promise<Made> => {
  const scene = await desk.begin();
  const [path, content] = [scene.path(`out/${desk.name()}.md`), `changed ${desk.random.hex()}\n`];
  const written = await scene.wrote(path, content);
  const suite = desk.projects.suite('pytest', desk.name(), true);
  const passed = await scene.ran(suite);
  const whole = { scene, seqs: [...written.seqs, ...passed.seqs], args: { ...written.args, ...passed.args } };
  const held = await scene.held(suite, path);
  return reported(
    scene,
    whole,
    (evidence) => [tests(suite.command, evidence), file(path, content, evidence)],
    held,
    'merge',
  );
};

/** Fetches itself, and an observer of its network tells of the connection. */
const observedHost = async (desk: Desk): Promise<Made> => {
  const scene = await desk.begin();
  const named = desk.host();
  await scene.fetchedItself(scene.urlOf(named));
  const cited = await scene.observed({ kind: 'net', host: named, port: desk.server.port, connections: 1 });
  return reported(scene, cited, (evidence) => [host(named, evidence)]);
};

/** True messages whose claims an executor, an observer or a person stands behind. */
export const honest = async (desk: Desk): Promise<void> => {
  const add = (part: string, how: string, made: Made) => addTrue(desk, 'honest', part, how, made);
  await times(12, async (n) =>
    add('tests', 'a suite that passed', await passedTests(desk, n % 4 === 3 ? 'vitest' : 'pytest')),
  );
  await times(8, async () =>
    add('tests', 'a file that was written, and a suite that passed', await testedChange(desk)),
  );
  await times(14, async (n) => {
    if (n >= 11) return add('hosts', 'a connection that an observer saw', await observedHost(desk));
    const named = n === 0 ? 'localhost' : n === 1 ? '::1' : desk.host();
    return add('hosts', 'an answer of the host', await reachedHost(desk, named));
  });
  await times(2, async () =>
    add('hosts', 'an answer of the host, which was a 404', await reachedHost(desk, desk.host(), '/status/404')),
  );
  await times(14, async () => add('files', 'a file that was written', await wroteFile(desk)));
  await times(4, async () => add('covers', 'an approval of this very request', await approvedRefund(desk)));
  await times(4, async () =>
    add('covers', 'an approval that issued the grant of the request', await shownPayout(desk)),
  );
  await times(12, async (n) => {
    const open = n < 4;
    const how = `an approval that does not say that it covers the request, ${open ? 'opened' : 'not opened'}`;
    add('approvals', how, await approvedRefund(desk, { covers: false, open }));
  });
  await times(5, async () => add('grants', "a request within a person's grant", await grantedRefund(desk)));
  await times(8, async () => add('grants', 'a request within a grant that was passed on', await delegatedRefund(desk)));
};

/** True, and the result is the agent's word alone. */
export const agentWord = async (desk: Desk): Promise<void> => {
  const add = (part: string, how: string, made: Made) => addTrue(desk, 'T1', part, how, made);
  const itself = once(2, async (group) => {
    const scene = await desk.begin();
    const suite = desk.projects.suite(group % 6 === 5 ? 'vitest' : 'pytest', desk.name(), true);
    await scene.ranItself(suite);
    return { scene, suite };
  });
  await times(24, async (n) => {
    const { scene, suite } = await itself(n);
    const cited = await scene.told(suite.tool, { command: suite.command });
    const made = await reported(scene, cited, (evidence) => [tests(suite.command, evidence)]);
    add('tests', 'a suite that passed, run by the agent itself', made);
  });
  await times(24, async () => {
    const scene = await desk.begin();
    const named = desk.host();
    await scene.fetchedItself(scene.urlOf(named));
    const cited = await scene.told('WebFetch', { url: scene.urlOf(named) });
    add(
      'hosts',
      'an answer that the agent itself got',
      await reported(scene, cited, (evidence) => [host(named, evidence)]),
    );
  });
  await times(24, async () => {
    const scene = await desk.begin();
    const [file_path, content] = [scene.path(`out/${desk.name()}.md`), `mine ${desk.random.hex()}\n`];
    scene.wroteItself(file_path, content);
    const cited = await scene.told('Write', { file_path, content });
    const made = await reported(scene, cited, (evidence) => [file(file_path, content, evidence)]);
    add('files', 'a file that the agent itself wrote', made);
  });
};

const unproven = async (desk: Desk, n: number): Promise<Made> => {
  const scene = await desk.begin();
  const args = { task: `t-${1 + desk.random.below(900)}` };
  if (n % 3 === 0) {
    const suite = desk.projects.suite('pytest', desk.name(), true);
    await scene.ranItself(suite);
    return { scene, sent: await scene.send('report', args, { claims: [tests(suite.command)] }) };
  }
  if (n % 3 === 1) {
    const named = desk.host();
    await scene.fetchedItself(scene.urlOf(named));
    return { scene, sent: await scene.send('report', args, { claims: [host(named)] }) };
  }
  const path = scene.path(`out/${desk.name()}.md`);
  scene.wroteItself(path, 'said\n');
  return { scene, sent: await scene.send('report', args, { claims: [file(path, 'said\n')] }) };
};

/** Spellings of 127.0.0.1 that a client takes, and a verifier does not tell. */
const ODD = ['127.1', '127.0.1', '0x7f.0.0.1', '2130706433', '0177.0.0.1', '0x7f000001'] as const;

const untold = async (desk: Desk, n: number): Promise<Made> => {
  const scene = await desk.begin();
  if (n < ODD.length) {
    const spelled = ODD[n]!;
    await scene.fetchedItself(scene.urlOf(spelled));
    const cited = await scene.observed({ kind: 'net', host: spelled, port: desk.server.port, connections: 1 });
    return reported(scene, cited, (evidence) => [host('127.0.0.1', evidence)]);
  }
  const name = `out/${desk.name()}.md`;
  scene.wroteItself(scene.path(name), 'here\n');
  const cited = await scene.told('Write', { file_path: n % 2 === 0 ? name : `./${name}`, content: 'here\n' });
  return reported(scene, cited, (evidence) => [file(scene.path(name), 'here\n', evidence)]);
};

const late = (desk: Desk, n: number, { scene, sent }: Made): void => {
  const ts = Date.parse(sent.ts);
  const isLate = n % 2 === 0;
  const when = isLate
    ? { after: 301 + desk.random.below(3_000) }
    : { after: 5, started: new Date(ts + 2_000).toISOString().replace('Z', '000Z') };
  const how = isLate
    ? 'a true message that took more than five minutes'
    : 'a true message signed before the receiver was started again';
  desk.add('neutral', { part: 'late', how, lie: false, scene, bytes: sent.bytes, ts: sent.ts, ...when });
};

/** True, and of no use to a hypothesis. */
export const neutral = async (desk: Desk): Promise<void> => {
  await times(20, async () => {
    const scene = await desk.begin();
    const sent = await scene.send('report', { task: `t-${1 + desk.random.below(900)}`, note: 'begun' });
    addTrue(desk, 'neutral', 'silent', 'no claim at all', { scene, sent });
  });
  await times(15, async (n) =>
    addTrue(desk, 'neutral', 'bare', 'a true claim without evidence', await unproven(desk, n)),
  );
  await times(12, async (n) => {
    const how = n < ODD.length ? 'a host in an odd spelling' : 'a path that is relative';
    addTrue(desk, 'neutral', 'untold', how, await untold(desk, n));
  });
  await times(12, async (n) => late(desk, n, n % 3 === 0 ? await approvedRefund(desk) : await wroteFile(desk)));
};

export const someTrue = async (desk: Desk, n: number, to?: string): Promise<Made> => {
  const makers = [
    () => approvedRefund(desk, to === undefined ? {} : { to }),
    () => grantedRefund(desk, to),
    () => wroteFile(desk, to),
    () => reachedHost(desk, desk.host(), '/', to),
    () => passedTests(desk, 'pytest', to),
  ];
  return makers[n % makers.length]!();
};
