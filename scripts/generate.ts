/** Makes every generated file again: `npm run generate`. A test fails when one is stale. */
import { readFileSync, writeFileSync } from 'node:fs';
import { generatedFiles } from './generated-files.ts';

for (const { file, text } of generatedFiles((name) => readFileSync(name, 'utf8'))) {
  writeFileSync(file, text);
  process.stdout.write(`${file}\n`);
}
