import { readFileSync } from 'node:fs';

/** Rows of a tab-separated file under tests/, `#` lines dropped, by the names of its first line. */
export const tsvRows = (path: string): Record<string, string>[] => {
  const lines = readFileSync(new URL(`../${path}`, import.meta.url), 'utf8').split('\n');
  const [head, ...rows] = lines.filter((line) => line !== '' && !line.startsWith('#')).map((line) => line.split('\t'));
  return rows.map((row) => Object.fromEntries(head!.map((name, i) => [name, row[i] ?? ''])));
};
