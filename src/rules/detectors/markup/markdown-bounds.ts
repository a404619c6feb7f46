/** A linear look at Markdown before micromark, which is quadratic in brackets and in block containers. */
import {
  MAX_MARKDOWN_BRACKETS,
  MAX_MARKDOWN_CONTAINERS,
  MAX_MARKDOWN_LAZY,
  MAX_MARKDOWN_LAZY_RUN,
  MAX_MARKDOWN_LENGTH,
  MAX_MARKDOWN_NESTING,
  MAX_MARKDOWN_SIGNS,
} from './bounds.ts';

/** Block quotes and list items that the start of a line opens or continues, indentation counted as list nesting. */
const containersOf = (text: string, from: number, end: number): number => {
  let markers = 0;
  let columns = 0;
  let at = from;
  while (at < end) {
    const c = text[at]!;
    if (c === ' ') columns++;
    else if (c === '\t') columns += 4;
    else if (c === '>') markers++;
    else {
      let after = at + 1;
      if (c >= '0' && c <= '9') while (after < end && after - at < 10 && /[0-9.)]/.test(text[after]!)) after++;
      else if (c !== '-' && c !== '+' && c !== '*') break;
      if (after < end && text[after] !== ' ' && text[after] !== '\t') break;
      markers++;
      at = after;
      continue;
    }
    at++;
  }
  return markers === 0 ? 0 : markers + Math.floor(columns / 2);
};

type Line = { readonly blank: boolean; readonly signs: number; readonly brackets: number };

/** Signs are the characters that can start or end a construct; letters, digits and `+ / = ,` (base64) never do. */
const readLine = (text: string, start: number, end: number): Line => {
  let signs = 0;
  let brackets = 0;
  let blank = true;
  for (let at = start; at < end; at++) {
    const c = text.charCodeAt(at);
    const letter = (c >= 0x61 && c <= 0x7a) || (c >= 0x41 && c <= 0x5a) || (c >= 0x30 && c <= 0x39) || c > 0x7f;
    if (letter || c === 0x2b || c === 0x2f || c === 0x3d || c === 0x2c) blank = false;
    else if (c !== 0x20 && c !== 0x09) {
      blank = false;
      signs++;
      if (c === 0x5b || c === 0x5d || c === 0x28) brackets++;
    }
  }
  return { blank, signs, brackets };
};

/** The bound that this Markdown passes, or null. */
export const exceededMarkdownBound = (text: string): string | null => {
  if (text.length > MAX_MARKDOWN_LENGTH) return `Markdown of more than ${MAX_MARKDOWN_LENGTH} characters`;
  const total = { signs: 0, containers: 0, lazy: 0 };
  const block = { brackets: 0, lazy: 0, contained: false };
  for (let start = 0, end = 0; start < text.length; ) {
    // CommonMark 2.1: a line ends at LF, CR or both; CR LF read as two would make every second line blank.
    end = start;
    while (end < text.length && text[end] !== '\n' && text[end] !== '\r') end++;
    const nesting = containersOf(text, start, end);
    if (nesting > MAX_MARKDOWN_NESTING) return `Markdown nested deeper than ${MAX_MARKDOWN_NESTING}`;
    const line = readLine(text, start, end);
    start = text[end] === '\r' && text[end + 1] === '\n' ? end + 2 : end + 1;
    total.containers += nesting;
    total.signs += line.signs + 1;
    if (line.blank) Object.assign(block, { brackets: 0, lazy: 0, contained: false });
    block.brackets += line.brackets;
    if (nesting > 0) block.contained = true;
    else if (block.contained) {
      block.lazy++;
      total.lazy++;
    }
    if (total.signs > MAX_MARKDOWN_SIGNS) return `Markdown of more than ${MAX_MARKDOWN_SIGNS} signs and lines`;
    if (total.containers > MAX_MARKDOWN_CONTAINERS) {
      return `Markdown with more than ${MAX_MARKDOWN_CONTAINERS} block containers`;
    }
    if (block.brackets > MAX_MARKDOWN_BRACKETS) {
      return `Markdown with more than ${MAX_MARKDOWN_BRACKETS} brackets in one block`;
    }
    if (block.lazy > MAX_MARKDOWN_LAZY_RUN || total.lazy > MAX_MARKDOWN_LAZY) {
      return `Markdown with more than ${MAX_MARKDOWN_LAZY_RUN} lazy lines in one block, or ${MAX_MARKDOWN_LAZY} in all`;
    }
  }
  return null;
};
