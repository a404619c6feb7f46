import { colourAt, type Frame, label, logAxis, plot, ROW, rowAt, shareAxis } from './plot.ts';
import { element, type Markup } from './report-markup.ts';
import { median, p95 } from './stats.ts';

/**
 * Every value of each row as a dot on a logarithmic axis, with a line at the median and a broken one at p95. Rows without
 * a value are left out.
 */
export const strips = (
  frame: Frame,
  unit: string,
  rows: readonly { readonly name: string; readonly values: readonly number[] }[],
): Markup => {
  const full = rows.filter(({ values }) => values.length > 0);
  const axis = logAxis(
    full.flatMap(({ values }) => values),
    unit,
  );
  const marks = full.flatMap(({ values }, at) => [
    ...values.map((value, nth) =>
      element('circle', {
        cx: axis.place(value),
        // Spread over the row by their order of time: equal values would hide one another.
        cy: rowAt(at) + ((nth + 0.5) / values.length - 0.5) * ROW * 0.6,
        r: 2,
        fill: colourAt(0),
        'fill-opacity': 0.55,
      }),
    ),
    ...[median(values), p95(values)].map((value, nth) =>
      element('line', {
        x1: axis.place(value),
        x2: axis.place(value),
        y1: rowAt(at) - ROW * 0.4,
        y2: rowAt(at) + ROW * 0.4,
        stroke: colourAt(1),
        'stroke-width': 2,
        'stroke-dasharray': nth === 0 ? 'none' : '3 2',
      }),
    ),
  ]);
  return plot(
    frame,
    full.map(({ name }) => name),
    axis,
    marks,
  );
};

/** A share of each row with its interval, between 0 and 100 %. Rows without an interval are left out. */
export const intervals = (
  frame: Frame,
  rows: readonly {
    readonly name: string;
    readonly share: number;
    readonly low: number;
    readonly high: number;
  }[],
): Markup => {
  const axis = shareAxis();
  const marks = rows.flatMap(({ share, low, high }, at) => [
    element('line', {
      x1: axis.place(low),
      x2: axis.place(high),
      y1: rowAt(at),
      y2: rowAt(at),
      stroke: colourAt(0),
      'stroke-width': 4,
      'stroke-opacity': 0.5,
    }),
    element('circle', { cx: axis.place(share), cy: rowAt(at), r: 5, fill: colourAt(0) }),
  ]);
  return plot(
    frame,
    rows.map(({ name }) => name),
    axis,
    marks,
  );
};

/** One part of a row: what it is, how often, and which colour it takes. */
export type Part = { readonly name: string; readonly count: number; readonly colour: number };

/** Roughly what a character takes of the width at the size of the labels. */
const CHARACTER = 6.6;

/** How each row divides among its parts, as one bar from 0 to 100 %; a part tells its name where there is room for it. */
export const shares = (
  frame: Frame,
  rows: readonly { readonly name: string; readonly parts: readonly Part[] }[],
): Markup => {
  const axis = shareAxis();
  const marks = rows.flatMap(({ parts }, at) => {
    const of = parts.reduce((sum, { count }) => sum + count, 0);
    let before = 0;
    return parts.flatMap(({ name, count, colour }) => {
      if (count === 0) return [];
      const [start, end] = [axis.place(before / of), axis.place((before + count) / of)];
      before += count;
      const named = `${name} ${count}`;
      const bar = { x: start, y: rowAt(at) - ROW * 0.38, width: end - start, height: ROW * 0.76 };
      return [
        element('rect', { ...bar, fill: colourAt(colour), 'fill-opacity': 0.45 }, element('title', {}, named)),
        label((start + end) / 2, rowAt(at), named.length * CHARACTER < end - start ? named : String(count), 'middle'),
      ];
    });
  });
  return plot(
    frame,
    rows.map(({ name }) => name),
    axis,
    marks,
  );
};
