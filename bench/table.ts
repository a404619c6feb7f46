import type { LargeRow } from './large.ts';
import type { Row, Scaling, Timing } from './scaling.ts';

const HEAD = ['commitments', 'kB', 'objects', 'p95', 'bytes', 'p95', 'floor', 'bytes/floor'];
const PEER_HEAD = ['peer objects', 'peer bytes', 'peer/objects', 'peer/bytes'];

const ms = ({ median }: Timing): string => median.toFixed(3);
const times = (one: Timing, other: Timing): string => `${(one.median / other.median).toFixed(2)}x`;

const cellsOf = ({ commitments, bytes, ours, peer }: Row): string[] => [
  String(commitments),
  (bytes / 1000).toFixed(1),
  ms(ours.objects),
  ours.objects.p95.toFixed(3),
  ms(ours.bytes),
  ours.bytes.p95.toFixed(3),
  ms(ours.floor),
  times(ours.bytes, ours.floor),
  ...(peer === null
    ? []
    : [ms(peer.objects), ms(peer.bytes), times(peer.objects, ours.objects), times(peer.bytes, ours.bytes)]),
];

const LARGE_HEAD = ['commitments', 'MB', 'from its file', 'µs each', 'of 1,000', 'peak MiB'];

/** Of a size of 1,000 in the same run, how many times as much one commitment costs. */
const largeCells = ({ commitments, bytes, median, peakMiB }: LargeRow, rows: readonly Row[]): string[] => {
  const each = (1000 * median) / commitments;
  const thousand = rows.find((row) => row.commitments === 1000)?.ours.bytes.median;
  return [
    String(commitments),
    (bytes / 1e6).toFixed(1),
    median.toFixed(0),
    each.toFixed(2),
    thousand === undefined ? '-' : `${(each / thousand).toFixed(2)}x`,
    peakMiB.toFixed(0),
  ];
};

const aligned = (table: readonly (readonly string[])[]): string => {
  const widths = table[0]!.map((_, column) => Math.max(...table.map((cells) => cells[column]!.length)));
  return table.map((cells) => cells.map((cell, column) => cell.padStart(widths[column]!)).join('  ')).join('\n');
};

/** The rows as text: medians in milliseconds, 95th percentiles, and ratios of medians of this run. */
export const tableOf = ({ rows, large, plan, environment }: Scaling): string => {
  const tables = [
    ...(rows.length === 0
      ? []
      : [aligned([[...HEAD, ...(plan.peer === null ? [] : PEER_HEAD)], ...rows.map(cellsOf)])]),
    ...(large.length === 0 ? [] : [aligned([LARGE_HEAD, ...large.map((row) => largeCells(row, rows))])]),
  ];
  const { node, platform, arch, cores, python } = environment;
  const where = `Node ${node}${python === null ? '' : `, Python ${python}`}, ${platform} ${arch}, ${cores} cores`;
  const runs = [...rows.map(({ ours }) => ours.bytes.runs), ...large.map(({ times }) => times.length)];
  return `${tables.join('\n\n')}\n\nMilliseconds, medians of ${[...new Set(runs)].join(' or ')} verifications; mix ${plan.mix}, seed ${plan.seed}; ${where}.\n`;
};
