import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { COLUMNS } from '../../src/fleet/parquet.ts';
import { Result } from '../../src/fleet/result.ts';
import { fleetOf, outFile, resultsIn, tempFolder, verifyFolder } from './lab.ts';

const rowsOf = async (file: string) => {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const rows = await connection.runAndReadAll('SELECT * FROM read_parquet($1)', [file.replace(/[*?[]/g, '[$&]')]);
  return rows
    .getRowObjectsJS()
    .map((row) => JSON.parse(JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? Number(value) : value))));
};

afterEach(() => {
  vi.doUnmock('@duckdb/node-api');
  vi.resetModules();
});

describe('results as Parquet', () => {
  it('are those of NDJSON, in their order, and the same bytes each time, wherever they are written', async () => {
    const folder = fleetOf('a', 'b', 'c');
    writeFileSync(join(folder, 'b.bundle.json'), '{');
    const ndjson = outFile();
    await verifyFolder(folder, { out: ndjson });
    const place = join(tempFolder(), "it's [a]*?");
    mkdirSync(place);
    const outs = [join(place, 'one.parquet'), outFile('two.parquet')] as const;
    for (const out of outs) await verifyFolder(folder, { out });
    expect(await rowsOf(outs[0])).toEqual(resultsIn(ndjson));
    expect(readFileSync(outs[1]).equals(readFileSync(outs[0]))).toBe(true);
    const killed = outFile('three.parquet');
    writeFileSync(`${killed}.part`, readFileSync(ndjson, 'utf8').slice(0, -10));
    expect((await verifyFolder(folder, { out: killed })).known).toBe(2);
    expect(readFileSync(killed).equals(readFileSync(outs[0]))).toBe(true);
  });

  it('have the columns of the schema', () => {
    expect(Object.keys(COLUMNS)).toEqual(Object.keys(Result.shape));
  });

  it('replace no file that is not Parquet', async () => {
    const out = outFile('notes.parquet');
    writeFileSync(out, 'my notes');
    await expect(verifyFolder(fleetOf('a'), { out })).rejects.toThrow('holds no results of verify-all');
  });

  it('are refused before anything is verified where DuckDB is not installed, with what to do', async () => {
    vi.resetModules();
    vi.doMock('@duckdb/node-api', () => {
      throw new Error('Cannot find package');
    });
    const { parquetWriter } = await import('../../src/fleet/parquet.ts');
    await expect(parquetWriter()).rejects.toMatchObject({
      message: expect.stringContaining('not installed'),
      advice: expect.arrayContaining(['Install it: npm install @duckdb/node-api']),
    });
  });
});
