import { hiddenRuns, neutralise } from '../../base/terminal.ts';
import { type Content, el, type PageElement } from './node.ts';

/** Characters of one text that a page shows; the bundle holds them all. */
const SHOWN = 16_384;
/** More runs of hidden characters than this are written as plain text: each would be an element. */
const MARKED = 256;

const marked = (text: string): Content => {
  const pieces = hiddenRuns(text);
  if (pieces.length > 2 * MARKED) return neutralise(text);
  return pieces.map(({ text: piece, hidden }) => (hidden ? el('span', { class: 'hidden' }, neutralise(piece)) : piece));
};

/** The beginning of a text, at most so many UTF-16 code units of it, that ends between two characters. */
export const beginning = (text: string, most: number): string =>
  text.length <= most ? text : text.slice(0, text.codePointAt(most - 1)! > 0xffff ? most - 1 : most);

const framed = (name: string, text: string, most: number): PageElement =>
  el(
    'bdi',
    { class: name },
    marked(beginning(text, most)),
    text.length > most ? el('span', { class: 'cut' }, ` … ${text.length - most} more`) : null,
  );

/** A word of a stranger within a sentence or a cell: in a frame of its own direction, what hides or reorders text made visible. */
export const quoted = (text: string, most = 400): PageElement => framed('evidence', text, most);

/** A sentence of our own that holds words of strangers. */
export const sentence = (text: string, most = 4000): PageElement => framed('told', text, most);

/** A whole text of a stranger, line by line. */
export const quotedBlock = (text: string, most = SHOWN): PageElement[] => {
  const lines = beginning(text, most).split('\n');
  return [
    el(
      'pre',
      { class: 'evidence', tabindex: 0, dir: 'ltr' },
      lines.map((line, at) => (at === 0 ? marked(line) : [el('br'), marked(line)])),
    ),
    ...(text.length > most
      ? [el('p', { class: 'cut' }, `Shown: ${most} of ${text.length} characters. The bundle file holds them all.`)]
      : []),
  ];
};
