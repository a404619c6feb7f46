import { openChannel } from '../capture/channel/reader.ts';
import { commandExitCode, environmentOf, runCommand } from '../capture/host/command.ts';
import { HostRecorder } from '../capture/host/recorder.ts';
import { allIn } from '../capture/host/recordings.ts';
import { openWireRecording, type WireRecording } from '../capture/host/wire-recording.ts';
import { defaultKeyFile } from '../store/config.ts';
import { type CaptureCliOptions, type Plan, planOf } from './capture-plan.ts';
import { sealRecording } from './capture-seal.ts';
import { EXIT, UsageFault } from './exit.ts';
import { tell } from './fault.ts';
import { json, lines, table } from './output.ts';

/** Ends the recording, signs it and tells where it is; returns whether it is whole. */
const seal = (recording: WireRecording, plan: Plan, options: CaptureCliOptions): boolean => {
  const { gaps, next, ...made } = sealRecording(recording, plan, options.trust);
  if (options.json) process.stdout.write(json({ ...made, gaps, next }));
  else {
    const nothing = made.exchanges === 0 ? [['note', 'no A2A exchange was seen: there is nothing to judge']] : [];
    const rows = [...Object.entries(made).map(([name, value]) => [name, String(value)]), ...nothing];
    process.stderr.write(
      `${lines('forensictrace')}\n${table([...rows, ...gaps.slice(0, 20).map((what) => ['gap', what]), ['next', next]])}`,
    );
  }
  return made.ended === 'complete';
};

/**
 * `forensictrace capture -- COMMAND`: runs a command watched, and returns its exit code; 6 when the command succeeded and there is no complete, signed
 * bundle of it. With `--proxy` it is what passes the proxies that is recorded, until the command ends, or without one a signal comes.
 */
export const runCapture = async (command: readonly string[], options: CaptureCliOptions): Promise<number> => {
  const [program, ...args] = command;
  if (options.proxy !== undefined) {
    const plan = planOf(options);
    const { recording, code } = await (await import('./capture-proxy.ts')).captureByProxy(command, plan, options);
    return sealed(recording, plan, options) || code !== 0 ? code : EXIT.NOT_CAPTURED;
  }
  if (options.insecureTarget) throw new UsageFault('--insecure-target is of use with --proxy alone');
  if (program === undefined) {
    throw new UsageFault('no command was named', [
      'Name it behind --, as in: forensictrace capture -- npm test',
      'Or watch what is not started by it with --proxy LISTEN=TARGET',
    ]);
  }
  const plan = planOf(options);
  if (options.perTest) return (await import('./capture-tests.ts')).runPerTest([program, ...args], plan, options);
  const recording = openWireRecording({ ...plan.recording, observer: 'process-hook' });
  const host = new HostRecorder(allIn([recording]));
  const channel = openChannel(
    (message) => host.message(message),
    (damage) => host.damage(damage),
  );
  let code: number;
  try {
    const ended = await runCommand(
      [program, ...args],
      environmentOf(process.env, channel.path, options.key ?? defaultKeyFile()),
    ).catch((error: unknown) => {
      recording.discard();
      throw error;
    });
    code = commandExitCode(ended);
    if (ended.pid !== null) host.exited(ended.pid, ended.code, ended.signal);
    await channel.drain();
    host.ended();
    host.closing(recording, channel.missed());
  } finally {
    channel.close();
  }
  return sealed(recording, plan, options) || code !== 0 ? code : EXIT.NOT_CAPTURED;
};

/** A seal that fails is told, and the command's own exit code stands. */
const sealed = (recording: WireRecording, plan: Plan, options: CaptureCliOptions): boolean => {
  try {
    return seal(recording, plan, options);
  } catch (error) {
    tell(error, options.json ?? false);
    process.stderr.write(`forensictrace: the journal is kept: ${lines(recording.journalPath)}\n`);
    return false;
  }
};
