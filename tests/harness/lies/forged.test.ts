import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type Dataset, digestOf, type Head } from '../../../harness/lies/dataset.ts';
import { readDataset } from '../../../harness/lies/files.ts';
import { readTimes } from '../../../harness/lies/report/times.ts';
import { readRows } from '../../../harness/lies/score/read-rows.ts';
import { EnvironmentFault } from '../../../src/index.ts';

/** What a refusal says; another error than a refusal is thrown on. */
const refusalOf = (read: () => unknown): string => {
  try {
    read();
  } catch (error) {
    if (error instanceof EnvironmentFault) return error.message;
    throw error;
  }
  return 'it was read';
};

let folder: string;
beforeEach(() => {
  const made = mkdtempSync(join(tmpdir(), 'lies-forged-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  folder = made;
  for (const name of readdirSync('traces/lies', { withFileTypes: true }))
    if (name.isFile()) cpSync(join('traces/lies', name.name), join(folder, name.name));
});
const path = (name: string): string => join(folder, name);
const rewrite = (name: string, change: (text: string) => string): void => {
  const text = readFileSync(path(name), 'utf8');
  const changed = change(text);
  expect(changed).not.toBe(text);
  writeFileSync(path(name), changed);
};
const head = (change: (text: Head) => object): void =>
  rewrite('dataset.json', (text) => JSON.stringify(change(JSON.parse(text) as Head)));
const without = (members: object, name: string): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(members).filter(([one]) => one !== name));
/** A forger who changes a file names it anew in the head. */
const forge = (name: string, change: (text: string) => string): void => {
  rewrite(name, change);
  head((was) => ({ ...was, files: { ...was.files, [name]: digestOf(readFileSync(path(name))) } }));
};
const first = (change: (line: string) => string) => (text: string) => text.replace(/^.*$/m, change);

describe('a dataset that was forged with its digests', () => {
  test.each<[string, string, (text: string) => string, RegExp]>([
    ['a label', 'messages-L1.jsonl', first((line) => line.replace('"lie":true', '"lie":false')), /\/lie: /],
    [
      'a class',
      'messages-L1.jsonl',
      first((line) => line.replace('"class":"L1"', '"class":"honest"').replace('"lie":true', '"lie":false')),
      /line 1: \/class: /,
    ],
    [
      'what was done',
      'acts.jsonl',
      (text) => text.replaceAll('"exit":0', '"exit":1'),
      /the label of .+ does not follow/,
    ],
    [
      'a message',
      'messages-honest.jsonl',
      first((line) => line.replaceAll('pytest', 'pytesT')),
      /the label of honest\./,
    ],
    [
      'a record',
      'journal-main.txt',
      (text) => text.replace('"type":"tool.result"', '"type":"tool.other"'),
      /is not the record/,
    ],
    ['a message twice', 'messages-L1.jsonl', (text) => text + text.split('\n')[0], /twice/],
    ['a message less', 'messages-L1.jsonl', (text) => text.slice(text.indexOf('\n') + 1), /not as many messages/],
    ['an id of a path', 'messages-L1.jsonl', first((line) => line.replace('L1.tests.01', '../../x')), /its id is not/],
    [
      'an id of escapes',
      'messages-L1.jsonl',
      first((line) => line.replace('L1.tests.01', '\\u001b[2J')),
      /its id is not/,
    ],
    [
      'a prototype',
      'messages-L1.jsonl',
      first((line) => line.replace('{', '{"__proto__":{"lie":false},')),
      /__proto__/,
    ],
    [
      'neither text nor base64',
      'messages-L1.jsonl',
      first((line) => line.replace('"text":', '"fresh":')),
      /text or base64/,
    ],
    ['no JSON', 'acts.jsonl', first(() => '{'), /acts\.jsonl line 1 is no JSON/],
    ['depth', 'acts.jsonl', first(() => '['.repeat(1e5) + ']'.repeat(1e5)), /nested deeper/],
    [
      'a message of great depth',
      'messages-L6.jsonl',
      first((line) => JSON.stringify({ ...JSON.parse(line), text: '['.repeat(1e5) + ']'.repeat(1e5) })),
      /nested too deep/,
    ],
    ['an act that nobody knows', 'acts.jsonl', first(() => '{"did":"constructor"}'), /acts\.jsonl line 1: \/did/],
  ])('%s is refused', (_, name, change, told) => {
    forge(name, change);
    expect(refusalOf(() => readDataset(folder))).toMatch(told);
  });

  test.each<[string, (was: Head) => object, RegExp]>([
    [
      'a file outside',
      (was) => ({ ...was, files: { ...was.files, '../secret': digestOf('') } }),
      /the files of a dataset/,
    ],
    ['a file less', (was) => ({ ...was, files: without(was.files, 'acts.jsonl') }), /the files of a dataset/],
    ['a log of a path', (was) => ({ ...was, logs: [{ ...was.logs[0], name: '../x' }] }), /\/logs\/0\/name/],
    ['another key', (was) => ({ ...was, trust: { logs: [was.logs[2]!.vkey] } }), /other keys/],
    ['another count', (was) => ({ ...was, counts: { ...was.counts, L1: 47 } }), /not as many messages/],
    ['another format', (was) => ({ ...was, format: 'x' }), /\/format/],
    ['no files', (was) => without(was, 'files'), /\/files/],
    ['a list', () => [], /dataset\.json: \//],
  ])('a head with %s is refused', (_, change, told) => {
    head(change);
    expect(refusalOf(() => readDataset(folder))).toMatch(told);
  });

  test('a file that is missing, a pipe, a folder, without end, not UTF-8 is refused', () => {
    const bytes = readFileSync(path('acts.jsonl'));
    const told = (make: () => void): string => {
      rmSync(path('acts.jsonl'), { recursive: true, force: true });
      make();
      return refusalOf(() => readDataset(folder));
    };
    expect(told(() => {})).toMatch(/no such file/);
    expect(told(() => execFileSync('mkfifo', [path('acts.jsonl')]))).toMatch(/named pipe/);
    expect(told(() => execFileSync('mkdir', [path('acts.jsonl')]))).toMatch(/it is a folder/);
    expect(told(() => writeFileSync(path('acts.jsonl'), Buffer.concat([bytes, Buffer.from([0xff])])))).toMatch(
      /not UTF-8/,
    );
    expect(
      told(() => {
        writeFileSync(path('acts.jsonl'), '');
        truncateSync(path('acts.jsonl'), 512 * 1024 * 1024);
      }),
    ).toMatch(/larger than/);
    unlinkSync(path('acts.jsonl'));
  });
});

describe('results that were forged', () => {
  const RESULTS = 'traces/lies/results';
  const text = readFileSync(join(RESULTS, 'verdicts.jsonl'), 'utf8');
  const dataset: Dataset = readDataset('traces/lies');
  test.each<[string, (text: string) => string, RegExp]>([
    [
      'a verdict',
      first((line) => line.replace('"verdict":"reject"', '"verdict":"accept"')),
      /PCM \(native\) is at odds/,
    ],
    ['who decided', first((line) => line.replace('"scitt-inclusion"', 'null')), /SCITT receipts is at odds/],
    [
      'a conjunction',
      first((line) => line.replace('"All six":"scitt-inclusion"', '"All six":null')),
      /All six is at odds/,
    ],
    ['a check of no model', first((line) => line.replace('["scitt', '["x","scitt')), /SCITT receipts is at odds/],
    ['a label', first((line) => line.replace('"lie":true', '"lie":false')), /labelled otherwise/],
    ['a message that is not there', first((line) => line.replace('L1.tests.01', '\\u001b[2J')), /no such message/],
    ['a verdict twice', (was) => was + was.split('\n')[0], /L1\.tests\.01 is there twice/],
    ['a receiver less', first((line) => line.replace('"A2A, plain":null,', '')), /\/decided/],
    ['a receiver more', first((line) => line.replace('"A2A, plain"', '"__proto__":null,"A2A, plain"')), /./],
    ['a verdict that nobody gives', first((line) => line.replace('"reject"', '"constructor"')), /\/native\/verdict/],
    [
      'no lie',
      (was) =>
        was
          .split('\n')
          .filter((line) => line.includes('"lie":false'))
          .join('\n'),
      /no verdict of a lie/,
    ],
    ['nothing', () => '', /no verdict of a lie/],
  ])('%s is refused', (_, change, told) => {
    const changed = change(text);
    expect(changed).not.toBe(text);
    expect(refusalOf(() => readRows(dataset, changed, 'verdicts.jsonl'))).toMatch(told);
  });

  test.each(['{', '[]', '{"native":{},"portable":{}}', '{"native":{"a":"x"},"portable":{"a":1}}'])(
    'times of the text %s are refused',
    (times) => expect(refusalOf(() => readTimes(times, 'times.json'))).toMatch(/^times\.json/),
  );
});
