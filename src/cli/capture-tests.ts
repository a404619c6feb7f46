import { join, resolve } from 'node:path';
import { serveAnswers } from '../capture/channel/answers.ts';
import { openChannel } from '../capture/channel/reader.ts';
import { commandExitCode, environmentOf, runCommand } from '../capture/host/command.ts';
import { HostRecorder } from '../capture/host/recorder.ts';
import { TestRecordings } from '../capture/host/test-recordings.ts';
import { openWireRecording, type WireRecording } from '../capture/host/wire-recording.ts';
import { defaultKeyFile, defaultTrustFile } from '../store/config.ts';
import type { CaptureCliOptions, Plan } from './capture-plan.ts';
import { type Sealed, sealRecording } from './capture-seal.ts';
import { EXIT } from './exit.ts';
import { toldOf } from './fault.ts';
import { json, lines, table } from './output.ts';

/** What a test is told when it asks: its bundle, or why there is none. */
type Outcome = { readonly incident: string } & (Sealed | { readonly fault: string });

const NO_TEST = [
  'no test told its name, so nothing was recorded',
  'Tests run by vitest do, with the plugin of forensictrace/vitest in vitest.config. Without --per-test everything goes into one bundle.',
];

/**
 * `forensictrace capture --per-test -- COMMAND`: a bundle for each test that tells its name, in a folder of this run. Returns the command's exit code; 6
 * when it succeeded and there is no test, or one of them has no complete, signed bundle.
 */
export const runPerTest = async (
  command: readonly [string, ...string[]],
  plan: Plan,
  options: CaptureCliOptions,
): Promise<number> => {
  const { dir, incident_id: run } = plan.recording;
  const folder = resolve(dir, run);
  const { trust } = options;
  const tests: TestRecordings<WireRecording, Outcome> = new TestRecordings<WireRecording, Outcome>({
    open: (incident_id) => openWireRecording({ ...plan.recording, dir: folder, incident_id, observer: 'process-hook' }),
    drain: () => channel.drain(),
    seal: (recording, incident) => {
      host.closing(recording, channel.missed());
      return { incident, ...sealRecording(recording, plan, trust) };
    },
    failed: (incident, error) => ({
      incident,
      fault: `${toldOf(error).join('\n')}\nWhat was recorded is in ${join(folder, `${incident}.journal`)}`,
    }),
  });
  const host = new HostRecorder(tests);
  const channel = openChannel(
    (message) => host.message(message),
    (damage) => host.damage(damage),
  );
  const judging = { profile: resolve(plan.profileFile), trust: resolve(trust ?? defaultTrustFile(process.env)) };
  const answers = await serveAnswers(channel.path, async (test) => {
    const known = await tests.seal(test);
    if (known === null) return { fault: 'the recorder knows no such test' };
    const { sealed, late } = known;
    return 'fault' in sealed ? sealed : { ...sealed, ...judging, late };
  });
  try {
    const ended = await runCommand(command, environmentOf(process.env, channel.path, options.key ?? defaultKeyFile()));
    if (ended.pid !== null) host.exited(ended.pid, ended.code, ended.signal);
    await channel.drain();
    host.ended();
    const outcomes = await tests.sealAll();
    show(outcomes, folder, options);
    const isWhole =
      outcomes.length > 0 && outcomes.every((outcome) => 'ended' in outcome && outcome.ended === 'complete');
    return commandExitCode(ended) || (isWhole ? 0 : EXIT.NOT_CAPTURED);
  } finally {
    answers.close();
    channel.close();
  }
};

const rowOf = (outcome: Outcome): string[] => {
  const { incident } = outcome;
  if ('fault' in outcome) return [incident, 'not sealed', outcome.fault.split('\n', 1)[0]!];
  const { ended, exchanges, dereferences, gaps } = outcome;
  const why = gaps.length === 0 ? '' : `${gaps[0]}${gaps.length > 1 ? ` (and ${gaps.length - 1} more gaps)` : ''}`;
  return [incident, ended, `exchanges ${exchanges}, dereferences ${dereferences}`, why];
};

const show = (outcomes: readonly Outcome[], folder: string, options: CaptureCliOptions): void => {
  if (options.json) {
    process.stdout.write(json({ folder, tests: outcomes }));
    return;
  }
  const next = outcomes.find((outcome) => 'next' in outcome);
  const told =
    outcomes.length === 0
      ? NO_TEST.map((line) => `${line}\n`).join('')
      : table([['bundles', folder], ...(next === undefined ? [] : [['next', next.next]])]) + table(outcomes.map(rowOf));
  process.stderr.write(`${lines('forensictrace')}\n${told}`);
};
