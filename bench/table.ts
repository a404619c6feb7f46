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

/** The rows as text: medians in milliseconds, 95th percentiles, and ratios of medians of this run. */
export const tableOf = ({ rows, plan, environment }: Scaling): string => {
  const table = [[...HEAD, ...(plan.peer === null ? [] : PEER_HEAD)], ...rows.map(cellsOf)];
  const widths = table[0]!.map((_, column) => Math.max(...table.map((cells) => cells[column]!.length)));
  const lines = table.map((cells) => cells.map((cell, column) => cell.padStart(widths[column]!)).join('  '));
  const { node, platform, arch, cores, python } = environment;
  const where = `Node ${node}${python === null ? '' : `, Python ${python}`}, ${platform} ${arch}, ${cores} cores`;
  const first = rows[0]?.ours.bytes.runs ?? 0;
  return `${lines.join('\n')}\n\nMilliseconds, medians of ${first} verifications; mix ${plan.mix}, seed ${plan.seed}; ${where}.\n`;
};
