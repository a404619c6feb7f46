import type { Crypto } from '../base/crypto.ts';
import type { JsonObject } from '../base/json-value.ts';
import { type Envelope, envelopeOf } from '../pcm/envelope.ts';
import { type Finding, finding } from '../pcm/finding.ts';
import { jcs } from '../pcm/jcs.ts';
import { PCM_LIMITS } from '../pcm/limits.ts';
import type { Replay, SharedReplay } from '../pcm/replay.ts';
import type { PcmJudged } from '../pcm/result.ts';
import { readStrict } from '../pcm/strict-json.ts';
import { pcmTime } from '../pcm/time.ts';
import type { PcmTrust } from '../pcm/trust.ts';
import { isPcmObject, type PcmValue, plainOf } from '../pcm/value.ts';
import { verifyMessageShared } from '../pcm/verify.ts';
import { respelledInteger } from './integers.ts';
import { extensionsOf, type IntentPolicy, neverActedOn, notAccepted, requirePolicy } from './intent-policy.ts';
import { createOnce, type Once } from './once.ts';

export type ReceiverOptions = {
  readonly trust: PcmTrust;
  /** The receiver's own identity: a message to another is refused. */
  readonly me: string;
  /** One for each intent that is accepted; a message of another is refused. */
  readonly intents: readonly IntentPolicy[];
  /** One for the receiver's whole life, shared by its replicas. */
  readonly replay: Replay | SharedReplay;
  /** Default: the memory of this process. */
  readonly once?: Once;
  readonly crypto: Crypto;
  /** Milliseconds since 1970. Default: the clock of the system. */
  readonly now?: () => number;
};

/** A message on which the receiver may act: its values as they were verified, and what was found. */
export type AcceptedMessage = { readonly message: JsonObject; readonly outcome: PcmJudged };
export type RefusedMessage = { readonly verdict: 'bad-input' | 'reject'; readonly findings: readonly Finding[] };
export type Received = AcceptedMessage | RefusedMessage;
export type PcmReceiver = {
  /** Takes the bytes of a message, verifies it and spends it; rejects when a shared state cannot be asked. */
  receive(bytes: Uint8Array): Promise<Received>;
};

const reject = (...findings: readonly Finding[]): RefusedMessage => ({ verdict: 'reject', findings });
const badInput = (...findings: readonly Finding[]): RefusedMessage => ({ verdict: 'bad-input', findings });

/** An intent keeps its name when its schema is edited: what was acted on under the old one is not acted on again under the new. */
const onceKey = ({ intent }: Envelope, field: string, crypto: Crypto): string =>
  crypto.sha256Hex(jcs([intent.type.slice(0, intent.type.lastIndexOf('@')), field, intent.args[field]!]));

/**
 * Takes what a receiver pins, who it is and what it accepts of each intent; returns what decides whether it acts on a message: verified, and within
 * the policy of its intent (docs/PCM-A2A.md). Throws RangeError on a policy that cannot be.
 */
export const createPcmReceiver = (options: ReceiverOptions): PcmReceiver => {
  const { trust, me, intents, replay, once = createOnce(), crypto, now = Date.now } = options;
  for (const policy of intents) requirePolicy(policy);
  const policies = new Map(intents.map((policy) => [policy.schema.ref, policy]));
  if (policies.size < intents.length) throw new RangeError('an intent has two policies');
  const receiver = { trust, me, schemas: intents.map(({ schema }) => schema) };
  const shared: SharedReplay = { offer: async (offer) => replay.offer(offer) };

  /** The policy of the intent that a message names; nothing of it has been verified yet. */
  const policyNamed = (value: PcmValue): IntentPolicy | undefined => {
    const intent = isPcmObject(value) ? value.intent : undefined;
    const type = isPcmObject(intent) ? intent.type : undefined;
    return typeof type === 'string' ? policies.get(type) : undefined;
  };

  const spendOnce = async (message: Envelope, field: string): Promise<readonly Finding[]> => {
    const at = `/intent/args/${field}`;
    switch (await once.spend(onceKey(message, field, crypto))) {
      case 'fresh':
        return [];
      case 'seen':
        return [finding('PCM_POLICY_ONCE', at, `a message of this ${field} was already acted on`)];
      case 'full':
        return [finding('PCM_POLICY_ONCE_FULL', at, `no more values of ${field} can be remembered`)];
    }
  };

  const receive = async (bytes: Uint8Array): Promise<Received> => {
    const read = readStrict(bytes, { what: 'message', maxBytes: PCM_LIMITS.messageBytes });
    if (!read.ok) return badInput(...read.findings);
    const respelled = respelledInteger(read.value);
    if (respelled !== null) return badInput(respelled);
    const time = pcmTime(now());
    const policy = policyNamed(read.value);
    const asked = policy === undefined ? {} : extensionsOf(policy, time);
    const outcome = await verifyMessageShared(bytes, { ...receiver, ...asked }, { replay: shared, now: time }, crypto);
    if (outcome.verdict === 'bad-input') return badInput(...outcome.findings);
    const never = neverActedOn(outcome);
    if (never.length > 0) return reject(...never);
    const envelope = envelopeOf(read.value);
    if (!envelope.ok) throw new Error('a message that verified is no envelope');
    const message = envelope.value;
    const short = notAccepted(message, outcome, policy!);
    if (short.length > 0) return reject(...short);
    const { once_field: field } = policy!;
    const spent = field === undefined ? [] : await spendOnce(message, field);
    return spent.length > 0 ? reject(...spent) : { message: plainOf(read.value) as JsonObject, outcome };
  };
  return { receive };
};
