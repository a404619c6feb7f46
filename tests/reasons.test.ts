import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { REASONS } from '../src/base/reasons.ts';

/** The sources of the tests that can produce a code; this file and the report's would name them all. */
const sources = readdirSync('tests', { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(ts|tsv)$/.test(name) && name !== 'reasons.test.ts')
  .map((name) => readFileSync(join('tests', name), 'utf8'))
  .join('\n');

test.each(Object.keys(REASONS))('%s has a test that produces it', (code) => {
  expect(sources).toMatch(new RegExp(`\\b${code}\\b`));
});
