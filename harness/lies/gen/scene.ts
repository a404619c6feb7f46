import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type {
  JsonObject,
  PcmClaim,
  PcmEvidence,
  PcmGrant,
  RunEvent,
  SendOptions,
  SignerRun,
} from '../../../src/index.ts';
import { Refused } from '../../../src/index.ts';
import type { Act, Terms } from '../acts.ts';
import { digestOf, type Held } from '../dataset.ts';
import { hashOf } from '../receivers/jcs.ts';
import type { Desk } from './desk.ts';
import type { Suite } from './project.ts';
import { refOf, type SchemaName } from './schemas.ts';
import type { Name, SignerPlace } from './signer-place.ts';

/** Records of a run that say something, by `run_seq`, and the args with which decisions among them open. */
export type Cited = {
  readonly scene: Scene;
  readonly seqs: readonly number[];
  readonly args: Readonly<Record<number, JsonObject>>;
};
export type Sent = { readonly bytes: { readonly text: string }; readonly ts: string; readonly message: JsonObject };

/** How an approver answers, or that nobody does. */
export type Answer = { readonly by: Name | null; readonly says?: 'approve' | 'reject' };
const PERSONS: Partial<Record<Name, string>> = { alice: 'alice', bob: 'bob', nora: 'nora' };

/** A run of an agent, and what is done in it: each deed goes to the signer as in any run, and into the list of what was done. */
export class Scene {
  readonly desk: Desk;
  readonly place: SignerPlace;
  readonly run: SignerRun;

  constructor(desk: Desk, place: SignerPlace, run: SignerRun) {
    this.desk = desk;
    this.place = place;
    this.run = run;
  }

  get agent(): string {
    return this.run.agent;
  }

  private note(act: Act): void {
    this.desk.acts.push(act);
  }

  private async executed(tool: string, args: JsonObject) {
    const { ok, result, runSeqs } = await this.run.execute(tool, args);
    const [decision, at] = runSeqs;
    return { ok, result, at, cited: { scene: this, seqs: [decision, at], args: { [decision]: args } } };
  }

  /** Has the agent tell of a call of its own, as it likes (T1). */
  async told(tool: string, args: JsonObject, ok = true, call = `call-${this.desk.name()}`): Promise<Cited> {
    const { run_seq: decision } = await this.run.call<{ run_seq: number }>('decide', { call, tool, args });
    const { run_seq: result } = await this.run.call<{ run_seq: number }>('complete', { call, ok });
    return { scene: this, seqs: [decision, result], args: { [decision]: args } };
  }

  /** Asks for a call that the policy denies: there is a decision, and no result. */
  async denied(tool: string, args: JsonObject): Promise<Cited> {
    const call = `call-${this.desk.name()}`;
    const { run_seq } = await this.run.call<{ run_seq: number }>('decide', { call, tool, args });
    return { scene: this, seqs: [run_seq], args: { [run_seq]: args } };
  }

  /** Has the executor run a suite (T2). */
  async ran(suite: Suite): Promise<Cited> {
    const { result, at, cited } = await this.executed(suite.tool, { command: suite.command });
    const tree = await this.desk.projects.treeOf(suite.runner);
    const exit = result.exit_code as number;
    this.note({ did: 'ran', by: 'executor', run: this.run.id, suite: suite.command, exit, tree, at });
    return cited;
  }

  /** Has the agent's own process run a suite; nothing of it is told to the signer. */
  async ranItself(suite: Suite): Promise<void> {
    const exit = await this.desk.projects.exitOf(suite);
    const tree = await this.desk.projects.treeOf(suite.runner);
    this.note({ did: 'ran', by: 'agent', run: this.run.id, suite: suite.command, exit, tree });
  }

  urlOf(host: string, path = '/', port = this.desk.server.port): string {
    return `http://${host.includes(':') ? `[${host}]` : host}:${port}${path}`;
  }

  /** Has the executor fetch from a host (T2). */
  async fetched(host: string, path = '/'): Promise<Cited> {
    const { seen } = this.desk.server;
    const before = seen.length;
    const { at, cited } = await this.executed('WebFetch', { url: this.urlOf(host, path) });
    for (const one of seen.slice(before))
      this.note({ did: 'reached', by: 'executor', run: this.run.id, host: one.host, status: one.status, at });
    return cited;
  }

  /** Has the executor fetch from a port of the host at which nobody listens: an attempt. */
  async refused(host: string): Promise<Cited> {
    return (await this.executed('WebFetch', { url: this.urlOf(host, '/', this.desk.server.closedPort) })).cited;
  }

  /** Has the agent's own process fetch; nothing of it is told to the signer. */
  async fetchedItself(url: string): Promise<void> {
    const { seen } = this.desk.server;
    const before = seen.length;
    await (await fetch(url)).text();
    for (const { host, status } of seen.slice(before))
      this.note({ did: 'reached', by: 'agent', run: this.run.id, host, status });
  }

  /** Has an observer report connections, or a sensor an attempt. */
  async observed(effect: Parameters<SignerPlace['as']['egress']['observe']>[1]): Promise<Cited> {
    await this.place.as[effect.kind === 'net' ? 'egress' : 'sensor'].observe(this.run.id, effect);
    const { run_seq } = (await this.events()).at(-1)!;
    return { scene: this, seqs: [run_seq], args: {} };
  }

  path(name: string): string {
    return join(this.desk.files, name);
  }

  /** Has the executor write a file (T2). */
  async wrote(path: string, content: string): Promise<Cited> {
    const { ok, at, cited } = await this.executed('Write', { file_path: path, content });
    if (ok)
      this.note({ did: 'wrote', by: 'executor', run: this.run.id, path, digest: digestOf(readFileSync(path)), at });
    return cited;
  }

  /** Has the agent's own process write a file; nothing of it is told to the signer. */
  wroteItself(path: string, content: string): void {
    writeFileSync(path, content);
    this.note({ did: 'wrote', by: 'agent', run: this.run.id, path, digest: digestOf(readFileSync(path)) });
  }

  async events(): Promise<readonly RunEvent[]> {
    return this.run.read();
  }

  /** Asks for a call that an approver must answer, and has it answered. */
  async asked(
    tool: string,
    args: JsonObject,
    { by, says = 'approve' }: Answer,
    call = `call-${this.desk.name()}`,
  ): Promise<Cited> {
    const { approval_id } = await this.run.call<{ approval_id: string }>('decide', { call, tool, args });
    if (by !== null) {
      // The agent's own answer is refused, and recorded, where the signer does not allow it.
      await this.place.as[by].answer(approval_id, says).catch((error: unknown) => {
        if (!(error instanceof Refused) || this.agent !== `token:${by}`) throw error;
      });
    } else {
      for (let answer: string | null = null; answer === null; )
        ({ answer } = await this.run.call<{ answer: string | null }>('approval_wait', { approval_id, args }));
    }
    const of = (await this.events()).filter(({ data }) => data.tool_use_id === call);
    const [decision, , answered] = of;
    const person = by === null ? null : (PERSONS[by] ?? null);
    const who =
      by === null
        ? 'nobody'
        : by === 'robot'
          ? 'agent'
          : `token:${by}` === this.agent
            ? 'self'
            : person === null
              ? 'unmapped'
              : 'person';
    const answer = answered!.data.decision as string;
    this.note({ did: 'answered', run: this.run.id, call, tool, args, answer, who, person, at: answered!.run_seq });
    return { scene: this, seqs: of.map(({ run_seq }) => run_seq), args: { [decision!.run_seq]: args } };
  }

  /** A root grant: asked, approved by a person, issued. Returns it with the records of its approval. */
  async granted(
    terms: Terms,
    by: Name = 'alice',
    call = `grant-${this.desk.name()}`,
  ): Promise<{ grant: PcmGrant; cited: Cited; call: string }> {
    const args = terms as unknown as JsonObject;
    const cited = await this.asked('pcm.grant', args, { by }, call);
    const { approval_id } = (await this.events()).find(({ run_seq }) => run_seq === cited.seqs[2])!.data as {
      approval_id: string;
    };
    await this.run.call('approval_consume', { approval_id, args });
    const { grant } = await this.run.call<{ grant: PcmGrant }>('pcm_grant', { call, args });
    await this.run.complete(call, true);
    this.noteGrant(grant, null, call, terms);
    return { grant, cited, call };
  }

  /** A child of a grant, made for another. */
  async delegated(parent: PcmGrant, { intent: _intent, ...terms }: Terms): Promise<PcmGrant> {
    const { grant } = await this.run.call<{ grant: PcmGrant }>('pcm_delegate', {
      parent,
      ...(terms as unknown as JsonObject),
    });
    this.noteGrant(grant, hashOf(parent), null, { ...terms, intent: parent.intent as string });
    return grant;
  }

  private noteGrant(grant: PcmGrant, parent: string | null, call: string | null, terms: Terms): void {
    this.note({ did: 'granted', run: this.run.id, tenant: this.run.tenant, grant: hashOf(grant), parent, call, terms });
  }

  /** The records as evidence; decisions are opened unless said otherwise. */
  evidence({ seqs, args }: Cited, open = true): Promise<PcmEvidence> {
    return this.run.evidence(seqs, open ? { args } : {});
  }

  /** The same records and all that the run did since, up to a head (docs/PCM-EXTENSIONS.md section 1). */
  freshEvidence({ seqs, args }: Cited): Promise<PcmEvidence> {
    return this.run.evidence(seqs, { args, fresh: true });
  }

  /** Has a message signed. */
  async send(schema: SchemaName, args: JsonObject, options: SendOptions = {}, to = 'token:agent-b'): Promise<Sent> {
    const message = await this.run.send(to, refOf(schema), args, options);
    const text = JSON.stringify(message);
    this.note({ did: 'signed', run: this.run.id, agent: this.agent, text: digestOf(text) });
    return { bytes: { text }, ts: message.ts as string, message };
  }

  /** What the receiver acts on when the message arrives. */
  async held(suite: Suite | null, ...paths: readonly string[]): Promise<Held> {
    const files = paths.map((path) => [path, digestAt(path)] as const);
    return {
      ...(suite === null ? {} : { tree: await this.desk.projects.treeOf(suite.runner) }),
      ...(paths.length === 0 ? {} : { files: Object.fromEntries(files) }),
    };
  }

  /** Takes a message of this run that reaches somebody; who sends it again replays it. */
  delivered({ text }: { readonly text: string }, to: string): void {
    this.note({ did: 'delivered', text: digestOf(text), to });
  }
}

const digestAt = (path: string): string | null => {
  try {
    return digestOf(readFileSync(path));
  } catch {
    return null;
  }
};

export const tests = (suite: string, evidence?: PcmEvidence): PcmClaim => claim('tests_passed', { suite }, evidence);
export const host = (named: string, evidence?: PcmEvidence): PcmClaim =>
  claim('reached_host', { host: named }, evidence);
export const file = (path: string, content: string, evidence?: PcmEvidence): PcmClaim =>
  claim('file_written', { path, digest: digestOf(content) }, evidence);
export const approved = (person: string, call: string, covers: boolean, evidence?: PcmEvidence): PcmClaim =>
  claim('approved_by', covers ? { person, call, covers } : { person, call }, evidence);
const claim = (type: string, args: JsonObject, evidence: PcmEvidence | undefined): PcmClaim => ({
  type,
  args,
  ...(evidence === undefined ? {} : { evidence }),
});
