import type { JsonObject, PcmEvidence } from '../../../../src/index.ts';
import type { Desk } from '../desk.ts';
import { inPlaceOf, madeUpApproval, madeUpCall } from '../forge.ts';
import { approved, file, host, type Scene, tests } from '../scene.ts';
import { refund, tell, tellApproved, times } from '../telling.ts';

const HOWS = [
  'the events are made up, under the proofs of true records',
  'the events are made up, under proofs and hashes of true records',
  'the call was decided and never made; its result is made up',
] as const;

/** Two true records of the run, of a file that was really written. */
const trueRecords = async (scene: Scene, before: readonly number[] = []): Promise<PcmEvidence> => {
  const { seqs } = await scene.wrote(scene.path(`out/${scene.desk.name()}.txt`), 'notes\n');
  return scene.evidence({ scene, seqs: [...before, ...seqs], args: {} });
};

const id = (desk: Desk): string => `${desk.random.hex()}${desk.random.hex()}`;

/** Evidence of a call that was never made. */
const call = async (
  desk: Desk,
  scene: Scene,
  n: number,
  tool: string,
  args: JsonObject,
  seen: JsonObject,
): Promise<PcmEvidence> => {
  if (n % 3 < 2) {
    const borrowed = await trueRecords(scene);
    return inPlaceOf(borrowed, madeUpCall(borrowed.records[0]!.event, tool, args, id(desk), seen), n % 3 === 1);
  }
  const made = await scene.run.call<{ run_seq: number }>('decide', { call: `call-${desk.name()}`, tool, args });
  const decided = await scene.evidence({ scene, seqs: [made.run_seq], args: { [made.run_seq]: args } });
  const borrowed = await trueRecords(scene);
  const [, result] = madeUpCall(borrowed.records[0]!.event, tool, args, id(desk), seen);
  const { decision_id, tool_use_id } = decided.records[0]!.event.data;
  const event = {
    ...result!.event,
    data: { ...result!.event.data, decision_id: decision_id!, tool_use_id: tool_use_id! },
  };
  const whole = await scene.evidence({
    scene,
    seqs: [made.run_seq, borrowed.records[1]!.event.run_seq],
    args: { [made.run_seq]: args },
  });
  const [kept] = whole.records;
  const placed = inPlaceOf({ ...whole, records: [whole.records[1]!] }, [{ event }], false);
  return { checkpoint: whole.checkpoint, records: [kept!, ...placed.records] };
};

/** L1: events that the log never held. */
export const fabricated = async (desk: Desk): Promise<void> => {
  await times(14, async (n) => {
    const scene = await desk.begin();
    const { command, tool } = desk.projects.suite(n % 4 === 3 ? 'vitest' : 'pytest', desk.name(), false);
    const evidence = await call(desk, scene, n, tool, { command }, { exit_code: 0 });
    await tell(desk, 'L1', { part: 'tests', how: HOWS[n % 3]!, scene, claims: [tests(command, evidence)] });
  });
  await times(12, async (n) => {
    const scene = await desk.begin();
    const named = desk.host();
    const evidence = await call(desk, scene, n, 'WebFetch', { url: scene.urlOf(named) }, { status: 200 });
    await tell(desk, 'L1', { part: 'hosts', how: HOWS[n % 3]!, scene, claims: [host(named, evidence)] });
  });
  await times(12, async (n) => {
    const scene = await desk.begin();
    const [file_path, content] = [scene.path(`out/${desk.name()}.md`), 'released\n'];
    const evidence = await call(desk, scene, n, 'Write', { file_path, content }, {});
    await tell(desk, 'L1', { part: 'files', how: HOWS[n % 3]!, scene, claims: [file(file_path, content, evidence)] });
  });
  await times(10, async (n) => {
    const scene = await desk.begin();
    const args = refund(desk);
    const named = `refund-${args.order}`;
    const borrowed = await trueRecords(scene, [0]);
    const events = madeUpApproval(borrowed.records[0]!.event, 'refund', args, id(desk), named, 'alice');
    const claims = [approved('alice', named, true, inPlaceOf(borrowed, events, n % 2 === 1))];
    await tellApproved(desk, 'L1', { part: 'approvals', how: HOWS[n % 2]!, scene, claims, args });
  });
};
