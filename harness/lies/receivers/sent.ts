/** A message as a receiver of another protocol reads it, with JSON.parse: the last of two equal names stands, and 1.0 is 1. */
export type Sent = {
  readonly id: string;
  readonly ts: string;
  readonly nonce: string;
  readonly from: { readonly agent: string; readonly run: string; readonly tenant: string };
  readonly to: { readonly agent: string };
  readonly intent: { readonly type: string; readonly args: Readonly<Record<string, unknown>> };
  readonly claims: readonly SentClaim[];
  readonly grants: readonly Readonly<Record<string, unknown>>[];
};
export type SentRecord = {
  readonly event: Event;
  readonly hash: string;
  readonly proof: readonly string[];
  readonly salt: string;
  readonly args?: unknown;
};
export type Event = {
  readonly seq: number;
  readonly ts: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
};
export type SentClaim = {
  readonly type: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly checkpoint: string;
  readonly records: readonly SentRecord[];
};

type Loose = Readonly<Record<string, unknown>>;
const objectOf = (value: unknown): Loose =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Loose) : {};
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const listOf = (value: unknown): readonly Loose[] => (Array.isArray(value) ? value.map(objectOf) : []);

const recordOf = ({ event, hash, proof, salt, args }: Loose): SentRecord => {
  const members = objectOf(event);
  return {
    event: { ...members, data: objectOf(members.data) } as unknown as Event,
    hash: textOf(hash),
    proof: Array.isArray(proof) ? proof.map(textOf) : [],
    salt: textOf(salt),
    ...(args === undefined ? {} : { args }),
  };
};

const claimOf = ({ type, args, evidence }: Loose): SentClaim => {
  const { checkpoint, records } = objectOf(evidence);
  return {
    type: textOf(type),
    args: objectOf(args),
    checkpoint: textOf(checkpoint),
    records: listOf(records).map(recordOf),
  };
};

/** Takes the bytes of a message; returns what is read of it, or null when it is no JSON object. A member of another type reads as absent. */
export const readSent = (bytes: Uint8Array): Sent | null => {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return null;
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return null;
  const { id, ts, nonce, from, to, intent, claims, grants } = value as Loose;
  const [sender, recipient, asked] = [objectOf(from), objectOf(to), objectOf(intent)];
  return {
    id: textOf(id),
    ts: textOf(ts),
    nonce: textOf(nonce),
    from: { agent: textOf(sender.agent), run: textOf(sender.run), tenant: textOf(sender.tenant) },
    to: { agent: textOf(recipient.agent) },
    intent: { type: textOf(asked.type), args: objectOf(asked.args) },
    claims: listOf(claims).map(claimOf),
    grants: listOf(grants),
  };
};

/** The seconds of a time of PCM since 1970; NaN of another text. */
export const secondsOf = (time: string): number => Date.parse(time.replace(/(\.\d{3})\d*Z$/, '$1Z')) / 1000;
