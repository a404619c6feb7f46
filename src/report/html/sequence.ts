import { drawnRecord, figure, fitted, svgText, widthOf } from './drawing.ts';
import { type Content, el, type PageElement } from './node.ts';
import { counted, section } from './parts.ts';
import type { Seen } from './seen.ts';
import { type Step, stepsOf } from './sequence-steps.ts';

const MOST_STEPS = 120;
const MOST_LANES = 12;
const OTHERS = 'others';
const LEFT = 56;
const WIDEST_LANE = 240;
const NARROWEST_LANE = 150;
const PAGE = 1080;
const HEAD = 44;
const ARROW = 52;
const NOTE = 34;

/** The first steps, and those that a finding names wherever they stand. */
const chosen = (steps: readonly Step[]): readonly Step[] => {
  if (steps.length <= MOST_STEPS) return steps;
  const marked = new Set(steps.filter(({ row }) => row.mark !== null).slice(0, MOST_STEPS / 2));
  let room = MOST_STEPS - marked.size;
  return steps.filter((step) => marked.has(step) || room-- > 0);
};

const lanesOf = (steps: readonly Step[]): readonly string[] => {
  const names = [...new Set(steps.flatMap(({ from, to }) => (to === null ? [from] : [from, to])))];
  return names.length <= MOST_LANES ? names : [...names.slice(0, MOST_LANES - 1), OTHERS];
};

const arrow = (from: number, to: number, y: number, attributes: Record<string, string | number>): Content => {
  const head = to > from ? -7 : 7;
  return [
    el('line', { x1: from, y1: y, x2: to, y2: y, stroke: 'currentColor', ...attributes }),
    el('path', { d: `M${to + head} ${y - 4}L${to} ${y}L${to + head} ${y + 4}`, fill: 'none', stroke: 'currentColor' }),
  ];
};

const LOOP = 36;

const message = ({ row, label, answer }: Step, from: number, to: number, y: number): PageElement => {
  const middle = (from + to) / 2;
  const width = Math.abs(to - from) - 16;
  return drawnRecord(
    row,
    el('rect', {
      class: 'hit',
      x: Math.min(from, to),
      y: y - 20,
      width: Math.abs(to - from),
      height: ARROW - 6,
      fill: 'transparent',
    }),
    svgText(middle, y - 6, fitted(label, width), { 'text-anchor': 'middle', class: 'asked' }),
    arrow(from, to, y, { 'stroke-width': 1.4 }),
    svgText(middle, y + 15, fitted(answer ?? '', width), { 'text-anchor': 'middle', class: 'answer' }),
    arrow(to, from, y + 21, { 'stroke-width': 1, 'stroke-dasharray': '4 3' }),
  );
};

/** Of an agent to itself, or within the lane of all others. */
const toItself = ({ row, label, answer }: Step, x: number, y: number, width: number): PageElement =>
  drawnRecord(
    row,
    el('path', { d: `M${x} ${y}h${LOOP}v21h-${LOOP - 2}`, fill: 'none', stroke: 'currentColor' }),
    svgText(x + LOOP + 6, y + 4, fitted(label, width)),
    svgText(x + LOOP + 6, y + 20, fitted(answer ?? '', width), { class: 'answer' }),
  );

const MOST_NOTE = 460;

/** A note at a participant, moved to the left where the drawing ends. */
const note = ({ row, label }: Step, x: number, y: number, width: number): PageElement => {
  const text = fitted(label, Math.min(MOST_NOTE, width - LEFT) - 16);
  const wide = Math.max(70, widthOf(text) + 16);
  const left = Math.max(LEFT, Math.min(x - 10, width - wide - 2));
  return drawnRecord(
    row,
    el('rect', { class: 'note', x: left, y: y - 15, width: wide, height: 24, rx: 3, stroke: 'currentColor' }),
    svgText(left + 8, y + 1, text),
  );
};

const heightOf = ({ to }: Step): number => (to === null ? NOTE : ARROW);

/** Agents and what passed between them, in the order of the capture. */
export const sequenceOf = (seen: Seen): PageElement | null => {
  const all = stepsOf(seen.rows);
  if (all.length === 0) return null;
  const steps = chosen(all);
  const lanes = lanesOf(steps);
  const lane = Math.max(NARROWEST_LANE, Math.min(WIDEST_LANE, Math.floor((PAGE - LEFT) / lanes.length)));
  const xOf = (name: string): number =>
    LEFT + lane / 2 + lane * (lanes.includes(name) ? lanes.indexOf(name) : lanes.length - 1);
  const width = Math.max(LEFT + lane * lanes.length, MOST_NOTE);
  const height = HEAD + 26 + steps.reduce((sum, step) => sum + heightOf(step), 0);
  let y = HEAD + 26;
  const drawn = steps.map((step) => {
    const at = y;
    y += heightOf(step);
    const from = xOf(step.from);
    const to = step.to === null ? from : xOf(step.to);
    const order = svgText(4, at + 2, String(step.row.sequence), { class: 'order' });
    if (step.to === null) return [order, note(step, from, at, width)];
    return [order, from === to ? toItself(step, from, at, width - from - LOOP - 8) : message(step, from, to, at)];
  });
  const left = all.length - steps.length;
  return section(
    'sequence',
    'Who asked what of whom',
    figure(
      'Sequence diagram of agents and exchanges',
      width,
      height,
      [
        'Top to bottom, in the order of the capture, whose number stands at the left. Solid: a request; dashed: its answer. Outlined: what findings name. The table of records says the same in words.',
        left > 0
          ? ` Drawn: the first of ${counted(all.length, 'step')}, and those that findings name; left out: ${left}.`
          : null,
      ],
      lanes.map((name) => [
        el('line', {
          class: 'lane',
          x1: xOf(name),
          y1: HEAD,
          x2: xOf(name),
          y2: height,
          stroke: 'currentColor',
          'stroke-dasharray': '2 4',
        }),
        el('rect', {
          class: 'head',
          x: xOf(name) - lane / 2 + 8,
          y: 8,
          width: lane - 16,
          height: 30,
          rx: 3,
          stroke: 'currentColor',
        }),
        svgText(xOf(name), 27, fitted(name, lane - 32), { 'text-anchor': 'middle', class: 'lane-name' }),
      ]),
      drawn,
    ),
  );
};
