import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Entry, Surroundings } from './places/protocol.ts';

/** The processes of an experiment: four agents, the queue before the review agent's workers, the URI service, the renderer. */
export const PLACES = [
  'planner',
  'researcher',
  'reviewer',
  'researcher-2',
  'queue',
  'uri-service',
  'renderer',
] as const;
export type PlaceName = (typeof PLACES)[number];
const SERVICES: readonly PlaceName[] = ['queue', 'uri-service', 'renderer'];

const LOOPBACK = '127.0.0.1';
const FROM_SOURCE = import.meta.url.endsWith('.ts');
const MAIN = fileURLToPath(new URL(`places/main.${FROM_SOURCE ? 'ts' : 'js'}`, import.meta.url));

/** A process as the harness speaks with it. */
export type Player = {
  /** Makes the place of a run anew; gives the loopback port it listens on. */
  open(surroundings: Surroundings): Promise<number>;
  /** Has it do one thing. Throws what went wrong there. */
  ask<T>(order: string, argument?: unknown): Promise<T>;
  /** Ends the run; gives the place's own log. */
  close(): Promise<readonly Entry[]>;
  stop(): Promise<void>;
};

type Answer = { readonly id: number; readonly value?: unknown; readonly error?: string };
type Waiting = { readonly resolve: (value: unknown) => void; readonly reject: (error: Error) => void };

/** A command that serves the protocol of `places/protocol.ts`, kept for many runs. */
export const startPlayer = (name: string, command: string, args: readonly string[]): Player => {
  const child: ChildProcess = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting = new Map<number, Waiting>();
  let asked = 0;
  let gone: Error | null = null;
  createInterface({ input: child.stdout! }).on('line', (line) => {
    const { id, value, error } = JSON.parse(line) as Answer;
    const { resolve, reject } = waiting.get(id)!;
    waiting.delete(id);
    if (error === undefined) resolve(value);
    else reject(new Error(`${name}: ${error}`));
  });
  const leave = (why: string): void => {
    gone = new Error(`${name} ${why}`);
    for (const { reject } of waiting.values()) reject(gone);
    waiting.clear();
  };
  child.on('error', (error) => leave(`cannot be started: ${error.message}`));
  child.on('exit', (code, signal) => leave(`has ended (${signal ?? code})`));
  child.stdin!.on('error', () => {});
  const ask = <T>(order: string, argument?: unknown): Promise<T> =>
    new Promise((resolve, reject) => {
      if (gone !== null) return reject(gone);
      const id = asked++;
      waiting.set(id, { resolve: resolve as Waiting['resolve'], reject });
      child.stdin!.write(`${JSON.stringify({ id, order, argument })}\n`);
    });
  return {
    ask,
    open: (surroundings) => ask('open', surroundings),
    close: () => ask('close'),
    stop: async () => {
      if (gone !== null) return;
      child.stdin!.end();
      await once(child, 'exit');
    },
  };
};

const startPlace = (name: PlaceName): Player =>
  startPlayer(name, process.execPath, [
    ...(FROM_SOURCE ? ['--import', 'tsx'] : []),
    MAIN,
    ...(SERVICES.includes(name) ? [name] : ['agent', name]),
  ]);

/** A loopback port that nothing listens on: it was given out a moment ago and is free again. */
const closedPort = async (): Promise<number> => {
  const server = createServer().listen(0, LOOPBACK);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};

/** The place of a process that was not started: its port refuses, and it says nothing. */
export const absent = (name: string): Player => ({
  open: closedPort,
  ask: () => Promise.reject(new Error(`${name} is not running`)),
  close: async () => [],
  stop: async () => {},
});

export type Troupe = Readonly<Record<PlaceName, Player>>;

/** Starts the processes, without those named: what a run comes to without one of them is how it is shown that none is simulated. */
export const startTroupe = (without: readonly PlaceName[] = []): Troupe =>
  Object.fromEntries(PLACES.map((name) => [name, without.includes(name) ? absent(name) : startPlace(name)])) as Troupe;
