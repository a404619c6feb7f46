import { commandExitCode, runCommand, withoutKey } from '../capture/host/command.ts';
import { openWireRecording, type WireRecording } from '../capture/host/wire-recording.ts';
import { listenOf } from '../capture/proxy/origins.ts';
import { type ProxyPair, readPair } from '../capture/proxy/pair.ts';
import { Proxies } from '../capture/proxy/proxies.ts';
import { defaultKeyFile } from '../store/config.ts';
import type { CaptureCliOptions, Plan } from './capture-plan.ts';
import { UsageFault } from './exit.ts';
import { lines } from './output.ts';

const STOPPING: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM'];

const pairOf = (text: string): ProxyPair => {
  const pair = readPair(text);
  // What is wrong may be that it holds credentials.
  if (typeof pair === 'string') throw new UsageFault(`--proxy ${text.replace(/\/\/[^@]*@/, '//')}: ${pair}`);
  return pair;
};

const signalled = (): Promise<void> =>
  new Promise((done) => {
    const stop = (): void => {
      for (const signal of STOPPING) process.off(signal, stop);
      done();
    };
    for (const signal of STOPPING) process.on(signal, stop);
  });

/** Runs the command, or waits for a signal; returns the exit code. */
const runUntilEnd = async ([program, ...args]: readonly string[], keyFile: string): Promise<number> => {
  if (program !== undefined) {
    return commandExitCode(await runCommand([program, ...args], withoutKey(process.env, keyFile)));
  }
  await signalled();
  return 0;
};

/**
 * `forensictrace capture --proxy LISTEN=TARGET`: records what passes the proxies until the command ends or a signal comes. Returns the recording,
 * not yet sealed, and the exit code. Throws UsageFault for a pair that cannot be read, EnvironmentFault when a proxy cannot listen.
 */
export const captureByProxy = async (
  command: readonly string[],
  plan: Plan,
  { proxy = [], perTest, insecureTarget = false, json = false, key = defaultKeyFile() }: CaptureCliOptions,
): Promise<{ readonly recording: WireRecording; readonly code: number }> => {
  if (perTest) throw new UsageFault('--per-test and --proxy: a proxy does not see which test a request belongs to');
  const warn = (text: string): void => {
    process.stderr.write(`${lines(`forensictrace: ${text}`)}\n`);
  };
  const proxies = await Proxies.open({ pairs: proxy.map(pairOf), insecure: insecureTarget, warn });
  try {
    const { notes } = proxies;
    const passes = (url: string): boolean => proxies.passes(url);
    const recording = openWireRecording({ ...plan.recording, observer: 'proxy', notes, passes });
    proxies.record(recording);
    for (const standing of proxies.standing) {
      const told = { listen: listenOf(standing), target: standing.target.origin };
      process.stderr.write(json ? `${JSON.stringify(told)}\n` : `proxy ${told.listen} before ${told.target}\n`);
    }
    return { recording, code: await runUntilEnd(command, key) };
  } finally {
    await proxies.close();
  }
};
