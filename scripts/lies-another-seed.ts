/** Makes a dataset of the lie benchmark with another seed, runs it, and writes down what came of each class: harness/lies/another-seed.json. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readDataset } from '../harness/lies/files.ts';
import { generate } from '../harness/lies/gen/generate.ts';
import { differences, outcomesOf } from '../harness/lies/score/outcomes.ts';
import { readRows } from '../harness/lies/score/read-rows.ts';
import { runAll } from '../harness/lies/score/run.ts';

const [, , seed = 'another'] = process.argv;
const folder = mkdtempSync(join(tmpdir(), 'lies-other-'));
try {
  await generate({ seed, out: folder });
  const committed = outcomesOf(
    readRows(readDataset('traces/lies'), readFileSync('traces/lies/results/verdicts.jsonl', 'utf8'), 'verdicts.jsonl'),
  );
  const outcomes = outcomesOf(await runAll(readDataset(folder)));
  const told = { seed, differences: differences(committed, outcomes), outcomes };
  writeFileSync('harness/lies/another-seed.json', `${JSON.stringify(told, null, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true });
}
