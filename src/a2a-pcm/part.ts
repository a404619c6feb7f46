import type { Message, Part } from '@a2a-js/sdk';
import { encodeUtf8, isWellFormed } from '../base/utf8.ts';
import { isPcmMediaType, PCM_MEDIA_TYPE } from '../pcm/a2a-parts.ts';
import { envelopeOf } from '../pcm/envelope.ts';
import { finding } from '../pcm/finding.ts';
import { PCM_LIMITS } from '../pcm/limits.ts';
import type { PcmJudged, PcmOutcome } from '../pcm/result.ts';
import { readStrict } from '../pcm/strict-json.ts';
import { neverActedOn } from './intent-policy.ts';
import type { AcceptedMessage, PcmReceiver, RefusedMessage } from './receiver.ts';
import { PcmRefused } from './refused.ts';

/** The member of a part's metadata that says its media type where 0.3 has no other place. */
const METADATA_TYPE = 'mediaType';

/**
 * Takes the text of a message, byte for byte as its signer wrote it; returns a part of A2A that carries it. A client that speaks 0.3 over HTTP+JSON
 * loses the metadata of a text part: give it `pcmFilePart`. Throws RangeError on text that is no message.
 */
export const pcmPart = (text: string): Part => {
  requireMessage(text);
  return {
    content: { $case: 'text', value: text },
    mediaType: PCM_MEDIA_TYPE,
    filename: '',
    metadata: { [METADATA_TYPE]: PCM_MEDIA_TYPE },
  };
};

/** As pcmPart, as a file: its bytes keep their media type in every binding of 0.3 and 1.0, and are a third longer. */
export const pcmFilePart = (text: string): Part => {
  requireMessage(text);
  return {
    content: { $case: 'raw', value: Buffer.from(text) },
    mediaType: PCM_MEDIA_TYPE,
    filename: '',
    metadata: undefined,
  };
};

const requireMessage = (text: string): void => {
  if (!isWellFormed(text)) throw new RangeError('no message: half a surrogate pair');
  const read = readStrict(encodeUtf8(text), { what: 'message', maxBytes: PCM_LIMITS.messageBytes });
  const envelope = read.ok ? envelopeOf(read.value) : read;
  if (!envelope.ok) throw new RangeError(`no message: ${envelope.findings[0].detail}`);
};

/** True for a part that says it carries a message. */
export const isPcmPart = ({ mediaType, metadata }: Part): boolean => {
  const stated: unknown = metadata?.[METADATA_TYPE];
  return isPcmMediaType(mediaType) || (typeof stated === 'string' && isPcmMediaType(stated));
};

const bytesOf = ({ content }: Part): Uint8Array | RefusedMessage => {
  if (content?.$case === 'raw') return content.value;
  if (content?.$case === 'text' && isWellFormed(content.value)) return encodeUtf8(content.value);
  const detail = 'a message travels as text, and this part has none';
  return { verdict: 'bad-input', findings: [finding('PCM_A2A_PART', '', detail)] };
};

/**
 * Takes a message of the SDK and a receiver; returns the messages of PCM in its parts, in order, each verified and spent. Throws PcmRefused at the
 * first on which the receiver may not act. For what no guard stands before: the answer of another agent, or gRPC.
 */
export const receivePcm = async (
  { parts }: Pick<Message, 'parts'>,
  receiver: PcmReceiver,
): Promise<readonly AcceptedMessage[]> => {
  const accepted: AcceptedMessage[] = [];
  for (const part of parts.filter(isPcmPart)) {
    const bytes = bytesOf(part);
    const received = bytes instanceof Uint8Array ? await receiver.receive(bytes) : bytes;
    if ('findings' in received) throw new PcmRefused(received);
    accepted.push(received);
  }
  return accepted;
};

/**
 * Takes what verifyMessage says of a message; returns it when a receiver may act on it, as far as its claims are proven. Throws PcmRefused on bad
 * input, on a reject, and on a result whose `skipped` is not empty: that one is for audit.
 */
export const requireActable = (outcome: PcmOutcome): PcmJudged => {
  if (outcome.verdict === 'bad-input') throw new PcmRefused({ verdict: 'bad-input', findings: outcome.findings });
  const findings = neverActedOn(outcome);
  if (findings.length > 0) throw new PcmRefused({ verdict: 'reject', findings });
  return outcome;
};
