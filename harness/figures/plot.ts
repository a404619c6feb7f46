import { element, type Markup } from './markup.ts';

/** What a plot says of itself to a reader who does not see it. */
export type Frame = { readonly title: string; readonly describe: string };

/** Which values an axis spans, how they spread over it (equal steps of `at` are equal lengths), and which are written below. */
export type Axis = {
  readonly at: (value: number) => number;
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly { readonly value: number; readonly text: string }[];
};

const WIDTH = 820;
const RIGHT = 40;
const TOP = 8;
const BELOW = 28;
export const ROW = 26;
const TEXT = { fill: 'currentColor', 'font-size': 12, 'font-family': 'system-ui, sans-serif' };
/** Roughly the width of a character of that size. */
const CHARACTER = 6.8;

/** Stand out on white as on near-black, in the order in which series take them. */
const COLOURS = ['#2f7fc1', '#cf6a12', '#2f9e68', '#b455b0', '#8a7a1c', '#d0465a', '#5f7f95'] as const;
export const colourAt = (at: number): string => COLOURS[at % COLOURS.length]!;

export const widthOf = (text: string): number => text.length * CHARACTER;

export const label = (x: number, y: number, text: string, anchor: 'middle' | 'end'): Markup =>
  element('text', { ...TEXT, x, y, 'text-anchor': anchor, 'dominant-baseline': 'middle' }, text);

/** From 0 to 1, in per cent. */
export const SHARES: Axis = {
  at: (share) => share,
  low: 0,
  high: 1,
  ticks: [0, 0.25, 0.5, 0.75, 1].map((value) => ({ value, text: `${value * 100} %` })),
};

/** Logarithmic, around the values (at least one, all above 0), with ticks at 1, 2 and 5 of each decade. */
export const logAxis = (values: readonly number[], unit: string): Axis => {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const steps: number[] = [];
  // A decade more at both ends: the logarithm of a value just below a power of ten may be rounded to that power.
  for (let decade = Math.floor(Math.log10(least)) - 1; decade <= Math.ceil(Math.log10(most)) + 1; decade++) {
    for (const factor of [1, 2, 5]) steps.push(Number((factor * 10 ** decade).toPrecision(1)));
  }
  const low = steps.filter((step) => step <= least).at(-1)!;
  const high = steps.find((step) => step > most)!;
  const ticks = steps
    .filter((step) => step >= low && step <= high)
    .map((value) => ({ value, text: `${value} ${unit}` }));
  return { at: Math.log10, low, high, ticks };
};

/** The middle of a row, from the top. */
export const rowAt = (at: number): number => TOP + (at + 0.5) * ROW;

/**
 * A picture of named rows over one axis. `draw` is given where a value stands from the left, and returns the marks. Only
 * presentation attributes are used: a policy of the page that allows no inline style allows this.
 */
export const plot = (
  { title, describe }: Frame,
  names: readonly string[],
  { at, low, high, ticks }: Axis,
  draw: (place: (value: number) => number) => readonly Markup[],
): Markup => {
  const left = 20 + Math.max(...names.map(widthOf));
  const bottom = TOP + names.length * ROW;
  const place = (value: number): number =>
    left + ((at(value) - at(low)) / (at(high) - at(low))) * (WIDTH - left - RIGHT);
  return element(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${WIDTH} ${bottom + BELOW}`, width: '100%', role: 'img' },
    element('title', {}, title),
    element('desc', {}, describe),
    ...ticks.flatMap(({ value, text }) => [
      element('line', {
        x1: place(value),
        x2: place(value),
        y1: TOP,
        y2: bottom + 4,
        stroke: 'currentColor',
        'stroke-opacity': 0.2,
      }),
      label(place(value), bottom + 16, text, 'middle'),
    ]),
    ...names.map((text, row) => label(left - 10, rowAt(row), text, 'end')),
    ...draw(place),
  );
};
