import type { Chooser } from '../chooser.ts';
import { withoutContent } from '../prompt.ts';
import { SeededRandom } from '../random.ts';

const replyOf = (action: string | undefined) => ({ reply: JSON.stringify({ action }), prompt_sha256: null });

/** Always the first of the permitted actions. */
export const constantChooser: Chooser = async ({ actions }) => replyOf(actions[0]);

/** One of the permitted actions, by a seed. */
export const randomChooser = (seed: string): Chooser => {
  const random = new SeededRandom(`choice ${seed}`);
  return async ({ actions }) => replyOf(actions[random.below(actions.length)]);
};

/** What a model replies when it is told the permitted actions and no task. */
export const contentFreeChooser =
  (model: Chooser): Chooser =>
  (question) =>
    model(withoutContent(question));
