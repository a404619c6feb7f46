import { portableCrypto } from '../../src/base/portable-crypto.ts';
import { differences, MEMBERS, outcomeOf, type Vector } from '../pcm/vectors.ts';

/** How many vectors ran, and what differs from what they expect; runs in a page. */
export const vectorDifferences = (vectors: readonly Vector[]) => ({
  ran: vectors.length,
  differences: vectors.flatMap((vector) =>
    differences(vector, outcomeOf(vector, portableCrypto), MEMBERS).map((one) => ({ name: vector.name, ...one })),
  ),
});
