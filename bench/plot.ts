import type { Row, Scaling } from './scaling.ts';

const WIDTH = 640;
const HEIGHT = 400;
const MARGIN = { left: 64, right: 16, top: 24, bottom: 48 };
const TICKS = 5;

type Curve = { readonly label: string; readonly colour: string; readonly of: (row: Row) => number };

const OURS: readonly Curve[] = [
  { label: 'bytes to verdict', colour: '#1f5fa8', of: ({ ours }) => ours.bytes.median },
  { label: 'objects to verdict', colour: '#3a9c5a', of: ({ ours }) => ours.objects.median },
  { label: 'hashes and signature alone', colour: '#777777', of: ({ ours }) => ours.floor.median },
];
const PEER: Curve = { label: 'Python peer, bytes', colour: '#c2482e', of: ({ peer }) => peer?.bytes.median ?? 0 };

/** The next of 1, 2, 5 × a power of ten, so that axes end at a round number. */
const roundUp = (value: number): number => {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10) * power;
};

/** Median verification time over the number of commitments, both axes linear, as an SVG document. */
export const plotOf = ({ rows, plan }: Scaling): string => {
  const curves = plan.peer === null ? OURS : [...OURS, PEER];
  const most = { x: roundUp(Math.max(...rows.map((row) => row.commitments))), y: 0 };
  most.y = roundUp(Math.max(...rows.flatMap((row) => curves.map((curve) => curve.of(row)))));
  const x = (value: number): number => MARGIN.left + (value / most.x) * (WIDTH - MARGIN.left - MARGIN.right);
  const y = (value: number): number =>
    HEIGHT - MARGIN.bottom - (value / most.y) * (HEIGHT - MARGIN.top - MARGIN.bottom);
  const ticks = Array.from({ length: TICKS + 1 }, (_, at) => at / TICKS);
  const axes = ticks.flatMap((share) => [
    `<line x1="${x(0)}" x2="${WIDTH - MARGIN.right}" y1="${y(share * most.y)}" y2="${y(share * most.y)}" stroke="#dddddd"/>`,
    `<text x="${x(0) - 6}" y="${y(share * most.y) + 4}" text-anchor="end">${Number((share * most.y).toPrecision(3))}</text>`,
    `<text x="${x(share * most.x)}" y="${y(0) + 18}" text-anchor="middle">${share * most.x}</text>`,
  ]);
  const sorted = rows.toSorted((a, b) => a.commitments - b.commitments);
  const lines = curves.flatMap(({ label, colour, of }, at) => {
    const points = sorted.map((row) => `${x(row.commitments).toFixed(1)},${y(of(row)).toFixed(1)}`);
    const key = MARGIN.top + 16 * at;
    return [
      `<polyline points="${points.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>`,
      `<line x1="${x(0) + 12}" x2="${x(0) + 36}" y1="${key}" y2="${key}" stroke="${colour}" stroke-width="2"/>`,
      `<text x="${x(0) + 42}" y="${key + 4}">${label}</text>`,
    ];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    '<title>Median time of a verification by number of commitments</title>',
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="white"/>`,
    ...axes,
    ...lines,
    `<text x="${WIDTH / 2}" y="${HEIGHT - 10}" text-anchor="middle">commitments (records and edges)</text>`,
    `<text x="14" y="${HEIGHT / 2}" text-anchor="middle" transform="rotate(-90 14 ${HEIGHT / 2})">median ms</text>`,
    '</svg>\n',
  ].join('\n');
};
