import type { JsonObject, JsonValue } from '../../base/json-value.ts';
import { newId } from '../ids.ts';
import { forbidden } from '../refused.ts';
import { type EvidenceOptions, evidenceOf } from './evidence.ts';
import type {
  Executed,
  GrantTerms,
  PcmClaim,
  PcmEvidence,
  PcmGrant,
  PcmMessage,
  PcmPayload,
  RunEvent,
} from './types.ts';
import { approved } from './waiting.ts';
import type { Wire } from './wire.ts';

const APPROVAL_S = 300;

/** How long to wait for a person; default 300 s. And the agent's own id for the call; default: a new one. */
export type CallOptions = { readonly timeoutS?: number; readonly call?: string };
export type SendOptions = {
  readonly claims?: readonly PcmClaim[];
  /** Root first. */
  readonly grants?: readonly PcmGrant[];
  readonly payload?: PcmPayload;
};

type Decided = { readonly decision: string; readonly approval_id?: string };
type Ran = Decided & {
  readonly ran: boolean;
  readonly ok: boolean;
  readonly result: JsonObject;
  readonly run_seqs: [number, number];
};

const termsOf = ({ subject, expiresAt, caveats = [], delegable = false }: Omit<GrantTerms, 'intent'>): JsonObject => ({
  subject,
  expires_at: expiresAt,
  caveats: [...caveats],
  delegable,
});

/** A run of the agent that a connection's token names. Every call rejects with Refused when the signer refuses it. */
export class SignerRun {
  readonly id: string;
  /** The agent's identity, `token:NAME`. */
  readonly agent: string;
  readonly tenant: string;
  private readonly wire: Wire;

  constructor(wire: Wire, { run, agent, tenant }: { run: string; agent: string; tenant: string }) {
    this.wire = wire;
    this.id = run;
    this.agent = agent;
    this.tenant = tenant;
  }

  /** Makes a call of the signer for this run, as docs/PCM-SIGNER.md section 6 has it. */
  call<T>(method: string, params: JsonObject): Promise<T> {
    return this.wire.call<T>(method, { run: this.id, ...params });
  }

  /** The records of the run in order, from a `run_seq` on; at most 1000. */
  async read({ from = 0, limit = 1000 } = {}): Promise<readonly RunEvent[]> {
    return (await this.call<{ events: RunEvent[] }>('read', { from, limit })).events;
  }

  /** Asks the policy for a call of the agent's own, and waits for a person when it asks; returns the id of the call, which may then be made. */
  async decide(
    tool: string,
    args: JsonObject,
    { call = `call-${newId()}`, timeoutS }: CallOptions = {},
  ): Promise<string> {
    const { decision, approval_id } = await this.call<Decided>('decide', { call, tool, args });
    if (decision === 'deny') throw forbidden(`the policy denies ${tool}`);
    if (approval_id !== undefined) await this.takeUp(approval_id, args, timeoutS);
    return call;
  }

  /** Reports how a call of the agent's own ended: its word (T1). */
  async complete(call: string, ok: boolean): Promise<void> {
    await this.call('complete', { call, ok });
  }

  /** Has the signer's executor make a call, so that its result is not the agent's word (T2); waits for a person when the policy asks. */
  async execute(
    tool: string,
    args: JsonObject,
    { call = `call-${newId()}`, timeoutS }: CallOptions = {},
  ): Promise<Executed> {
    const run = () => this.call<Ran>('execute', { call, tool, args });
    let answer = await run();
    if (answer.approval_id !== undefined) {
      await this.approved(answer.approval_id, args, timeoutS);
      answer = await run();
    }
    if (!answer.ran) throw forbidden(`the policy denies ${tool}`);
    return { call, ok: answer.ok, result: answer.result, runSeqs: answer.run_seqs };
  }

  /**
   * A root grant: the call of `pcm.grant`, a person's approval of exactly these terms, the grant, the call's result. Rejects with Refused when the
   * policy does not ask, the person rejects, or nobody answers in time.
   */
  async grant(
    { intent, ...terms }: GrantTerms,
    { call = `pcm-grant-${newId()}`, timeoutS }: CallOptions = {},
  ): Promise<PcmGrant> {
    const args = { ...termsOf(terms), intent };
    const { decision, approval_id } = await this.call<Decided>('decide', { call, tool: 'pcm.grant', args });
    if (approval_id === undefined)
      throw forbidden(`the policy does not ask for pcm.grant (${decision}): nobody can grant`);
    await this.takeUp(approval_id, args, timeoutS);
    const { grant } = await this.call<{ grant: PcmGrant }>('pcm_grant', { call, args });
    await this.complete(call, true);
    return grant;
  }

  /** A narrower child of a grant that this signer issued to the run's agent, of the same intent. */
  async delegate(parent: PcmGrant, terms: Omit<GrantTerms, 'intent'>): Promise<PcmGrant> {
    return (await this.call<{ grant: PcmGrant }>('pcm_delegate', { parent, ...termsOf(terms) })).grant;
  }

  /** Records of the run, by `run_seq`, as evidence of a claim. */
  evidence(runSeqs: readonly number[], options: EvidenceOptions = {}): Promise<PcmEvidence> {
    return evidenceOf(this.wire, this.id, runSeqs, options);
  }

  /** Has a message signed: to whom, of which intent, with which args. */
  async send(to: string, intent: string, args: JsonObject, options: SendOptions = {}): Promise<PcmMessage> {
    const from = { agent: this.agent, run: this.id, tenant: this.tenant };
    const body = { from, to: { agent: to }, intent: { type: intent, args }, ...options } as unknown as JsonValue;
    return (await this.call<{ message: PcmMessage }>('pcm_sign', { body })).message;
  }

  /** A token with which another identity may read this run and report for it, for so many seconds. */
  async token(ttlS: number): Promise<string> {
    return (await this.call<{ run_token: string }>('run_token', { ttl_s: ttlS })).run_token;
  }

  /** Ends the run: it is still read, and gives evidence. */
  async end(): Promise<void> {
    await this.call('run_end', {});
  }

  private approved(approval_id: string, args: JsonObject, timeoutS = APPROVAL_S): Promise<void> {
    return approved(this.wire, { run: this.id, approval_id, args }, timeoutS);
  }

  private async takeUp(approval_id: string, args: JsonObject, timeoutS: number | undefined): Promise<void> {
    await this.approved(approval_id, args, timeoutS);
    await this.call('approval_consume', { approval_id, args });
  }
}
