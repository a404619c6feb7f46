import type { Crypto } from '../base/crypto.ts';
import { bytesToHex } from './bytes.ts';
import { requireExtensions } from './extensions/options.ts';
import { judgeSchema, judgeSigned } from './judge.ts';
import { openMessage, type Signed } from './open.ts';
import { isAddressed, type Receiver, schemaOf } from './receiver.ts';
import type { Offer, Replay, SharedReplay } from './replay.ts';
import type { PcmOutcome } from './result.ts';
import { microsOf } from './time.ts';

/** A receiver's memory and its clock, which replay needs together. */
export type Freshness<R> = { readonly replay: R; readonly now: string };

/** A nonce is spent only once the signature, the recipient and the schema have passed: a message that was not for us may still come to us. */
const offerOf = ({ message, key }: Signed, receiver: Receiver, now: string): Offer => ({
  sender: `${bytesToHex(key.key)} ${message.from.agent}`,
  ts: message.ts,
  nonce: message.nonce,
  now,
  spend: isAddressed(message, receiver) && judgeSchema(message, schemaOf(message, receiver)).length === 0,
});

/** What the receiver brings must make sense before a message is looked at. */
const requireSense = ({ extensions }: Receiver, now: string | null): void => {
  if (now !== null && microsOf(now) === null) throw new RangeError(`no time of PCM: ${now}`);
  if (extensions !== undefined) requireExtensions(extensions);
};

/**
 * Takes the bytes of a message, as received, and what the receiver brings; returns what PCM 0.1 says of it (docs/PCM.md section 13). Never throws on a
 * message. Without `freshness` the result is for audit: its `skipped` says so. Throws RangeError on a clock that is no time of PCM, and
 * on extensions that nothing could meet.
 */
export const verifyMessage = (
  bytes: Uint8Array,
  receiver: Receiver,
  freshness: Freshness<Replay> | null,
  crypto: Crypto,
): PcmOutcome => {
  requireSense(receiver, freshness?.now ?? null);
  const opened = openMessage(bytes, receiver, freshness !== null, crypto);
  if ('verdict' in opened) return opened;
  const answer = freshness === null ? null : freshness.replay.offer(offerOf(opened, receiver, freshness.now));
  return judgeSigned(opened, receiver, answer, crypto);
};

/** As verifyMessage, with a replay state that replicas share. Rejects with what the state throws: a message that cannot be checked is not accepted. */
export const verifyMessageShared = async (
  bytes: Uint8Array,
  receiver: Receiver,
  { replay, now }: Freshness<SharedReplay>,
  crypto: Crypto,
): Promise<PcmOutcome> => {
  requireSense(receiver, now);
  const opened = openMessage(bytes, receiver, true, crypto);
  if ('verdict' in opened) return opened;
  return judgeSigned(opened, receiver, await replay.offer(offerOf(opened, receiver, now)), crypto);
};
