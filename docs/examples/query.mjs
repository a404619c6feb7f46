/** Asks a question of results: `node query.mjs results.parquet question.sql`; the question says FROM results. */
import { readFileSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';

const [results, question] = process.argv.slice(2);
const database = await DuckDBInstance.create(':memory:');
const connection = await database.connect();
await connection.run(`CREATE VIEW results AS SELECT * FROM read_parquet('${results.replaceAll("'", "''")}')`);
const answer = await connection.runAndReadAll(readFileSync(question, 'utf8'));
console.table(answer.getRowObjectsJson());
