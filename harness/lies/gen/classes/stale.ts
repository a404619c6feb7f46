import type { PcmClaim, PcmEvidence } from '../../../../src/index.ts';
import type { Held } from '../../dataset.ts';
import type { Desk } from '../desk.ts';
import { reported } from '../made.ts';
import { type Cited, file, type Scene, tests } from '../scene.ts';
import { times } from '../telling.ts';

type Claim = (evidence: PcmEvidence) => PcmClaim;
type Later = { readonly how: string; readonly cited: Cited; readonly held: Held; readonly scene: Scene };

const RERUNS = [
  ['rerun in the same run', 'ran'],
  ['rerun in the same run', 'ran'],
  ['rerun in another run', 'another'],
  ["rerun by the agent's own process", 'itself'],
  ["rerun by the agent's own process", 'itself'],
] as const;

/** A suite passed; then what it tests was changed, and it fails. */
const suites = (desk: Desk): Promise<void> =>
  times(10, async (n) => {
    const scene = await desk.begin();
    const name = desk.name();
    const runner = n % 5 === 1 ? 'vitest' : 'pytest';
    const suite = desk.projects.suite(runner, name, true);
    const passed = await scene.ran(suite);
    desk.projects.suite(runner, name, false);
    const [where, by] = n < 5 ? (['rerun in the same run', 'ran'] as const) : RERUNS[n - 5]!;
    let cited = passed;
    if (by === 'ran') {
      const failed = await scene.ran(suite);
      if (n < 5) cited = failed;
    } else if (by === 'another') await (await desk.begin()).ran(suite);
    else await scene.ranItself(suite);
    const how = `a suite passed, was changed, and fails (${where}); the ${n < 5 ? 'later' : 'earlier'} record is cited`;
    const held = await scene.held(suite);
    await told(desk, 'T', { how, cited, held, scene }, (evidence) => tests(suite.command, evidence));
  });

/** Who writes other bytes over a file, and how that is told. */
const REWRITES = [
  ['by another agent', 'another'],
  ['by another agent', 'another'],
  ['by another agent', 'another'],
  ['by another agent', 'another'],
  ['by another agent', 'another'],
  ['in the same run', 'same'],
  ['in the same run', 'same'],
  ['by another agent', 'another'],
  ["by the agent's own process", 'itself'],
  ["by the agent's own process", 'itself'],
] as const;

/** A file was written; then other bytes were. */
const files = (desk: Desk): Promise<void> =>
  times(REWRITES.length, async (n) => {
    const scene = await desk.begin();
    const path = scene.path(`out/${desk.name()}.md`);
    const cited = await scene.wrote(path, 'first\n');
    const [where, by] = REWRITES[n]!;
    if (by === 'itself') scene.wroteItself(path, 'second\n');
    else await (by === 'same' ? scene : await desk.begin('agent-v')).wrote(path, 'second\n');
    const how = `a file was written, and again ${where}; the first record is cited for ${n < 5 ? 'what stands now' : 'its bytes'}`;
    const held = await scene.held(null, path);
    await told(desk, 'F', { how, cited, held, scene }, (evidence) =>
      file(path, n < 5 ? 'second\n' : 'first\n', evidence),
    );
  });

const told = async (desk: Desk, part: 'T' | 'F', { how, cited, held, scene }: Later, claim: Claim): Promise<void> => {
  const { sent, fresh } = await reported(scene, cited, (evidence) => [claim(evidence)], held);
  desk.add('L10', {
    part,
    how,
    lie: true,
    scene,
    bytes: sent.bytes,
    ts: sent.ts,
    held,
    ...(fresh === undefined ? {} : { fresh }),
  });
};

/** L10: evidence that is stale. */
export const stale = async (desk: Desk): Promise<void> => {
  await suites(desk);
  await files(desk);
};
