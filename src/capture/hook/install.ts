import { basename } from 'node:path';
import { threadId } from 'node:worker_threads';
import { ChannelWriter } from '../channel/writer.ts';
import { tapEventBus } from './event-bus.ts';
import { tapHttpClient } from './http-client.ts';
import { tapHttpServer } from './http-server.ts';
import { setHook } from './installed.ts';
import { tapProcesses } from './processes.ts';
import { Reporter } from './reporter.ts';
import { tapSockets } from './sockets.ts';
import { tapUndici } from './undici.ts';

/** Puts every tap into this thread, and says hello and bye. Called once. */
export const install = (channelPath: string): Reporter => {
  const channel = new ChannelWriter(channelPath);
  const reporter = new Reporter(channel);
  const program = basename(process.argv[1] ?? process.argv0).slice(0, 200);
  channel.send({ t: 'hello', pid: process.pid, thread: threadId, program, node: process.versions.node });
  const taps = { tapSockets, tapUndici, tapHttpClient, tapHttpServer, tapEventBus, tapProcesses };
  for (const [name, tap] of Object.entries(taps)) reporter.attempt(name, () => tap(reporter));
  setHook(reporter);
  process.once('exit', () => channel.send({ t: 'bye', lost: channel.lost }));
  return reporter;
};
