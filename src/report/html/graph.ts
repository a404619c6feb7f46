import dagre from '@dagrejs/dagre';
import type { Edge } from '../../evidence/bundle.ts';
import { drawnRecord, figure, fitted, svgText } from './drawing.ts';
import { el, type PageElement } from './node.ts';
import { counted, section } from './parts.ts';
import type { Row, Seen } from './seen.ts';
import { KINDS } from './vocabulary.ts';

/** More boxes than these are no drawing that a person reads. */
const MOST_NODES = 60;
const MOST_EDGES = 200;
const WIDTH = 150;
const HEIGHT = 40;

const ends = (edge: Edge): readonly [string, string] => [
  `${edge.source_type} ${edge.source_id}`,
  `${edge.destination_type} ${edge.destination_id}`,
];

/** The records to draw: all where they fit; else those that findings name, then what they touch, then the first. */
const chosen = ({ rows, edges }: Seen): ReadonlySet<string> => {
  const linked = new Set(edges.flatMap(ends));
  const candidates = rows.filter(({ key }) => linked.has(key));
  if (candidates.length <= MOST_NODES) return new Set(candidates.map(({ key }) => key));
  const keys = new Set<string>();
  const add = (key: string): void => {
    if (keys.size < MOST_NODES) keys.add(key);
  };
  for (const { key, mark } of candidates) if (mark !== null) add(key);
  const marked = new Set(keys);
  for (const [source, destination] of edges.map(ends)) {
    if (marked.has(source)) add(destination);
    if (marked.has(destination)) add(source);
  }
  for (const { key } of candidates) add(key);
  return keys;
};

const box = (row: Row, x: number, y: number): PageElement =>
  drawnRecord(
    row,
    el('rect', {
      class: 'box',
      x: x - WIDTH / 2,
      y: y - HEIGHT / 2,
      width: WIDTH,
      height: HEIGHT,
      rx: 3,
      stroke: 'currentColor',
    }),
    svgText(x, y - 4, fitted(KINDS[row.collection].name, WIDTH - 12), { 'text-anchor': 'middle', class: 'kind-name' }),
    svgText(x, y + 12, fitted(row.id, WIDTH - 12), { 'text-anchor': 'middle', class: 'id' }),
  );

type Point = { readonly x: number; readonly y: number };
const round = (value: number): number => Math.round(value * 10) / 10;

const line = (edge: Edge, points: readonly Point[], isSupporting: boolean): PageElement => {
  const path = points.map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`).join('');
  return el(
    'g',
    { class: isSupporting ? 'edge supporting' : 'edge' },
    el('title', {}, `${edge.source_id} ${edge.relation} ${edge.destination_id}`),
    el('path', { d: path, fill: 'none', stroke: 'currentColor', 'marker-end': 'url(#arrow)' }),
  );
};

const layout = (keys: ReadonlySet<string>, edges: readonly Edge[]) => {
  const graph = new dagre.graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'LR', nodesep: 12, ranksep: 44, marginx: 6, marginy: 6 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const key of keys) graph.setNode(key, { width: WIDTH, height: HEIGHT });
  for (const edge of edges) graph.setEdge(...ends(edge), {}, edge.edge_id);
  dagre.layout(graph);
  return graph;
};

/** How records belong together, as derived from them; the affected record and the path to it outlined. */
export const graphOf = (seen: Seen): PageElement | null => {
  const keys = chosen(seen);
  if (keys.size === 0) return null;
  const rows = new Map(seen.rows.map((row) => [row.key, row]));
  const among = seen.edges.filter((edge) => ends(edge).every((key) => keys.has(key)));
  const edges = [...among]
    .sort((a, b) => Number(seen.supporting.has(b.edge_id)) - Number(seen.supporting.has(a.edge_id)))
    .slice(0, MOST_EDGES);
  const graph = layout(keys, edges);
  const { width = 0, height = 0 } = graph.graph();
  const drawn = [...edges].reverse();
  return section(
    'relations',
    'What belongs to what',
    figure(
      'Graph of records and their relationships',
      width,
      height,
      [
        'Each arrow is a relationship that was derived from the records again. A double frame is the affected record; a heavy line is the path that supports it. ',
        keys.size === seen.rows.length && edges.length === seen.edges.length
          ? null
          : `Drawn: ${keys.size} of ${counted(seen.rows.length, 'record')} and ${edges.length} of ${counted(seen.edges.length, 'relationship')}; above ${MOST_NODES} records those that findings name, what these touch, then the first. Records that no relationship touches are not drawn.`,
      ],
      el(
        'defs',
        {},
        el(
          'marker',
          {
            id: 'arrow',
            viewBox: '0 0 8 8',
            refX: 7.5,
            refY: 4,
            markerWidth: 8,
            markerHeight: 8,
            orient: 'auto-start-reverse',
          },
          el('path', { d: 'M0 0.5L7.5 4L0 7.5z', fill: 'context-stroke' }),
        ),
      ),
      drawn.map((edge) =>
        line(edge, graph.edge(...ends(edge), edge.edge_id).points ?? [], seen.supporting.has(edge.edge_id)),
      ),
      [...keys].map((key) => box(rows.get(key)!, round(graph.node(key).x ?? 0), round(graph.node(key).y ?? 0))),
    ),
  );
};
