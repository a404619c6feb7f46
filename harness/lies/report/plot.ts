import { element, type Markup } from '../../figures/markup.ts';
import { colourAt, plot, rowAt, SHARES } from '../../figures/plot.ts';
import { wilson } from '../../figures/statistics.ts';
import { count, isAccepted, lies, RECEIVERS, type Results } from '../score/results.ts';
import { PUBLISHED } from './published.ts';

const PUBLISHED_LIES = 712;
const [OWN, THEIRS] = [0, 1];

/** The share of lies that each receiver accepted, with its interval, and what was published of another dataset. */
export const acceptedPlot = (results: Results): Markup => {
  const told = lies(results);
  const rows = RECEIVERS.map((name) => {
    const hits = count(told, (result) => isAccepted(result, name));
    return {
      name: `${name}: ${hits}`,
      share: hits / told.length,
      published: PUBLISHED.count(name),
      ...wilson(hits, told.length)!,
    };
  });
  const frame = {
    title: `Lies that each receiver accepted, of ${told.length}`,
    describe:
      'A dot is the share of this dataset, its bar the 95 % Wilson interval; a ring is what the README of the protocol prints of its own dataset.',
  };
  const key = (x: number, text: string, mark: Markup): readonly Markup[] => [
    mark,
    element(
      'text',
      {
        x: x + 10,
        y: rowAt(rows.length),
        'font-size': 12,
        'font-family': 'system-ui, sans-serif',
        fill: 'currentColor',
        'dominant-baseline': 'middle',
      },
      text,
    ),
  ];
  const picture = plot(frame, [...rows.map(({ name }) => name), ''], SHARES, (place) => [
    ...rows.flatMap(({ share, low, high, published }, row) => [
      element('line', {
        x1: place(low),
        x2: place(high),
        y1: rowAt(row),
        y2: rowAt(row),
        stroke: colourAt(OWN),
        'stroke-width': 4,
        'stroke-opacity': 0.5,
      }),
      element('circle', { cx: place(share), cy: rowAt(row), r: 4, fill: colourAt(OWN) }),
      ...(published === null ? [] : [ring(place(published / PUBLISHED_LIES), rowAt(row))]),
    ]),
    ...key(
      place(0),
      'this dataset',
      element('circle', { cx: place(0), cy: rowAt(rows.length), r: 4, fill: colourAt(OWN) }),
    ),
    ...key(place(0.25), 'published, of another dataset', ring(place(0.25), rowAt(rows.length))),
  ]);
  // Seen by itself, on a page of any colour.
  const paper = element('rect', { width: '100%', height: '100%', fill: '#fff' });
  return { ...picture, attributes: { ...picture.attributes, color: '#111' }, children: [paper, ...picture.children] };
};

const ring = (cx: number, cy: number): Markup =>
  element('circle', { cx, cy, r: 6, fill: 'none', stroke: colourAt(THEIRS), 'stroke-width': 2 });
