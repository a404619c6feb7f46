import type { Report, ReportElement } from '../model.ts';
import { quoted } from './evidence-text.ts';
import { type Content, el, type PageElement } from './node.ts';
import { anchorOf } from './seen.ts';
import { kindOf } from './vocabulary.ts';

const INSTANT = /^(\d{4}-\d\d-\d\dT)(\d\d:\d\d:\d\d\.\d{3}Z)$/;

/** A time, which breaks only between day and hour. */
export const instant = (text: string): PageElement => {
  const [, day, hour] = INSTANT.exec(text) ?? [];
  if (day === undefined || hour === undefined) return quoted(text);
  return el('span', { class: 'instant' }, el('span', {}, day), el('wbr'), el('span', {}, hour));
};

/** What a page says by colour it says by shape and word too. */
export type State = 'verified' | 'refused' | 'found' | 'open' | 'claimed';

const SHAPES: Readonly<Record<State, readonly [string, string]>> = {
  verified: ['M10 1.5a8.5 8.5 0 1 0 0 17a8.5 8.5 0 1 0 0-17z', 'M6 10.4l2.8 2.8 5.4-6.2'],
  refused: ['M6.5 1.5h7l5 5v7l-5 5h-7l-5-5v-7z', 'M6.8 6.8l6.4 6.4M13.2 6.8l-6.4 6.4'],
  found: ['M10 1.8L19 18H1z', 'M10 7.2v5.2M10 14.6v1'],
  open: ['M10 1.5l8.5 8.5-8.5 8.5L1.5 10z', 'M7.6 8c0-3.4 4.8-3.2 4.8-.4 0 1.8-2.4 1.8-2.4 3.9M10 13.6v1'],
  claimed: ['M1.5 3.5h17v11h-10l-4 4v-4h-3z', 'M6 9h.6M9.7 9h.6M13.4 9h.6'],
};

/** The shape of a state; the word beside it says the same. */
export const shape = (state: State): PageElement => {
  const [frame, sign] = SHAPES[state];
  const line = {
    fill: 'none',
    stroke: 'currentColor',
    'stroke-width': 1.6,
    'stroke-linecap': 'round',
    'stroke-linejoin': 'round',
  };
  return el(
    'svg',
    { class: 'shape', viewBox: '0 0 20 20', width: 20, height: 20, 'aria-hidden': 'true', focusable: 'false' },
    el('path', { ...line, d: frame }),
    el('path', { ...line, d: sign }),
  );
};

/** A section of the page under its heading. */
export const section = (id: string, title: string, ...content: readonly Content[]): PageElement =>
  el('section', { id, 'aria-labelledby': `${id}-title` }, el('h2', { id: `${id}-title` }, title), ...content);

export const list = (items: readonly Content[]): PageElement | null =>
  items.length === 0
    ? null
    : el(
        'ul',
        {},
        items.map((item) => el('li', {}, item)),
      );

/** Names and what stands under them. */
export const terms = (pairs: readonly (readonly [string, Content])[]): PageElement =>
  el(
    'dl',
    {},
    pairs.map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value))),
  );

/** Drawings and tables are wider than a telephone: they scroll by themselves, by keyboard too. */
export const scrollable = (label: string, ...content: readonly Content[]): PageElement =>
  el('div', { class: 'scroll', role: 'region', tabindex: 0, 'aria-label': label }, ...content);

/** A record by type and id, leading to it. */
export const recordLink = ({ type, id }: { readonly type: string; readonly id: string }): PageElement =>
  el(
    'a',
    { class: 'record', href: `#${anchorOf({ type, id })}`, title: `${type} ${id}` },
    `${kindOf(type)} `,
    quoted(id),
  );

/** A path of records and relationships in words. */
export const pathOf = (path: readonly ReportElement[]): Content =>
  path.map((element) =>
    'relation' in element
      ? el('span', { class: 'relation' }, ` — ${element.relation} → `)
      : el('span', { class: 'step' }, recordLink(element)),
  );

export const counted = (count: number, word: string, many = `${word}s`): string =>
  `${String(count).replace(/\B(?=(\d{3})+$)/g, ',')} ${count === 1 ? word : many}`;

/** Entries of one kind that a page shows; the JSON report holds them all. */
export const MOST_ENTRIES = 100;

export const bounded = <T>(entries: readonly T[], show: (entry: T, at: number) => Content, what: string): Content => [
  entries.slice(0, MOST_ENTRIES).map(show),
  entries.length > MOST_ENTRIES
    ? el(
        'p',
        { class: 'cut' },
        `${counted(entries.length - MOST_ENTRIES, `more ${what}`)}: the JSON report holds them all.`,
      )
    : null,
];

export const levelOf = (report: Report, reason: string): string => report.reasons[reason]?.level ?? '';
