import { compileIdPattern } from '../pcm/id-pattern.ts';

/** Tells whether a pattern is found anywhere in a text. */
export type AskPattern = (text: string) => boolean;

/** Any text, line separators too, which `.` of the dialect leaves out. */
const ANYTHING = '(?:[^a]|a)*';

/** True where a `|` stands outside of groups and sets: an anchor would hold for one of its sides alone. */
const hasBareChoice = (pattern: string): boolean => {
  let depth = 0;
  let inSet = false;
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at];
    if (character === '\\') at++;
    else if (inSet) inSet = character !== ']';
    else if (character === '[') inSet = true;
    else if (character === '(') depth++;
    else if (character === ')') depth--;
    else if (character === '|' && depth === 0) return true;
  }
  return false;
};

const endsWithAnchor = (pattern: string): boolean =>
  pattern.endsWith('$') && /\\*$/.exec(pattern.slice(0, -1))![0].length % 2 === 0;

/**
 * Takes the pattern of an ask rule; returns what finds it in the canonical text of a call's args, or in words why it is refused. `^` at its start
 * and `$` at its end hold it to the ends of the text; `^` alone is found in every text. The dialect is that of id fields (docs/PCM.md section 6):
 * the args are the agent's, and a matcher that backtracks could be made to hang the signer.
 */
export const compileAskPattern = (pattern: string): AskPattern | string => {
  const [fromStart, toEnd] = [pattern.startsWith('^'), endsWithAnchor(pattern)];
  const core = pattern.slice(fromStart ? 1 : 0, toEnd ? -1 : undefined);
  if (core === '' && !(fromStart && toEnd)) return () => true;
  if ((fromStart || toEnd) && hasBareChoice(core))
    return 'write the choice in a group, so that ^ and $ hold for all of it';
  const compiled = compileIdPattern(`${fromStart ? '' : ANYTHING}(?:${core})${toEnd ? '' : ANYTHING}`);
  return typeof compiled === 'string' ? compiled : compiled.matches;
};
