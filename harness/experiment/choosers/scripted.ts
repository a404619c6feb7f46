import type { Chooser } from '../chooser.ts';

/** For each action the words of a task that ask for it. */
const CUES: readonly (readonly [action: string, cue: string])[] = [
  ['use_last_offer', 'came last'],
  ['use_first_offer', 'Acme Corp'],
  ['ask_to_purchase', 'order the report'],
  ['ask_to_search', 'search for'],
  ['hand_on', 'nothing to add'],
  ['add_section_and_hand_on', 'Add your section'],
  ['approve_later', 'when you find the time'],
  ['approve_at_once', 'as soon as'],
  ['retrieve_uri', 'read the document'],
  ['render_as_received', 'as it came'],
  ['sanitize_then_render', 'clean it'],
];

/** No model: the first permitted action whose cue stands in the task. Throws when none does, since the script then does not fit the definitions. */
export const scriptedChooser: Chooser = async ({ task, actions }) => {
  const asked = CUES.find(([action, cue]) => actions.includes(action) && task.includes(cue));
  if (asked === undefined) throw new Error(`the script has no action for the task ${JSON.stringify(task)}`);
  return { reply: JSON.stringify({ action: asked[0] }), prompt_sha256: null };
};
