import { ap2 } from './ap2.ts';
import { conjunctionOf } from './conjunction.ts';
import { envelopeSignature } from './envelope.ts';
import { httpSignature } from './http-signature.ts';
import { pcmNative, pcmPortable } from './pcm.ts';
import { plainA2a } from './plain-a2a.ts';
import { type Receiver, receiverOf } from './receiver.ts';
import { scitt } from './scitt.ts';
import { openSecondVerifier } from './second-verifier.ts';
import { signatureOnly } from './signature-only.ts';
import { signedCard } from './signed-card.ts';
import { verifiableIntent } from './verifiable-intent-rules.ts';

/** Every receiver of the benchmark but the second verifier. Takes the ids of checks that are turned off, which must be of one of the models. */
export const receivers = (off: ReadonlySet<string> = new Set()): readonly Receiver[] => {
  const of = <T>(model: Parameters<typeof receiverOf<T>>[0]): Receiver =>
    receiverOf(model, new Set(model.rules.map(({ id }) => id).filter((id) => off.has(id))));
  const [card, envelope, http] = [of(signedCard), of(envelopeSignature), of(httpSignature)];
  const [receipts, mandates, intent] = [of(scitt), of(ap2), of(verifiableIntent)];
  const all = [
    pcmNative,
    pcmPortable,
    of(plainA2a),
    of(signatureOnly),
    card,
    envelope,
    http,
    receipts,
    mandates,
    intent,
    conjunctionOf('AP2, SCITT and RFC 9421', [mandates, receipts, http]),
    conjunctionOf('All six', [card, envelope, http, receipts, mandates, intent]),
  ];
  const unknown = [...off].find((id) => !all.some(({ checks }) => checks.some((check) => check.id === id)));
  if (unknown !== undefined) throw new RangeError(`no receiver has a check ${unknown}`);
  return all;
};

export { openSecondVerifier };
