import { toEpochMs } from '../../base/time.ts';
import type { Collection } from '../../evidence/collections.ts';
import { drawnRecord, figure, fitted, svgText, widthOf } from './drawing.ts';
import { el, type PageElement } from './node.ts';
import { section } from './parts.ts';
import type { Row, Seen } from './seen.ts';

const LANES: readonly (readonly [string, readonly Collection[]])[] = [
  ['Cards and discovery', ['candidate_cards', 'trusted_cards', 'selected_cards', 'endpoints', 'discovery_events']],
  ['Exchanges', ['exchanges']],
  ['Capabilities, routing', ['capability_invocations', 'routing_events']],
  ['Tasks and load', ['task_transitions', 'task_load_snapshots']],
  ['Web addresses', ['uri_references', 'uri_dereferences', 'dereference_responses']],
  ['Artifacts', ['artifacts', 'artifact_renders', 'sanitizers']],
];
const LEFT = 170;
const WIDTH = 960;
const RIGHT = 24;
const LANE = 40;
const TOP = 34;
/** Records that come closer than this are one mark. */
const NEAR = 10;
const STEPS = [1, 2, 5];

/** A round distance between ticks, in milliseconds, that gives four to ten of them. */
const tickOf = (span: number): number => {
  for (let unit = 1; ; unit *= 10) {
    const step = STEPS.map((times) => times * unit).find((distance) => span / distance <= 10);
    if (step !== undefined) return step;
  }
};

const elapsed = (ms: number): string => (ms < 1000 ? `+${ms} ms` : `+${ms / 1000} s`);

/** A record of a lane stands for all that are drawn at its place; one that a finding names stands before others. */
type Place = { readonly x: number; readonly row: Row; readonly count: number };

const RANK = { affected: 2, supporting: 1, none: 0 };
const rank = ({ mark }: Row): number => RANK[mark ?? 'none'];

const placesOf = (rows: readonly Row[], xOf: (row: Row) => number): readonly Place[] => {
  const places = new Map<number, Place>();
  for (const row of rows) {
    const slot = Math.round(xOf(row) / NEAR);
    const known = places.get(slot);
    const first = known === undefined || rank(row) > rank(known.row) ? row : known.row;
    places.set(slot, { x: slot * NEAR, row: first, count: (known?.count ?? 0) + 1 });
  }
  return [...places.values()];
};

const markOf = ({ x, row, count }: Place, y: number): PageElement => {
  const r = count === 1 ? 4.5 : 7.5;
  return drawnRecord(
    row,
    row.mark === 'affected'
      ? el('path', { class: 'dot', d: `M${x} ${y - 10}l10 10l-10 10l-10 -10z`, stroke: 'currentColor' })
      : el('circle', { class: 'dot', cx: x, cy: y, r, stroke: 'currentColor' }),
    count === 1
      ? null
      : svgText(x, y + 3.5, count > 99 ? '99+' : String(count), {
          'text-anchor': 'middle',
          'font-size': 9,
          class: 'count',
        }),
  );
};

/** The label of an affected record, on the side where there is room. */
const named = ({ x, row }: Place, y: number): PageElement => {
  const text = fitted(row.id, 200);
  const isLeft = x + 16 + widthOf(text) > WIDTH;
  return svgText(isLeft ? x - 14 : x + 14, y - 10, text, {
    'text-anchor': isLeft ? 'end' : 'start',
    class: 'affected-name',
  });
};

/** When each record was seen, by the clock of the capture. */
export const timelineOf = (seen: Seen): PageElement | null => {
  const timed = seen.rows.filter(({ collection }) => collection !== 'trace_metadata');
  const times = timed.map(({ at }) => toEpochMs(at) ?? 0);
  if (timed.length === 0) return null;
  const start = times.reduce((a, b) => Math.min(a, b));
  const span = Math.max(1, times.reduce((a, b) => Math.max(a, b)) - start);
  const scale = (WIDTH - LEFT - RIGHT) / span;
  const xOf = (row: Row): number => LEFT + ((toEpochMs(row.at) ?? 0) - start) * scale;
  const lanes = LANES.map(([name, collections]) => ({
    name,
    rows: timed.filter(({ collection }) => collections.includes(collection)),
  })).filter(({ rows }) => rows.length > 0);
  const height = TOP + LANE * lanes.length + 12;
  const tick = tickOf(span);
  const ticks = Array.from({ length: Math.floor(span / tick) + 1 }, (_, at) => at * tick);
  return section(
    'timeline',
    'When it was seen',
    figure(
      'Timeline of the records',
      WIDTH,
      height,
      [
        `From ${new Date(start).toISOString()}, by the clock of the capture: the order of the records is what was signed, their times are what that clock said. `,
        'A ring with a number stands for so many records; a diamond is an affected record.',
      ],
      ticks.map((ms) => [
        el('line', {
          class: 'tick',
          x1: LEFT + ms * scale,
          y1: TOP - 8,
          x2: LEFT + ms * scale,
          y2: height - 8,
          stroke: 'currentColor',
        }),
        svgText(LEFT + ms * scale, TOP - 14, elapsed(ms), { 'text-anchor': 'middle', class: 'order' }),
      ]),
      lanes.map(({ name, rows }, at) => {
        const y = TOP + LANE * at + LANE / 2;
        const places = placesOf(rows, xOf);
        return [
          svgText(0, y + 4, name),
          el('line', { class: 'lane', x1: LEFT, y1: y, x2: WIDTH - RIGHT, y2: y, stroke: 'currentColor' }),
          places.map((place) => markOf(place, y)),
          places
            .filter(({ row }) => row.mark === 'affected')
            .slice(0, 3)
            .map((place) => named(place, y)),
        ];
      }),
    ),
  );
};
