import type { Crypto } from '../../src/base/crypto.ts';
import { encodeUtf8 } from '../../src/base/utf8.ts';
import type { Receiver } from '../../src/pcm/receiver.ts';
import { createReplay, REPLAY_LIMITS, type Replay } from '../../src/pcm/replay.ts';
import type { PcmJudged, PcmOutcome } from '../../src/pcm/result.ts';
import { type PcmSchema, readPcmSchema } from '../../src/pcm/schema.ts';
import { readPcmTrust } from '../../src/pcm/trust.ts';
import { verifyMessage } from '../../src/pcm/verify.ts';

export type Prior = { readonly text: string; readonly now: string; readonly me?: string };

/** A vector: what a receiver has, the text it gets, and the members of the result that the sources decide (`firm`). */
export type Vector = {
  readonly name: string;
  readonly text: string;
  readonly trust: unknown;
  readonly schemas: readonly unknown[];
  readonly me: string | null;
  readonly now: string;
  readonly strict: boolean;
  readonly replay: { readonly started: string; readonly maxNonces: number; readonly prior: readonly Prior[] } | null;
  readonly expected: 'bad-input' | 'config-error' | Partial<PcmJudged>;
  readonly firm: readonly string[];
};

/** Most vectors share their documents, and a key costs more to judge than a message. */
const once = <T>(read: (bytes: Uint8Array, crypto: Crypto) => T) => {
  const known = new Map<string, T>();
  return (document: unknown, crypto: Crypto): T => {
    const text = JSON.stringify(document);
    const value = known.get(`${crypto.name} ${text}`) ?? read(encodeUtf8(text), crypto);
    known.set(`${crypto.name} ${text}`, value);
    return value;
  };
};
const trustOf = once(readPcmTrust);
const schemaOf = once(readPcmSchema);

export const receiverOf = (vector: Vector, crypto: Crypto): Receiver | null => {
  const trust = trustOf(vector.trust, crypto);
  const schemas = vector.schemas.map((one) => schemaOf(one, crypto));
  if (!trust.ok || !schemas.every((schema) => schema.ok)) return null;
  return {
    trust: trust.value,
    schemas: schemas.map((schema) => (schema as { value: PcmSchema }).value),
    strict: vector.strict,
    ...(vector.me === null ? {} : { me: vector.me }),
  };
};

const replayOf = (vector: Vector, receiver: Receiver, crypto: Crypto): Replay | null => {
  if (vector.replay === null) return null;
  const { started, maxNonces, prior } = vector.replay;
  const replay = createReplay(started, { ...REPLAY_LIMITS, nonces: maxNonces });
  for (const { text, now, me } of prior)
    verifyMessage(encodeUtf8(text), me === undefined ? receiver : { ...receiver, me }, { replay, now }, crypto);
  return replay;
};

/** Runs a vector; returns the result, or `config-error` when a document of the receiver is refused. */
export const outcomeOf = (vector: Vector, crypto: Crypto): PcmOutcome | 'config-error' => {
  const receiver = receiverOf(vector, crypto);
  if (receiver === null) return 'config-error';
  const replay = replayOf(vector, receiver, crypto);
  return verifyMessage(encodeUtf8(vector.text), receiver, replay && { replay, now: vector.now }, crypto);
};

/** The members of a result that the sources compare. */
export const MEMBERS = [
  'verdict',
  'signature.ok',
  'replay.ok',
  'schema.ok',
  'grants.result',
  'claims',
  'skipped',
] as const;

const memberOf = (result: unknown, name: (typeof MEMBERS)[number]): unknown => {
  if (typeof result === 'string') return name === 'verdict' ? result : undefined;
  const judged = result as PcmJudged;
  if (name === 'claims')
    return judged.claims?.map(({ type, result: level, approved }) => ({
      type,
      result: level,
      ...(approved && { approved }),
    }));
  return name
    .split('.')
    .reduce<unknown>((value, step) => (value as Record<string, unknown> | undefined)?.[step], judged);
};

const sorted = (value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(
        Object.entries(value)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, one]) => [name, sorted(one)]),
      )
    : Array.isArray(value)
      ? value.map(sorted)
      : value;

export type Difference = { readonly member: string; readonly expected: string; readonly got: string };

/** Compares members of a result with those a vector expects. */
export const differences = (
  vector: Vector,
  outcome: PcmOutcome | 'config-error',
  members: readonly string[],
): readonly Difference[] =>
  MEMBERS.filter((name) => members.includes(name)).flatMap((name) => {
    const [expected, got] = [vector.expected, outcome].map(
      (one) => JSON.stringify(sorted(memberOf(one, name))) ?? 'absent',
    );
    return expected === got ? [] : [{ member: name, expected: expected!, got: got! }];
  });
