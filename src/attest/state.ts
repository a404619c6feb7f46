import type { PcmObject } from '../pcm/value.ts';

export type Decision = 'allow' | 'deny' | 'flag' | 'ask';

/** What a person, or another approver, said of a call. */
export type Answer = {
  readonly decision: 'approve' | 'reject' | 'timeout';
  readonly approver: string;
  readonly person: string | null;
  readonly selfApproved: boolean;
  readonly byAgent: boolean;
};

export type Approval = {
  readonly id: string;
  readonly run: Run;
  readonly call: Call;
  readonly ruleIds: readonly string[];
  readonly askedAt: string;
  readonly expiresAt: string;
  answer: Answer | null;
  /** The agent, or the executor, has taken it up: once. */
  consumed: boolean;
  /** A root grant was issued for it: once. */
  granted: boolean;
};

export type Call = {
  readonly id: string;
  readonly tool: string;
  readonly decision: Decision;
  readonly decisionId: string;
  readonly commitment: string;
  /** Of its decision. */
  readonly runSeq: number;
  /** The executor runs it, so that its result is T2. */
  readonly attested: boolean;
  approval: Approval | null;
  ended: boolean;
};

export type Hold = 'held' | 'quarantined';

export type Run = {
  readonly id: string;
  readonly name: string;
  /** The identity that registered it. */
  readonly agent: string;
  readonly tenant: string;
  hold: Hold | null;
  ended: boolean;
  /** Place in the log of each record, by `run_seq`. */
  readonly seqs: number[];
  lastHash: string;
  /** The `run_seq` of the newest record that is more than a note of the signer's own (`ext`). */
  lastDeed: number;
  readonly calls: Map<string, Call>;
};

/** An event of a log, schema_version tracekit.event.v2 (docs/PCM.md section 8). */
export type LogEvent = {
  readonly seq: number;
  readonly ts: string;
  readonly run_id: string;
  readonly tenant: string;
  readonly source: Source;
  readonly type: string;
  readonly data: PcmObject;
};

/** Who an event is from: the agent's process, the executor or the signer itself. */
export type Source = 'sdk' | 'gateway' | 'signer';
