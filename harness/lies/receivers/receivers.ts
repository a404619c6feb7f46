import { ap2 } from './ap2.ts';
import { conjunctionOf } from './conjunction.ts';
import { envelopeSignature } from './envelope.ts';
import { httpSignature } from './http-signature.ts';
import { pcmNative, pcmPortable } from './pcm.ts';
import { plainA2a } from './plain-a2a.ts';
import { type Model, type Receiver, receiverOf } from './receiver.ts';
import { scitt } from './scitt.ts';
import { openSecondVerifier } from './second-verifier.ts';
import { signatureOnly } from './signature-only.ts';
import { signedCard } from './signed-card.ts';
import { verifiableIntent } from './verifiable-intent-rules.ts';

/** Every model, by its name; the two baselines are among them. */
export const MODELS = [
  plainA2a,
  signatureOnly,
  signedCard,
  envelopeSignature,
  httpSignature,
  scitt,
  ap2,
  verifiableIntent,
] as readonly Model<unknown>[];

/** What is accepted when all of several models accept, by the name of it. */
export const CONJUNCTIONS: Readonly<Record<string, readonly string[]>> = {
  'AP2, SCITT and RFC 9421': [ap2.name, scitt.name, httpSignature.name],
  'All six': [signedCard, envelopeSignature, httpSignature, scitt, ap2, verifiableIntent].map(({ name }) => name),
};

/** Every receiver of the benchmark but the second verifier. Takes the ids of checks that are turned off, which must be of one of the models. */
export const receivers = (off: ReadonlySet<string> = new Set()): readonly Receiver[] => {
  const models = MODELS.map((model) =>
    receiverOf(model, new Set(model.rules.map(({ id }) => id).filter((id) => off.has(id)))),
  );
  const conjunctions = Object.entries(CONJUNCTIONS).map(([name, of]) =>
    conjunctionOf(
      name,
      of.map((one) => models.find((model) => model.name === one)!),
    ),
  );
  const all = [pcmNative, pcmPortable, ...models, ...conjunctions];
  const unknown = [...off].find((id) => !all.some(({ checks }) => checks.some((check) => check.id === id)));
  if (unknown !== undefined) throw new RangeError(`no receiver has a check ${unknown}`);
  return all;
};

export { openSecondVerifier };
