import { neutralise } from '../../base/terminal.ts';
import { beginning } from './evidence-text.ts';
import { type Content, el, type PageElement } from './node.ts';
import { scrollable } from './parts.ts';
import { lineOf } from './record-line.ts';
import { anchorOf, type Row } from './seen.ts';
import { KINDS } from './vocabulary.ts';

/** A drawing of such a width is scaled to the page, where that is as wide as a screen; a wider one is scrolled. */
const LEAST_SCALED = 900;
export const MOST_SCALED = 1500;
/** Width of one character of a drawing's labels, of 12 units: wide enough for the widest of common fonts. */
const CHARACTER = 7.2;

/** About how wide a text is drawn. */
export const widthOf = (text: string): number => Array.from(text).length * CHARACTER;

/** A label that fits a width; what does not stands in the record. */
export const fitted = (text: string, width: number): string => {
  const clean = neutralise(beginning(text, 500));
  const most = Math.max(3, Math.floor(width / CHARACTER));
  const characters = Array.from(clean);
  return characters.length <= most ? clean : `${characters.slice(0, most - 1).join('')}…`;
};

export const svgText = (
  x: number,
  y: number,
  text: string,
  attributes: Record<string, string | number> = {},
): PageElement => el('text', { x, y, ...attributes }, text);

/** A part of a drawing that leads to its record, and says it in words. */
export const drawnRecord = (row: Row, ...content: readonly Content[]): PageElement => {
  const mark = row.mark === null ? '' : `, ${row.mark}`;
  const words = `${KINDS[row.collection].name} ${row.id}${mark}: ${beginning(lineOf(row.collection, row.fields), 300)}`;
  return el(
    'a',
    { href: `#${anchorOf(row)}`, class: row.mark === null ? 'drawn' : `drawn ${row.mark}`, 'aria-label': words },
    el('title', {}, words),
    ...content,
  );
};

/** A drawing with its caption; as wide as it needs to be, scrolled where the page is narrower. */
export const figure = (
  label: string,
  width: number,
  height: number,
  caption: Content,
  ...content: readonly Content[]
): PageElement =>
  el(
    'figure',
    {},
    scrollable(
      label,
      el(
        'svg',
        {
          viewBox: `0 0 ${Math.ceil(width)} ${Math.ceil(height)}`,
          width: Math.ceil(width),
          height: Math.ceil(height),
          role: 'group',
          class: width > LEAST_SCALED && width <= MOST_SCALED ? 'fits' : null,
          'aria-label': label,
          'font-size': 12,
        },
        ...content,
      ),
    ),
    el('figcaption', {}, caption),
  );
