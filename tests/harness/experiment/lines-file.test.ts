import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { openLines } from '../../../harness/experiment/lines-file.ts';
import { writeOnce } from '../../../harness/experiment/write-once.ts';

const Row = z.strictObject({ n: z.int(), text: z.string() });
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lines-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('what was appended is there again, whatever piece of a line a killed process left behind it', () => {
  const file = join(folder, 'rows.jsonl');
  const rows = [
    { n: 1, text: 'ä\n' },
    { n: 2, text: '✓' },
  ];
  openLines(file, Row).append(...rows);
  const whole = readFileSync(file);
  const next = Buffer.from('{"n":3,"text":"ü"}\n');
  for (let cut = 0; cut < next.length; cut++) {
    writeFileSync(file, whole);
    appendFileSync(file, next.subarray(0, cut));
    const opened = openLines(file, Row);
    expect([cut, opened.records]).toEqual([cut, rows]);
    opened.append({ n: 4, text: '' });
    expect(openLines(file, Row).records).toEqual([...rows, { n: 4, text: '' }]);
  }
});

test('a line that is no record is told, with its number', () => {
  const file = join(folder, 'rows.jsonl');
  writeFileSync(file, '{"n":1,"text":""}\n{"n":1}\n');
  expect(() => openLines(file, Row)).toThrow(`${file}: line 2 is not a record of this file`);
});

test('a document that is fixed before the first run is never replaced', () => {
  const file = join(folder, 'settings.json');
  writeOnce(file, { seed: 'a' });
  writeOnce(file, { seed: 'a' });
  expect(() => writeOnce(file, { seed: 'b' })).toThrow(
    expect.objectContaining({ advice: ['Name another folder, or another --name'] }) as Error,
  );
  expect(readFileSync(file, 'utf8')).toBe('{\n  "seed": "a"\n}\n');
});
