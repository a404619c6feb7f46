import { linesOf } from './lines.ts';
import { RESULT_FORMAT } from './result-format.ts';

/** How a line of results begins, be it cut off. */
const BEGINNING = `{"format":"${RESULT_FORMAT}"`;

/** Whether a file holds results as far as it goes, or nothing. */
export const isResults = (file: string): boolean => {
  for (const { text } of linesOf(file))
    return text !== null && (text.startsWith(BEGINNING) || BEGINNING.startsWith(text));
  return true;
};
