import type { PcmEvidence } from '../../../src/index.ts';
import { pcmTime } from '../../../src/index.ts';
import type { Terms } from '../acts.ts';
import type { Held } from '../dataset.ts';
import type { Desk } from './desk.ts';
import type { Runner } from './project.ts';
import { approved, type Cited, file, host, type Scene, type Sent, tests } from './scene.ts';
import { refOf, type SchemaName } from './schemas.ts';
import { refund } from './telling.ts';

/** A true message, and what its receiver acts on. */
export type Made = { readonly scene: Scene; readonly sent: Sent; readonly fresh?: string; readonly held?: Held };
type Claims = (evidence: PcmEvidence) => ReturnType<typeof tests>[];

/** A report on work whose claims rest on records; where the receiver acts on what may have changed since, with fresh evidence too. */
export const reported = async (
  scene: Scene,
  cited: Cited,
  claims: Claims,
  held?: Held,
  schema: 'report' | 'merge' = 'report',
  to?: string,
): Promise<Made> => {
  const args = { task: `t-${1 + scene.desk.random.below(900)}` };
  const sent = await scene.send(schema, args, { claims: claims(await scene.evidence(cited)) }, to);
  if (held === undefined) return { scene, sent };
  const fresh = await scene.send(schema, args, { claims: claims(await scene.freshEvidence(cited)) }, to);
  return { scene, sent, held, fresh: fresh.bytes.text };
};

/** A suite that passed, through the executor; with the file that holds it claimed besides, when told so. */
export const passedTests = async (desk: Desk, runner: Runner, to?: string): Promise<Made> => {
  const scene = await desk.begin();
  const suite = desk.projects.suite(runner, desk.name(), true);
  const cited = await scene.ran(suite);
  return reported(scene, cited, (evidence) => [tests(suite.command, evidence)], await scene.held(suite), 'merge', to);
};

export const reachedHost = async (desk: Desk, named: string, path = '/', to?: string): Promise<Made> => {
  const scene = await desk.begin();
  const cited = await scene.fetched(named, path);
  return reported(scene, cited, (evidence) => [host(named, evidence)], undefined, 'report', to);
};

export const wroteFile = async (desk: Desk, to?: string): Promise<Made> => {
  const scene = await desk.begin();
  const [path, content] = [scene.path(`out/${desk.name()}.md`), `written ${desk.random.hex()}\n`];
  const cited = await scene.wrote(path, content);
  return reported(
    scene,
    cited,
    (evidence) => [file(path, content, evidence)],
    await scene.held(null, path),
    'report',
    to,
  );
};

/** A refund that alice or bob approved as it stands. */
export const approvedRefund = async (
  desk: Desk,
  { covers = true, open = true, to }: { covers?: boolean; open?: boolean; to?: string } = {},
): Promise<Made> => {
  const scene = await desk.begin();
  const args = refund(desk);
  const person = desk.pick(['alice', 'bob'] as const);
  const call = `refund-${args.order}`;
  const cited = await scene.asked('refund', args, { by: person }, call);
  const claims = [approved(person, call, covers, await scene.evidence(cited, open))];
  return { scene, sent: await scene.send('refund', args, { claims }, to) };
};

const inAnHour = (): string => pcmTime(Date.now() + 3_600_000);

/** Terms of a grant of refunds for one order, up to a bound. */
export const terms = (
  subject: string,
  order: number,
  bound: number,
  more: Partial<Terms> & { schema?: SchemaName } = {},
): Terms => {
  const { schema = 'granted', ...others } = more;
  return {
    subject,
    intent: refOf(schema),
    expires_at: inAnHour(),
    delegable: false,
    caveats: [
      { field: 'amount', op: '<=', value: bound },
      { field: 'order', op: '==', value: order },
    ],
    ...others,
  };
};

/** A refund within a person's grant. */
export const grantedRefund = async (desk: Desk, to?: string): Promise<Made> => {
  const scene = await desk.begin();
  const args = refund(desk);
  const { grant } = await scene.granted(terms(scene.agent, args.order, 20_000), desk.pick(['alice', 'bob'] as const));
  return { scene, sent: await scene.send('granted', args, { grants: [grant] }, to) };
};

/** A refund by an agent to which another passed its grant on, narrower. */
export const delegatedRefund = async (desk: Desk): Promise<Made> => {
  const first = await desk.begin();
  const args = refund(desk);
  const { grant: root } = await first.granted(terms(first.agent, args.order, 50_000, { delegable: true }));
  const scene = await desk.begin('agent-s');
  const child = await first.delegated(
    root,
    terms(scene.agent, args.order, 20_000, { expires_at: root.expires_at as string }),
  );
  return { scene, sent: await scene.send('granted', args, { grants: [root, child] }) };
};

/** A payout under a grant whose approval is shown. */
export const shownPayout = async (desk: Desk): Promise<Made> => {
  const scene = await desk.begin();
  const args = refund(desk);
  const { grant, cited, call } = await scene.granted(terms(scene.agent, args.order, 20_000, { schema: 'payout' }));
  const claims = [approved('alice', call, true, await scene.evidence(cited))];
  return { scene, sent: await scene.send('payout', args, { claims, grants: [grant] }) };
};
