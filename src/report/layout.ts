import { neutralise } from '../base/terminal.ts';

/** How a face colours; the shell decides whether at all (NO_COLOR, not a terminal). */
export type Paint = {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly verdict: (exitCode: number, text: string) => string;
  readonly status: (status: string, text: string) => string;
};

const same = (text: string): string => text;
export const PLAIN: Paint = { bold: same, dim: same, verdict: (_, text) => text, status: (_, text) => text };

const WIDTH = 100;
const LABEL = 10;

/** One paragraph, neutralised and wrapped at 100 columns; a word longer than a line stays whole, so that it can be copied. */
export const paragraph = (text: string, first: string, rest: string): string[] => {
  const lines: string[] = [];
  let line = first;
  let empty = true;
  for (const word of neutralise(text).split(' ')) {
    if (!empty && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = rest;
      empty = true;
    }
    line += empty ? word : ` ${word}`;
    empty = false;
  }
  return [...lines, line];
};

/** A labelled value under its heading; a label longer than its column makes the column wider. */
export const field = (label: string, value: string): string[] => {
  const name = neutralise(label);
  const column = Math.max(LABEL, name.length + 1);
  return paragraph(value, `    ${name.padEnd(column)}`, ' '.repeat(4 + column));
};
