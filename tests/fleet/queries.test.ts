import { readFileSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, describe, expect, it } from 'vitest';
import { FLEET_REASONS } from '../../src/fleet/reasons.ts';
import type { Result } from '../../src/fleet/result.ts';
import { outFile, resultsIn, verifyFolder } from './lab.ts';

/** The committed evidence of the demo, as anybody can verify it. */
const verifyTraces = async (out: string): Promise<string> => {
  const [trust, profile] = ['receipts/trust.json', 'profiles/experiment.json'].map((file) => readFileSync(file));
  await verifyFolder('traces', {
    out,
    places: { files: ['traces'], lists: [], receipts: 'receipts' },
    by: { trust: trust!, profile: { file: 'profiles/experiment.json', bytes: profile! } },
  });
  return out;
};

let results: readonly Result[];
let ask: (name: string) => Promise<readonly (readonly unknown[])[]>;

beforeAll(async () => {
  results = resultsIn(await verifyTraces(outFile()));
  const parquet = await verifyTraces(outFile('results.parquet'));
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.run(`CREATE VIEW results AS SELECT * FROM read_parquet('${parquet}')`);
  ask = async (name) => {
    const answer = await connection.runAndReadAll(readFileSync(`docs/examples/${name}.sql`, 'utf8'));
    return answer.getRowsJS().map((row) => row.map((cell) => (typeof cell === 'bigint' ? Number(cell) : cell)));
  };
});

/** How often each value occurs. */
const counted = (values: readonly string[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
};

describe('the example questions', () => {
  it('who took part in what is indicated', async () => {
    const all = counted(results.flatMap(({ agents }) => agents));
    const indicated = counted(results.filter(({ exit_code }) => exit_code === 1).flatMap(({ agents }) => agents));
    const rows = await ask('fleet-by-agent');
    expect(all.size).toBeGreaterThan(2);
    expect(new Map(rows.map(([agent, pairs]) => [agent, pairs]))).toEqual(all);
    expect(new Map(rows.flatMap(([agent, , some]) => (some === 0 ? [] : [[agent, some]])))).toEqual(indicated);
    expect(rows.map(([, , some]) => some)).toEqual(rows.map(([, , some]) => Number(some)).toSorted((a, b) => b - a));
  });

  it('what each key signed', async () => {
    const times = results.map(({ issued_at }) => issued_at!).sort();
    const [{ key_id, signer_id }] = results as readonly [Result, ...Result[]];
    expect(await ask('fleet-by-key')).toEqual([[key_id, signer_id, 12, 12, times[0], times.at(-1)]]);
  });

  it('what was found where', async () => {
    const found = counted(results.flatMap(({ findings }) => findings.map(({ reason }) => reason)));
    const rows = await ask('fleet-findings');
    expect(found.size).toBe(6);
    expect(new Map(rows.map(([reason, , findings]) => [reason, findings]))).toEqual(found);
    for (const [reason, , , , first] of rows) {
      expect(results.find(({ findings }) => findings.some((one) => one.reason === reason))?.bundle).toBe(first);
    }
  });
});

it('the page tells every reason of a pair', () => {
  const page = readFileSync('docs/FLEET.md', 'utf8');
  expect(Object.keys(FLEET_REASONS).filter((code) => !page.includes(`\`${code}\``))).toEqual([]);
});
