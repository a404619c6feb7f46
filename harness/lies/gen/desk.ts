import { mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pcmTime } from '../../../src/index.ts';
import { packageRoot } from '../../documents.ts';
import { SeededRandom } from '../../experiment/random.ts';
import type { Act } from '../acts.ts';
import type { Bytes, ClassName, Held, Message } from '../dataset.ts';
import { untrue } from '../truth.ts';
import { Projects, type Suite } from './project.ts';
import { Scene } from './scene.ts';
import { type LocalServer, openServer } from './server.ts';
import { type Name, openSigner, type SignerPlace } from './signer-place.ts';

export const ME = 'token:agent-b';
/** Suites that fail, of which many claims are told. */
const FAILED = 4;
const HOUR_MS = 3_600_000;

/** Hosts of this machine: addresses of the loopback, each a host of its own. */
const addresses = (): string[] => Array.from({ length: 200 }, (_, n) => `127.0.20.${n + 1}`);

/** What is told of a message that is sent. */
export type Telling = {
  readonly part: string;
  readonly how: string;
  readonly lie: boolean;
  readonly scene: Scene;
  /** The message as it is sent. */
  readonly bytes: Bytes;
  /** When it was signed: a time of PCM. */
  readonly ts: string;
  /** Whole seconds from its signing to the receiver's clock; default: one to three. */
  readonly after?: number;
  readonly started?: string;
  readonly earlier?: Message['earlier'];
  readonly held?: Held;
  readonly fresh?: string;
  readonly resolver?: string | null;
};

/** Where messages are made: the signers, the server, the projects, and what was done. */
export class Desk {
  readonly acts: Act[] = [];
  readonly messages: Message[] = [];
  random: SeededRandom;
  readonly projects: Projects;
  readonly files: string;
  readonly server: LocalServer;
  readonly seed: string;
  /** Two logs that the receiver pins, and the sender's own, which it does not. */
  readonly main: SignerPlace;
  readonly second: SignerPlace;
  readonly own: SignerPlace;
  private readonly counted = new Map<string, number>();
  private named = 0;
  private readonly failed: Suite[] = [];

  private constructor(seed: string, places: Pick<Desk, 'projects' | 'files' | 'server' | 'main' | 'second' | 'own'>) {
    this.seed = seed;
    this.random = new SeededRandom(seed);
    this.projects = places.projects;
    this.files = places.files;
    this.server = places.server;
    this.main = places.main;
    this.second = places.second;
    this.own = places.own;
  }

  static async open(seed: string, folder: string): Promise<Desk> {
    const root = packageRoot();
    const path = [join(root, '.venv', 'bin'), join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
    const projects = new Projects(folder, path);
    await projects.make();
    const files = join(folder, 'files');
    for (const below of ['', 'out', 'protected']) mkdirSync(join(files, below), { recursive: true });
    const server = await openServer();
    const hosts = [...addresses(), '127.0.0.1', 'localhost', '::1'];
    const { pytest, vitest } = projects.folders;
    const place = (name: string, approvals: { self_approval: boolean; timeout_s: number }) =>
      openSigner({
        seed,
        name,
        folder: join(folder, name),
        origin: `lies.example/${name}`,
        path,
        pytest,
        vitest,
        files,
        hosts,
        approvals,
      });
    const [main, second, own] = await Promise.all([
      place('main', { self_approval: false, timeout_s: 3600 }),
      place('second', { self_approval: true, timeout_s: 3 }),
      place('own', { self_approval: true, timeout_s: 3600 }),
    ]);
    return new Desk(seed, { projects, files, server, main, second, own });
  }

  async close(): Promise<void> {
    for (const place of [this.main, this.second, this.own]) await place.close();
    await this.server.close();
  }

  /** Turns to a class: its choices follow from the seed and its name, whatever was made before. */
  turnTo(name: ClassName): void {
    this.random = new SeededRandom(`${this.seed}\n${name}`);
  }

  /** Begins a run of an agent. */
  async begin(agent: Name = 'agent-a', place: SignerPlace = this.main): Promise<Scene> {
    return new Scene(this, place, await place.as[agent].run(`${agent}-work`));
  }

  /** A name that was not given before. */
  name(): string {
    const words = ['ledger', 'parser', 'refund', 'router', 'sync', 'index', 'audit', 'cache'];
    this.named += 1;
    return `${words[this.random.below(words.length)]}_${this.named}`;
  }

  /** A suite that fails, as the agent's own process found out in an earlier run. */
  async failing(n: number): Promise<Suite> {
    const found = this.failed[n % FAILED];
    if (found !== undefined) return found;
    const suite = this.projects.suite('pytest', this.name(), false);
    await (await this.begin()).ranItself(suite);
    this.failed.push(suite);
    return suite;
  }

  /** One of a list, by the seed. */
  pick<T>(of: readonly T[]): T {
    return of[this.random.below(of.length)]!;
  }

  /** An address of this machine, by the seed; another than those given. */
  host(...besides: readonly string[]): string {
    return this.pick(addresses().filter((host) => !besides.includes(host)));
  }

  /** Adds a message. Throws when what was done says another label than the one it was made for: then the generator is wrong. */
  add(name: ClassName, telling: Telling): Message {
    const { part, how, lie, scene, bytes, ts, after, started, earlier, held, fresh, resolver } = telling;
    const key = `${name}.${part}`;
    const number = (this.counted.get(key) ?? 0) + 1;
    this.counted.set(key, number);
    const at = Date.parse(ts);
    const message: Message = {
      id: `${key}.${String(number).padStart(2, '0')}`,
      class: name,
      part,
      how,
      lie,
      sender: scene.agent,
      now: pcmTime(at + 1000 * (after ?? 1 + this.random.below(3))),
      started: started ?? pcmTime(at - HOUR_MS),
      ...(earlier === undefined ? {} : { earlier }),
      ...(held === undefined ? {} : { held }),
      ...(fresh === undefined ? {} : { fresh }),
      ...(resolver === undefined ? {} : { resolver }),
      acts: this.acts.length,
      ...bytes,
    };
    const why = untrue(message, this.acts, ME);
    if ((why !== null) !== lie)
      throw new Error(`${message.id} was made ${lie ? 'a lie' : 'true'}, and what was done says: ${why ?? 'true'}`);
    this.messages.push(message);
    return message;
  }
}
