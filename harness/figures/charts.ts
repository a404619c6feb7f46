import { element, type Markup } from './markup.ts';
import { colourAt, type Frame, label, logAxis, plot, ROW, rowAt, SHARES, widthOf } from './plot.ts';
import { median, p95 } from './statistics.ts';

const namesOf = (rows: readonly { readonly name: string }[]): readonly string[] => rows.map(({ name }) => name);

/**
 * Every value (above 0) of each row as a dot on a logarithmic axis, with a line at the median and a broken one at p95. Rows
 * without a value are left out; null when none has one.
 */
export const strips = (
  frame: Frame,
  unit: string,
  rows: readonly { readonly name: string; readonly values: readonly number[] }[],
): Markup | null => {
  const full = rows.filter(({ values }) => values.length > 0);
  if (full.length === 0) return null;
  const axis = logAxis(
    full.flatMap(({ values }) => values),
    unit,
  );
  return plot(frame, namesOf(full), axis, (place) =>
    full.flatMap(({ values }, row) => [
      ...values.map((value, nth) =>
        element('circle', {
          cx: place(value),
          // Spread over the height of the row in their order, so that equal values do not hide one another.
          cy: rowAt(row) + ((nth + 0.5) / values.length - 0.5) * ROW * 0.6,
          r: 2,
          fill: colourAt(0),
          'fill-opacity': 0.55,
        }),
      ),
      ...[median(values), p95(values)].map((value, nth) =>
        element('line', {
          x1: place(value),
          x2: place(value),
          y1: rowAt(row) - ROW * 0.4,
          y2: rowAt(row) + ROW * 0.4,
          stroke: colourAt(1),
          'stroke-width': 2,
          'stroke-dasharray': nth === 0 ? 'none' : '3 2',
        }),
      ),
    ]),
  );
};

/** A share of each row as a dot, with its interval; all between 0 and 1. Null when there is no row. */
export const intervals = (
  frame: Frame,
  rows: readonly { readonly name: string; readonly share: number; readonly low: number; readonly high: number }[],
): Markup | null =>
  rows.length === 0
    ? null
    : plot(frame, namesOf(rows), SHARES, (place) =>
        rows.flatMap(({ share, low, high }, row) => [
          element('line', {
            x1: place(low),
            x2: place(high),
            y1: rowAt(row),
            y2: rowAt(row),
            stroke: colourAt(0),
            'stroke-width': 4,
            'stroke-opacity': 0.5,
          }),
          element('circle', { cx: place(share), cy: rowAt(row), r: 4, fill: colourAt(0) }),
        ]),
      );

/** One part of a row: what it is, how often, and which colour it takes. */
export type Part = { readonly name: string; readonly count: number; readonly colour: number };

/** How each row divides among its parts, as one bar from 0 to 100 %; a part tells its name where there is room for it. */
export const shares = (
  frame: Frame,
  rows: readonly { readonly name: string; readonly parts: readonly Part[] }[],
): Markup =>
  plot(frame, namesOf(rows), SHARES, (place) =>
    rows.flatMap(({ parts }, row) => {
      const of = parts.reduce((sum, { count }) => sum + count, 0);
      let before = 0;
      return parts.flatMap(({ name, count, colour }) => {
        if (count === 0) return [];
        const [start, end] = [place(before / of), place((before + count) / of)];
        before += count;
        const named = `${name} ${count}`;
        const bar = { x: start, y: rowAt(row) - ROW * 0.38, width: end - start, height: ROW * 0.76 };
        return [
          element('rect', { ...bar, fill: colourAt(colour), 'fill-opacity': 0.4 }, element('title', {}, named)),
          label((start + end) / 2, rowAt(row), widthOf(named) < end - start ? named : String(count), 'middle'),
        ];
      });
    }),
  );
