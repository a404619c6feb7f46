import dagre from '@dagrejs/dagre';
import type { Edge } from '../../evidence/bundle.ts';
import { drawnRecord, figure, fitted, MOST_SCALED, svgText } from './drawing.ts';
import { el, type PageElement } from './node.ts';
import { counted, section } from './parts.ts';
import type { Row, Seen } from './seen.ts';
import { KINDS } from './vocabulary.ts';

/** More boxes than these are no drawing that a person reads. */
const MOST_NODES = 48;
const MOST_EDGES = 200;
const WIDTH = 122;
const HEIGHT = 40;

const ends = (edge: Edge): readonly [string, string] => [
  `${edge.source_type} ${edge.source_id}`,
  `${edge.destination_type} ${edge.destination_id}`,
];

/** Records that a relationship touches. */
const linkedOf = ({ rows, edges }: Pick<Seen, 'rows' | 'edges'>): readonly Row[] => {
  const linked = new Set(edges.flatMap(ends));
  return rows.filter(({ key }) => linked.has(key));
};

/** The records to draw: all where they fit; else those that findings name with what they touch, or the first where nothing is named. */
const chosen = ({ rows, edges }: Seen): ReadonlySet<string> => {
  const candidates = linkedOf({ rows, edges });
  if (candidates.length <= MOST_NODES) return new Set(candidates.map(({ key }) => key));
  const marked = candidates.filter(({ mark }) => mark !== null);
  if (marked.length === 0) return new Set(candidates.slice(0, MOST_NODES).map(({ key }) => key));
  const named = new Set(marked.map(({ key }) => key));
  const touched = edges.map(ends).filter((pair) => pair.some((key) => named.has(key)));
  return new Set([...named, ...touched.flat()].slice(0, MOST_NODES));
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
    row.mark === 'affected'
      ? el('rect', {
          class: 'box',
          x: x - WIDTH / 2 + 4,
          y: y - HEIGHT / 2 + 4,
          width: WIDTH - 8,
          height: HEIGHT - 8,
          stroke: 'currentColor',
        })
      : null,
    svgText(x, y - 4, fitted(KINDS[row.collection].name, WIDTH - 12), { 'text-anchor': 'middle', class: 'kind-name' }),
    svgText(x, y + 12, fitted(row.id, WIDTH - 12), { 'text-anchor': 'middle', class: 'id' }),
  );

type Point = { readonly x: number; readonly y: number };
const round = (value: number): number => Math.round(value * 10) / 10;

/** A triangle at the end of a line, which points along its last piece. */
const headOf = (points: readonly Point[]): string => {
  const [from, tip] = points.slice(-2);
  if (from === undefined || tip === undefined) return '';
  const length = Math.hypot(tip.x - from.x, tip.y - from.y) || 1;
  const [x, y] = [((tip.x - from.x) / length) * 9, ((tip.y - from.y) / length) * 9];
  const corner = (side: number): string =>
    `${round(tip.x - x + side * y * 0.45)} ${round(tip.y - y - side * x * 0.45)}`;
  return `M${round(tip.x)} ${round(tip.y)}L${corner(1)}L${corner(-1)}z`;
};

const line = (edge: Edge, points: readonly Point[], isSupporting: boolean): PageElement => {
  const path = points.map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`).join('');
  return el(
    'g',
    { class: isSupporting ? 'edge supporting' : 'edge' },
    el('title', {}, `${edge.source_id} ${edge.relation} ${edge.destination_id}`),
    el('path', { d: path, fill: 'none', stroke: 'currentColor' }),
    el('path', { d: headOf(points), fill: 'currentColor' }),
  );
};

const laidOut = (keys: ReadonlySet<string>, edges: readonly Edge[], rankdir: 'LR' | 'TB') => {
  const graph = new dagre.graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir, nodesep: 10, ranksep: 30, marginx: 6, marginy: 6 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const key of keys) graph.setNode(key, { width: WIDTH, height: HEIGHT });
  for (const edge of edges) graph.setEdge(...ends(edge), {}, edge.edge_id);
  dagre.layout(graph);
  return graph;
};

/** From left to right, as one reads; downwards, where a long chain would leave the page. */
const layout = (keys: ReadonlySet<string>, edges: readonly Edge[]) => {
  const across = laidOut(keys, edges, 'LR');
  if ((across.graph().width ?? 0) <= MOST_SCALED) return across;
  const down = laidOut(keys, edges, 'TB');
  return (down.graph().width ?? 0) < (across.graph().width ?? 0) ? down : across;
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
  const linked = linkedOf(seen).length;
  return section(
    'relations',
    'What belongs to what',
    figure(
      'Graph of records and their relationships',
      width,
      height,
      [
        'Each arrow is a relationship that was derived from the records again. A double frame is the affected record; a heavy line is the path that supports it. ',
        keys.size < linked || edges.length < seen.edges.length
          ? `Drawn are ${keys.size} of ${counted(linked, 'record')} and ${edges.length} of ${counted(seen.edges.length, 'relationship')}: ${seen.supporting.size > 0 ? 'what findings name, and what that touches' : 'the first'}. `
          : null,
        linked < seen.rows.length
          ? `Records that no relationship touches are not drawn: ${seen.rows.length - linked}.`
          : null,
      ],
      drawn.map((edge) =>
        line(edge, graph.edge(...ends(edge), edge.edge_id).points ?? [], seen.supporting.has(edge.edge_id)),
      ),
      [...keys].map((key) => box(rows.get(key)!, round(graph.node(key).x ?? 0), round(graph.node(key).y ?? 0))),
    ),
  );
};
