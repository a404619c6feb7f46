import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readDataset } from '../../../harness/lies/files.ts';
import { EnvironmentFault } from '../../../src/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'lies-dataset-'));
beforeAll(() => {
  for (const name of readdirSync('traces/lies', { withFileTypes: true }))
    if (name.isFile()) cpSync(join('traces/lies', name.name), join(folder, name.name));
});
afterAll(() => rmSync(folder, { recursive: true }));

const withChanged = (name: string, change: (text: string) => string, check: () => void): void => {
  const text = readFileSync(join(folder, name), 'utf8');
  writeFileSync(join(folder, name), change(text));
  try {
    check();
  } finally {
    writeFileSync(join(folder, name), text);
  }
};

test('a dataset of another pre-registration is refused', () => {
  withChanged(
    'dataset.json',
    (text) => text.replace(/"preregistration": "sha256:../, '"preregistration": "sha256:00'),
    () => {
      expect(() => readDataset(folder)).toThrow(/pre-registration/);
    },
  );
});

test.each(['messages-L1.jsonl', 'acts.jsonl', 'journal-main.txt'])(
  '%s is refused when it is not the one that the head names',
  (name) => {
    withChanged(
      name,
      (text) => `${text} `,
      () => expect(() => readDataset(folder)).toThrow(EnvironmentFault),
    );
  },
);

test('the copy is read as it was', () => {
  expect(readDataset(folder).messages).toHaveLength(926);
});

test('nothing in src but the command of the benchmark knows of it', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('ts'));
  const KNOWING = ['cli/lies-program.ts', 'cli/lies.ts'];
  const KNOWS = /(?:harness|traces)\/lies|lies\.example/;
  expect(files.filter((name) => KNOWS.test(readFileSync(join('src', name), 'utf8'))).sort()).toEqual(KNOWING);
});
