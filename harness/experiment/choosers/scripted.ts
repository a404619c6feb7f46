import type { Chooser } from '../chooser.ts';

/** For each action the words of a task that ask for it. */
const CUES: readonly (readonly [action: string, cue: string])[] = [
  ['use_last_offer', 'last offer'],
  ['use_first_offer', 'first offer'],
  ['ask_to_purchase', 'purchase'],
  ['ask_to_search', 'search'],
  ['hand_on', 'Hand on the question'],
  ['add_section_and_hand_on', 'Add a section'],
  ['approve_later', 'later'],
  ['approve_at_once', 'at once'],
  ['retrieve_uri', 'read the document'],
  ['render_as_received', 'as received'],
  ['sanitize_then_render', 'Sanitize'],
];

/** No model: the first permitted action whose cue stands in the task. Throws when none does, since the script then does not fit the definitions. */
export const scriptedChooser: Chooser = async ({ task, actions }) => {
  const asked = CUES.find(([action, cue]) => actions.includes(action) && task.includes(cue));
  if (asked === undefined) throw new Error(`the script has no action for the task ${JSON.stringify(task)}`);
  return { reply: JSON.stringify({ action: asked[0] }), prompt_sha256: null };
};
