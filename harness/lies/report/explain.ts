import { EXTENDED, isAccepted, lies, OURS, type Results } from '../score/results.ts';
import { untrue } from '../truth.ts';

/** A lie that our verifier accepted: what was done, why it is one, and what becomes of it with the extensions. */
export type Explained = {
  readonly id: string;
  readonly how: string;
  readonly why: string;
  readonly extended: string;
  readonly reasons: readonly string[];
};

/** Every lie that our verifier neither rejected nor left unproven, one by one. */
export const explainedOf = (results: Results): readonly Explained[] => {
  const { acts, head } = results.dataset;
  return lies(results)
    .filter((result) => isAccepted(result, OURS))
    .map((result) => ({
      id: result.message.id,
      how: result.message.how,
      why: untrue(result.message, acts, head.me) ?? '',
      extended: isAccepted(result, EXTENDED) ? 'accepted' : result.row.extended.verdict,
      reasons: result.row.extended.reasons,
    }));
};
