import { SaxesParser } from 'saxes';
import { expect, it } from 'vitest';
import { plotOf } from '../../bench/plot.ts';
import { type Plan, runScaling } from '../../bench/scaling.ts';
import { tableOf } from '../../bench/table.ts';
import { forensictrace } from '../cli/run.ts';

const PLAN: Plan = {
  sizes: [10, 11, 30],
  mix: 'all',
  seed: 7,
  peer: null,
  repeats: { batches: 2, warmUps: 1, timed: 3 },
};

it('times every size in every batch, from objects, from bytes and the floor', async () => {
  const told: string[] = [];
  const { rows, plan, environment } = await runScaling(PLAN, (done, of, what) => told.push(`${done}/${of} ${what}`));
  expect(plan).toEqual(PLAN);
  expect(Object.keys(environment).sort()).toEqual(['arch', 'cores', 'node', 'platform', 'python']);
  expect(rows.map(({ commitments }) => commitments)).toEqual([10, 11, 30]);
  for (const { ours, hashes, bytes, commitments } of rows) {
    expect(hashes).toBeGreaterThan(2 * commitments);
    expect(bytes).toBeGreaterThan(100 * commitments);
    for (const { median, p95, runs } of Object.values(ours)) {
      expect(runs).toBe(6);
      expect(median).toBeGreaterThan(0);
      expect(p95).toBeGreaterThanOrEqual(median);
    }
  }
  expect(told.filter((line) => line.includes('batches'))).toHaveLength(6);
});

it('verifies a large bundle from its file, in processes of their own, and tells time and memory of each', async () => {
  const scaling = await runScaling({ ...PLAN, sizes: [10, 10_001] }, () => {});
  expect(scaling.rows.map(({ commitments }) => commitments)).toEqual([10]);
  const [row, ...others] = scaling.large;
  expect(others).toEqual([]);
  expect(row).toMatchObject({ commitments: 10_001, times: expect.toSatisfy((times: unknown[]) => times.length === 3) });
  expect(row!.bytes).toBeGreaterThan(100 * 10_001);
  expect(Math.min(row!.median, row!.peakMiB)).toBeGreaterThan(0);
  expect(tableOf(scaling)).toMatch(/^commitments .*peak MiB\n +10001 /m);
});

it('does so as it is built and installed, too', async () => {
  const { code, stdout } = await forensictrace(['bench', 'scaling', '--sizes', '10001', '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ rows: [], large: [{ commitments: 10_001 }] });
});

it('draws each curve over each size, as XML, and tells each row', async () => {
  const scaling = await runScaling({ ...PLAN, sizes: [30, 10] }, () => {});
  const points: number[] = [];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    if (name === 'polyline') points.push(String(attributes.points).split(' ').length);
  });
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(plotOf(scaling)).close();
  expect(points).toEqual([2, 2, 2]);
  const lines = tableOf(scaling).split('\n');
  expect(lines.slice(1, 3).map((line) => line.trim().split(/\s+/)[0])).toEqual(['30', '10']);
  expect(lines[0]).not.toContain('peer');
});
