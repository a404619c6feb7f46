import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { detectActiveContent } from '../../../../src/rules/detectors/markup/detect.ts';

const folder = new URL('../../../cases/markup/', import.meta.url);
const rows = readFileSync(new URL('EXPECT.tsv', folder), 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t') as [string, string, string, string, string]);

const outcome = (file: string, type: string): string => {
  const { verdict, remoteLoads } = detectActiveContent(readFileSync(new URL(file, folder)), type);
  return verdict === 'inert' && remoteLoads.length > 0 ? 'remote-load' : verdict;
};

const ALSO: Readonly<Record<string, readonly string[]>> = {
  'active-or-remote-load': ['active', 'remote-load'],
  'renderer-dependent': ['active', 'inconclusive'],
};

describe('inputs from public reports', () => {
  it('has an expectation for every file', () => {
    const files = readdirSync(folder).filter((name) => !['README.md', 'EXPECT.tsv'].includes(name));
    expect(rows.map(([file]) => file).sort()).toEqual(files.sort());
  });
  it.each(rows)('%s (%s) as %s is %s: %s', (file, _report, type, expected) => {
    expect(ALSO[expected] ?? [expected]).toContain(outcome(file, type));
  });
});
