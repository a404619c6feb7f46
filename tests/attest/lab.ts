import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { SignerClient } from '../../src/attest/client/client.ts';
import type { SignerRun } from '../../src/attest/client/run.ts';
import type { PcmClaim, PcmGrant } from '../../src/attest/client/types.ts';
import { readConfig } from '../../src/attest/config.ts';
import { Refused } from '../../src/attest/refused.ts';
import { type Serving, serveSigner } from '../../src/attest/serve.ts';
import type { JsonObject } from '../../src/base/json-value.ts';
import type { Extensions } from '../../src/pcm/extensions/options.ts';
import type { PcmJudged } from '../../src/pcm/result.ts';
import { readPcmSchema } from '../../src/pcm/schema.ts';
import { pcmTime } from '../../src/pcm/time.ts';
import { readPcmTrust } from '../../src/pcm/trust.ts';
import { verifyMessage } from '../../src/pcm/verify.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { isAlive } from '../../src/store/writer.ts';
import { bytesOf, refOf } from '../pcm/lab.ts';

const REFUND = {
  pcm_schema: 0,
  name: 'refund.request',
  fields: {
    amount: { type: 'money', currency: 'USD', max: 1_000_000 },
    order: { type: 'int', min: 1, max: 999_999_999 },
  },
};
export const REF = refOf(REFUND);
export const inSeconds = (s: number): string => pcmTime(Date.now() + s * 1000);

const IDENTITIES = [
  ['a', 'agent'],
  ['b', 'agent'],
  ['alice', 'person'],
  ['nobody', 'person'],
  ['bot', 'agent-approver'],
  ['eyes', 'egress'],
  ['kernel', 'sensor'],
  ['ops', 'operator'],
] as const;
export type Who = (typeof IDENTITIES)[number][0];

export const POLICY = {
  tools: { 'pcm.grant': 'app', pay: 'app', Bash: 'shell', WebFetch: 'http', Write: 'fs', ls: 'app' },
  ask: [
    { id: 'PCM-GRANT', tool: 'pcm.grant', pattern: '^' },
    { id: 'PAY', tool: 'pay', pattern: '"amount"' },
  ],
};

type Serve = (config: string, onBug: (bug: unknown) => void) => Promise<Pick<Serving, 'vkey' | 'close'>>;
const serveHere: Serve = async (config, onBug) => serveSigner(readConfig(config), onBug);

/** A signer of its own on a real socket, in this process if nothing else is said, and its folder; both end with the test. */
export class Lab {
  readonly folder: string;
  private readonly serveFrom: Serve;
  private serving: Awaited<ReturnType<Serve>> | null = null;
  private readonly clients = new Map<Who, SignerClient>();
  readonly bugs: unknown[] = [];

  private constructor(folder: string, serveFrom: Serve) {
    this.folder = folder;
    this.serveFrom = serveFrom;
  }

  /** A signer of one test. */
  static async start(config: object = {}, policy: object = POLICY): Promise<Lab> {
    const lab = await Lab.make(config, policy);
    onTestFinished(() => lab.end());
    return lab;
  }

  static async make(config: object, policy: object, serveFrom: Serve = serveHere): Promise<Lab> {
    const lab = new Lab(mkdtempSync(join(tmpdir(), 'ft-signer-')), serveFrom);
    lab.write('policy.json', policy);
    lab.configure(config);
    await lab.serve();
    return lab;
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  write(name: string, document: object): void {
    writeFileSync(this.path(name), JSON.stringify(document));
  }

  configure(config: object): void {
    this.write('signer.json', {
      origin: 'log.example/agents',
      data_dir: 'data',
      socket: 's',
      policy: 'policy.json',
      identities: IDENTITIES.map(([name, role]) => ({ name, role, token_file: `tokens/${name}` })),
      approvals: {
        approvers: ['token:alice', 'token:nobody', 'token:bot', 'token:a'],
        persons: { 'token:alice': 'alice' },
      },
      event_quota: { events: 100_000, window_s: 60 },
      ...config,
    });
  }

  async serve(): Promise<void> {
    this.serving = await this.serveFrom(this.path('signer.json'), (bug) => this.bugs.push(bug));
  }

  async stop(): Promise<void> {
    await this.serving?.close();
    this.serving = null;
    this.clients.clear();
  }

  /** Ends the signer and serves it again, from its folder alone. */
  async restart(): Promise<void> {
    await this.stop();
    await this.serve();
  }

  /** The connection of an identity; one for all that it does. */
  async client(who: Who): Promise<SignerClient> {
    const client = this.clients.get(who) ?? (await this.connect(who));
    this.clients.set(who, client);
    return client;
  }

  /** A connection more. */
  connect(who: Who): Promise<SignerClient> {
    return SignerClient.connect({ socket: this.path('s'), tokenFile: this.path(`tokens/${who}`) });
  }

  async run(who: Who = 'a'): Promise<SignerRun> {
    return (await this.client(who)).run(`${who}'s run`);
  }

  /** Answers the next call of a run that waits for this identity. */
  async answer(who: Who, { id }: SignerRun, decision: 'approve' | 'reject' = 'approve'): Promise<void> {
    const client = await this.client(who);
    for (;;) {
      const first = (await client.approvals()).find(({ run }) => run === id);
      if (first !== undefined) return client.answer(first.approval_id, decision);
    }
  }

  /** A root grant to A, approved by alice. */
  async grant(run: SignerRun, terms: Partial<Parameters<SignerRun['grant']>[0]> = {}): Promise<PcmGrant> {
    const granting = run.grant({
      subject: run.agent,
      intent: REF,
      expiresAt: inSeconds(3600),
      caveats: [{ field: 'amount', op: '<=', value: 20_000 }],
      delegable: true,
      ...terms,
    });
    const [grant] = await Promise.all([granting, this.answer('alice', run)]);
    return grant;
  }

  /** What B says of a message, with the signer's log pinned. */
  judge(message: JsonObject, schema: object = REFUND, extensions?: Extensions): PcmJudged {
    const read = <T>(result: { ok: true; value: T } | { ok: false; findings: readonly { detail: string }[] }): T => {
      if (result.ok) return result.value;
      throw new Error(result.findings[0]!.detail);
    };
    const receiver = {
      trust: read(readPcmTrust(bytesOf({ logs: [this.serving!.vkey] }), nativeCrypto)),
      schemas: [read(readPcmSchema(bytesOf(schema), nativeCrypto))],
      me: 'token:b',
      ...(extensions === undefined ? {} : { extensions }),
    };
    return verifyMessage(bytesOf(message), receiver, null, nativeCrypto) as PcmJudged;
  }

  /** The result and the reason of one claim that a run sends. */
  async claim(run: SignerRun, claim: PcmClaim): Promise<readonly [string, string]> {
    const { claims, verdict, reasons } = this.judge(
      await run.send('token:b', REF, { amount: 1, order: 81 }, { claims: [claim] }),
    );
    if (claims[0] === undefined) throw new Error(`${verdict}: ${reasons.join('; ')}`);
    return [claims[0].result, claims[0].reason];
  }

  async end(): Promise<void> {
    for (const client of this.clients.values()) client.close();
    await this.serving?.close();
    chmodSync(this.folder, 0o700);
    rmSync(this.folder, { recursive: true });
    if (this.bugs.length > 0) throw this.bugs[0];
  }

  token(who: Who): string {
    return readFileSync(this.path(`tokens/${who}`), 'utf8').trim();
  }
}

/** A signer of all tests of a group. */
export const sharedLab = (config: object = {}, policy: object = POLICY, serveFrom: Serve = serveHere): (() => Lab) => {
  let lab: Lab;
  beforeAll(async () => {
    lab = await Lab.make(config, policy, serveFrom);
  });
  afterAll(() => lab.end());
  return () => lab;
};

/** Waits until the process whose id a file holds has ended; a test that waits in vain fails by its time. */
export const untilGone = async (file: string): Promise<void> => {
  const pid = Number(readFileSync(file, 'utf8'));
  while (isAlive(pid)) await new Promise((done) => setTimeout(done, 10));
};

/** What the signer said when it refused; fails when it did not. */
export const refusalOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
  } catch (error) {
    if (error instanceof Refused) return error.message;
    throw error;
  }
  throw new Error('it was not refused');
};
