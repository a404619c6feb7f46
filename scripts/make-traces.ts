import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runDemo } from '../harness/demo/demo.ts';
import { tracesReadme } from '../harness/demo/traces-readme.ts';
import { readDocuments } from '../harness/documents.ts';

/** Makes traces/ and receipts/ of the demo again. Commits nothing that is not as expected, and no private key. */
const folder = mkdtempSync(join(tmpdir(), 'forensictrace-traces-'));
try {
  const { rows, asExpected } = await runDemo(folder);
  if (!asExpected) throw new Error(`not as expected: ${JSON.stringify(rows.filter((row) => !row.asExpected))}`);
  const files = rows.flatMap(({ name }) => [`traces/${name}.bundle.json`, `receipts/${name}.receipt.json`]);
  for (const place of ['traces', 'receipts']) mkdirSync(place, { recursive: true });
  for (const file of [...files, 'receipts/trust.json']) copyFileSync(join(folder, file), file);
  writeFileSync('traces/README.md', tracesReadme(readDocuments()));
} finally {
  rmSync(folder, { recursive: true });
}
