import type { JsonObject, JsonValue } from '../../base/json-value.ts';

export type SignerStatus = {
  readonly identity: { readonly scheme: string; readonly subject: string };
  readonly role: string;
  readonly tenant: string;
  readonly log: { readonly origin: string; readonly key: string; readonly size: number };
};

/** A record of a run, as it stands in the signer's log. */
export type RunEvent = {
  readonly type: string;
  readonly seq: number;
  readonly run_seq: number;
  readonly ts: string;
  readonly source: string;
  readonly tier?: string;
  readonly data: JsonObject;
};

/** What a claim carries (docs/PCM.md section 8). */
export type PcmEvidence = {
  readonly checkpoint: string;
  readonly records: readonly {
    readonly event: RunEvent;
    readonly hash: string;
    readonly proof: readonly string[];
    readonly salt?: string;
    readonly args?: JsonObject;
  }[];
};

export type PcmClaim = { readonly type: string; readonly args: JsonObject; readonly evidence?: PcmEvidence };
export type PcmPayload =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'data'; readonly data: JsonValue };
export type PcmCaveat = { field: string; op: string; value: JsonValue };

/** A grant, signed; it goes into a message as it is. */
export type PcmGrant = JsonObject;
/** A message, signed; its receiver gets the text of it, `JSON.stringify(message)`. */
export type PcmMessage = JsonObject;

export type GrantTerms = {
  readonly subject: string;
  /** `name@sha256:…` of the schema document. */
  readonly intent: string;
  /** `YYYY-MM-DDTHH:MM:SS.ffffffZ`; of a root grant within the next 24 hours. */
  readonly expiresAt: string;
  readonly caveats?: readonly PcmCaveat[];
  /** May the subject pass the grant on? Default: no. */
  readonly delegable?: boolean;
};

/** How a call of the executor ended. */
export type Executed = {
  readonly call: string;
  readonly ok: boolean;
  /** Its output, status or body, for the agent: the log has none of it. */
  readonly result: JsonObject;
  /** `run_seq` of the decision and of the result: the records that prove the call. */
  readonly runSeqs: readonly [number, number];
};

export type PendingApproval = {
  readonly approval_id: string;
  readonly run: string;
  readonly agent: string;
  readonly call: string;
  readonly tool: string;
  readonly rule_ids: readonly string[];
  readonly asked_at: string;
  readonly expires_at: string;
  readonly args: string | null;
};

export type Effect =
  | { readonly kind: 'net'; readonly host: string; readonly port: number; readonly connections: number }
  | { readonly kind: 'connect'; readonly host: string; readonly port: number; readonly denied: boolean };
