import type { JsonObject } from '../../base/json-value.ts';
import { EnvironmentFault } from '../../store/fault.ts';
import { tokenFrom } from '../secrets.ts';
import { SignerRun } from './run.ts';
import type { Effect, PendingApproval, SignerStatus } from './types.ts';
import type { Wire } from './wire.ts';

export type SignerPlace = {
  /** The signer's socket; default: `$FORENSICTRACE_SIGNER`. */
  readonly socket?: string;
  /** The file of the token that says who you are, mode 0600; default: `$FORENSICTRACE_SIGNER_TOKEN`. */
  readonly tokenFile?: string;
};

const required = (value: string | undefined, variable: string, what: string, how: string): string => {
  const given = value ?? process.env[variable];
  if (given) return given;
  throw new EnvironmentFault(`no ${what} is named`, [`name it (${how}), or set ${variable}`]);
};

/** One identity's connection to an attesting signer. Every call rejects with Refused when the signer refuses it, with EnvironmentFault when it is gone. */
export class SignerClient {
  private readonly wire: Wire;

  private constructor(wire: Wire) {
    this.wire = wire;
  }

  /** Connects as the identity of a token file. Rejects with EnvironmentFault (no signer there, a file that others can read) or Refused. */
  static async connect({ socket, tokenFile }: SignerPlace = {}): Promise<SignerClient> {
    const path = required(socket, 'FORENSICTRACE_SIGNER', 'socket of a signer', '--socket PATH; in a program socket');
    const file = required(
      tokenFile,
      'FORENSICTRACE_SIGNER_TOKEN',
      'token file',
      '--token FILE; in a program tokenFile',
    );
    // Whoever imports the library for something else does not load the framing.
    const { Wire } = await import('./wire.ts');
    return new SignerClient(await Wire.open(path, tokenFrom(file, false)));
  }

  /** Makes a call of the signer, as docs/PCM-SIGNER.md section 6 has it. */
  call<T>(method: string, params: JsonObject = {}): Promise<T> {
    return this.wire.call<T>(method, params);
  }

  /** Who this is to the signer, and which log it keeps. */
  status(): Promise<SignerStatus> {
    return this.call('status');
  }

  /** Begins a run of this identity, which has the role `agent`. */
  async run(name: string): Promise<SignerRun> {
    return new SignerRun(this.wire, await this.call('run_begin', { name }));
  }

  /** Goes on with a run that this identity began, on this connection: after a restart, of the signer or of the agent. */
  async resume(run: string): Promise<SignerRun> {
    const { identity, tenant } = await this.status();
    await this.call('read', { run, limit: 0 });
    return new SignerRun(this.wire, { run, agent: `${identity.scheme}:${identity.subject}`, tenant });
  }

  /** The calls that wait for an answer of this identity. Their args are canonical text, null where the signer has not got them. */
  async approvals(): Promise<readonly PendingApproval[]> {
    return (await this.call<{ approvals: PendingApproval[] }>('approvals_list')).approvals;
  }

  async answer(approvalId: string, decision: 'approve' | 'reject'): Promise<void> {
    await this.call('approval_answer', { approval_id: approvalId, decision });
  }

  /** Reports what an observer saw a run do: `net` from the role `egress`, `connect` from the role `sensor`. */
  async observe(run: string, effect: Effect): Promise<void> {
    await this.call('observe', { run, ...effect });
  }

  /** Holds, quarantines or releases a run: for the role `operator`. */
  async hold(run: string, state: 'held' | 'quarantined' | 'released'): Promise<void> {
    await this.call('run_hold', { run, state });
  }

  close(): void {
    this.wire.close();
  }
}
