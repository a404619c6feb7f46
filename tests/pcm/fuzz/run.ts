import type { PcmOutcome } from '../../../src/pcm/result.ts';
import { verifyMessage } from '../../../src/pcm/verify.ts';
import { nativeCrypto } from '../../../src/store/native-crypto.ts';
import { bytesOf, type Members } from '../lab.ts';
import { outcomeOf, receiverOf } from '../vectors.ts';
import { vectorsIn } from '../vectors-folder.ts';
import { randomOf } from './random.ts';
import { meaningOf, mutateText } from './text.ts';
import { mutateValue } from './value.ts';
import { falsehood, LYING_BODIES, messageFor, receiver, TRUE_BODIES } from './world.ts';

/** What a run found: how many messages each verdict had, and each that is wrong. */
export type Findings = { readonly verdicts: Record<PcmOutcome['verdict'], number>; readonly wrong: string[] };

const isAccepted = ({ verdict }: PcmOutcome): boolean => verdict === 'accept' || verdict === 'accept-unproven';

const start = (): Findings => ({ verdicts: { accept: 0, 'accept-unproven': 0, reject: 0, 'bad-input': 0 }, wrong: [] });

/**
 * Mutates the text of vectors that are accepted, so that no signature is right but of what was signed. Wrong is a message that throws, or that is
 * accepted although it says something else than a vector.
 */
export const fuzzTexts = (count: number, seed: number): Findings => {
  const accepted = vectorsIn('tests/vectors/pcm').flatMap((vector) => {
    const outcome = outcomeOf(vector, nativeCrypto);
    if (outcome === 'config-error' || !isAccepted(outcome)) return [];
    return { name: vector.name, text: vector.text, receiver: receiverOf(vector, nativeCrypto)! };
  });
  const meanings = new Set(accepted.map(({ text }) => meaningOf(text)));
  const findings = start();
  for (let i = 0; i < count; i++) {
    const random = randomOf(seed + i);
    const { name, text, receiver } = random.pick(accepted);
    const bytes = mutateText(Buffer.from(text), Buffer.from(random.pick(accepted).text), random);
    try {
      const outcome = verifyMessage(bytes, receiver, null, nativeCrypto);
      findings.verdicts[outcome.verdict]++;
      if (isAccepted(outcome) && !meanings.has(meaningOf(bytes.toString())))
        findings.wrong.push(`text ${seed + i}, of ${name}: accepted, with another meaning`);
    } catch (error) {
      findings.wrong.push(`text ${seed + i}, of ${name}: ${String(error)}`);
    }
  }
  return findings;
};

/**
 * Mutates bodies of messages and signs each as a sender's signer would, so that what a message says meets the claims, grants and schema. Wrong is a message
 * that throws, or a result that says what did not happen (tests/pcm/fuzz/world.ts).
 */
export const fuzzSigned = (count: number, seed: number): Findings => {
  const findings = start();
  for (let i = 0; i < count; i++) {
    const random = randomOf(seed + i);
    const message: Members = messageFor(mutateValue(random.pick(random.pick([TRUE_BODIES, LYING_BODIES])), random));
    try {
      const outcome = verifyMessage(bytesOf(message), receiver, null, nativeCrypto);
      findings.verdicts[outcome.verdict]++;
      if (outcome.verdict === 'bad-input') continue;
      const proven = outcome.claims.flatMap(({ result }, place) => (result === 'proven' ? [place] : []));
      const wrong = falsehood(message, outcome.verdict, proven);
      if (wrong !== null) findings.wrong.push(`signed ${seed + i}: ${wrong}`);
    } catch (error) {
      findings.wrong.push(`signed ${seed + i}: ${String(error)}`);
    }
  }
  return findings;
};
