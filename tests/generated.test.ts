import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { generatedFiles } from '../scripts/generated-files.ts';

const files = generatedFiles((name) => readFileSync(name, 'utf8'));

test('there are generated files', () => {
  expect(files.map(({ file }) => file)).toContain('docs/FORMAT.md');
});

test.each(files)('$file is what npm run generate makes', ({ file, text }) => {
  expect(readFileSync(file, 'utf8')).toBe(text);
});
