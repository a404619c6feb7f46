import { EnvironmentFault } from '../store/fault.ts';
import type { Result } from './result.ts';

/** Turns a file of results as NDJSON into one as Parquet. */
export type Convert = (ndjson: string, parquet: string) => Promise<void>;

/** The type of each column in DuckDB, in the order of a line. */
export const COLUMNS: Readonly<Record<keyof Result, string>> = {
  format: 'VARCHAR',
  verifier: 'VARCHAR',
  key: 'VARCHAR',
  bundle: 'VARCHAR',
  receipt: 'VARCHAR',
  profile: 'VARCHAR',
  bundle_sha256: 'VARCHAR',
  receipt_sha256: 'VARCHAR',
  profile_sha256: 'VARCHAR',
  trust_sha256: 'VARCHAR',
  verdict: 'VARCHAR',
  exit_code: 'INTEGER',
  refused_at: 'VARCHAR',
  signature_accepted: 'BOOLEAN',
  incident_id: 'VARCHAR',
  signer_id: 'VARCHAR',
  key_id: 'VARCHAR',
  issued_at: 'VARCHAR',
  receipt_profile_id: 'VARCHAR',
  records: 'BIGINT',
  edges: 'BIGINT',
  reasons: 'VARCHAR[]',
  detail: 'VARCHAR',
  findings: 'STRUCT(reason VARCHAR, family VARCHAR, type VARCHAR, id VARCHAR)[]',
  findings_total: 'BIGINT',
  agents: 'VARCHAR[]',
  agents_total: 'BIGINT',
};

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
/** DuckDB takes the name of what it reads for a pattern. */
const literally = (file: string): string => quoted(file.replace(/[*?[]/g, '[$&]'));

/** One thread, so that the same results are the same bytes; and nothing is fetched. */
const SETTINGS = { threads: '1', autoinstall_known_extensions: 'false', autoload_known_extensions: 'false' };

/** Gives what writes Parquet. Throws EnvironmentFault, with advice, where DuckDB is not installed. */
export const parquetWriter = async (): Promise<Convert> => {
  const duckdb = await import('@duckdb/node-api').catch((error: unknown) => {
    throw new EnvironmentFault('Parquet is written by DuckDB, which is not installed or does not load here', [
      'Install it: npm install @duckdb/node-api',
      'Or let --out end in .ndjson: DuckDB and others read that as well',
      `(${(error as Error).message})`,
    ]);
  });
  return async (ndjson, parquet) => {
    const columns = Object.entries(COLUMNS).map(([name, type]) => `${name}: ${quoted(type)}`);
    const rows = `read_json(${literally(ndjson)}, format = 'newline_delimited', columns = {${columns.join(', ')}})`;
    const instance = await duckdb.DuckDBInstance.create(':memory:', SETTINGS);
    try {
      const connection = await instance.connect();
      await connection.run(`COPY (SELECT * FROM ${rows}) TO ${quoted(parquet)} (FORMAT parquet)`);
      connection.closeSync();
    } catch (error) {
      throw new EnvironmentFault(`DuckDB cannot write ${parquet}: ${(error as Error).message}`);
    } finally {
      instance.closeSync();
    }
  };
};
