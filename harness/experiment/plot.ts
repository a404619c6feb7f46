import { element, type Markup } from './report-markup.ts';

/** What a plot says of itself to a reader who does not see it. */
export type Frame = { readonly title: string; readonly describe: string };

/** Where a value stands on the page, and which values are written below the axis. */
export type Axis = {
  readonly place: (value: number) => number;
  readonly ticks: readonly { readonly value: number; readonly text: string }[];
};

export const WIDTH = 760;
export const LEFT = 150;
export const RIGHT = 40;
export const ROW = 26;
const TOP = 8;
const BELOW = 28;
const TEXT = { fill: 'currentColor', 'font-size': 12, 'font-family': 'system-ui, sans-serif' };

/** Colours that stand out on white as on near-black, in the order in which series take them. */
export const COLOURS = ['#2f7fc1', '#cf6a12', '#2f9e68', '#b455b0', '#8a7a1c', '#d0465a', '#5f7f95'] as const;
export const colourAt = (at: number): string => COLOURS[at % COLOURS.length]!;

export const label = (x: number, y: number, text: string, anchor: 'start' | 'middle' | 'end'): Markup =>
  element('text', { ...TEXT, x, y, 'text-anchor': anchor, 'dominant-baseline': 'middle' }, text);

const between = (low: number, high: number) => (share: number) =>
  LEFT + ((share - low) / (high - low)) * (WIDTH - LEFT - RIGHT);

/** An axis from 0 to 1, in per cent. */
export const shareAxis = (): Axis => ({
  place: between(0, 1),
  ticks: [0, 0.25, 0.5, 0.75, 1].map((value) => ({ value, text: `${value * 100} %` })),
});

/** A logarithmic axis that holds the values (all above 0), with ticks at 1, 2 and 5 of each decade. */
export const logAxis = (values: readonly number[], unit: string): Axis => {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const steps: number[] = [];
  for (let decade = Math.floor(Math.log10(least)); decade <= Math.ceil(Math.log10(most)); decade++) {
    for (const factor of [1, 2, 5]) steps.push(factor * 10 ** decade);
  }
  const low = steps.filter((step) => step <= least).at(-1)!;
  const high = steps.find((step) => step > most) ?? most;
  const place = between(Math.log10(low), Math.log10(high));
  return {
    place: (value) => place(Math.log10(value)),
    ticks: steps
      .filter((step) => step >= low && step <= high)
      .map((value) => ({ value, text: `${Number(value.toPrecision(1))} ${unit}` })),
  };
};

/** The middle of a row, from the top. */
export const rowAt = (at: number): number => TOP + (at + 0.5) * ROW;

/** A picture of named rows over one axis; a reader who does not see it is told its title and its description. */
export const plot = (
  { title, describe }: Frame,
  rows: readonly string[],
  { place, ticks }: Axis,
  marks: readonly Markup[],
): Markup => {
  const bottom = TOP + rows.length * ROW;
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
    ...rows.map((text, at) => label(LEFT - 10, rowAt(at), text, 'end')),
    ...marks,
  );
};
