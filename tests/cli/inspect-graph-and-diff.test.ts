import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { showGraph } from '../../src/cli/inspect-graph.ts';
import { hostile } from '../report/told.ts';
import { asObject, buildBundle, bytesOf } from '../support/bundle.ts';
import { inProcess, tempFolder, writeAll } from './run.ts';

const TRACE = 'traces/asrf-1d44.bundle.json';
const changed = (from: string, to: string) =>
  writeAll({ b: Buffer.from(bytesOf(buildBundle())).toString().replace(from, to) }).b;
const same = () => writeAll({ a: bytesOf(buildBundle()) }).a;

describe('forensictrace inspect --graph', () => {
  it('shows how a request of an agent follows from the exchange that brought its URI', async () => {
    const { code, stdout } = await inProcess(['inspect', TRACE, '--graph']);
    expect(code).toBe(0);
    const lines = stdout.split('\n');
    expect(lines[0]).toBe('Nothing below was checked: run forensictrace verify.');
    const from = lines.findIndex((line) => line.startsWith('exchange-10 '));
    expect(lines.slice(from, from + 8).map((line) => line.split('  http')[0]!.replace(/(?<=\w-\d+) .*/, ''))).toEqual([
      'exchange-10',
      '├─ EXCHANGE_REFERENCED_URI → reference-11',
      '│  └─ URI_REFERENCE_DEREFERENCED → dereference-12',
      '│     ├─ DEREFERENCE_RECEIVED_RESPONSE → response-13',
      '│     └─ DEREFERENCE_REDIRECTED_TO → dereference-14',
      '│        └─ DEREFERENCE_RECEIVED_RESPONSE → response-15',
      '├─ EXCHANGE_PRODUCED_ARTIFACT → artifact-16',
      '└─ EXCHANGE_PRODUCED_ARTIFACT → artifact-17',
    ]);
    expect(stdout).toContain('7 records not below these');
  });

  it.each([
    ['--graph', '--list'],
    ['--diff', TRACE, '--graph'],
    ['--list', '--indicators'],
    ['--record', 'exchange-10', '--extract', 'artifact-16'],
  ])('is one view of several, and two at once are refused: %s %s', async (...views) => {
    const { code, stdout, stderr } = await inProcess(['inspect', TRACE, ...views]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('one view at a time');
    for (const view of views.filter((word) => word.startsWith('--'))) expect(stderr).toContain(view);
  });

  it('starts at the record of an id, and refuses an unknown one', async () => {
    const { stdout } = await inProcess(['inspect', TRACE, '--graph', 'dereference-12']);
    expect(stdout.split('\n').filter((line) => line.includes('reference-'))).toHaveLength(2);
    const unknown = await inProcess(['inspect', TRACE, '--graph', 'nobody']);
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('the bundle has no record nobody')]);
  });

  it('gives the same as JSON', async () => {
    const tree = JSON.parse((await inProcess(['inspect', TRACE, '--graph', '--json'])).stdout);
    const { stdout } = await inProcess(['inspect', TRACE, '--graph']);
    const shown = stdout.split('\n').filter((line) => /^[│├└─ ]*(?:[A-Z_]+ → )?\w+-\d+ {2}/.test(line));
    expect(shown.length).toBe(tree.rows.length);
    for (const [at, line] of shown.entries()) expect(line).toContain(`${tree.rows[at].id}  ${tree.rows[at].line}`);
  });

  it.each([60, 20, 120])('fits a terminal of %i columns, cut where it ends', (columns) => {
    const written: string[] = [];
    const terminal = { isTTY: process.stdout.isTTY, columns: process.stdout.columns };
    const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0);
    Object.assign(process.stdout, { isTTY: true, columns });
    showGraph(asObject(JSON.parse(readFileSync(TRACE, 'utf8'))), true, {});
    Object.assign(process.stdout, terminal);
    write.mockRestore();
    const lines = stripVTControlCharacters(written.join('')).split('\n').slice(2, 13);
    // Narrower than 40 a terminal wraps: a line of one word tells nothing.
    expect(lines.map((line) => line.length).filter((length) => length > Math.max(columns, 40))).toEqual([]);
    expect(lines.some((line) => line.endsWith('…'))).toBe(true);
    expect(lines.some((line) => line.includes('EXCHANGE_REFERENCED_URI'))).toBe(columns >= 100);
    for (const line of lines) expect(line).toMatch(/\w-\d+ /);
  });

  it('says when there is nothing', async () => {
    const { bundle } = writeAll({ bundle: '{"format":"a2aft.bundle.v3"}' });
    expect((await inProcess(['inspect', bundle, '--graph'])).stdout).toContain('The bundle has no exchange.');
  });
});

describe('forensictrace inspect --diff', () => {
  it('ends with 0 for the same content however it is spaced, and with 1 for any other', async () => {
    const pretty = writeAll({ pretty: JSON.stringify(buildBundle(), null, 2) }).pretty;
    const equal = await inProcess(['inspect', same(), '--diff', pretty]);
    expect([equal.code, equal.stdout.split('\n').at(-2)]).toEqual([0, 'No record, edge or member differs.']);
    const other = await inProcess(['inspect', same(), '--diff', changed('"status":200', '"status":500')]);
    expect(other.code).toBe(1);
    expect(other.stdout).toContain('/status  200 → 500');
    expect(other.stdout).toContain('0 only in the first, 0 only in the second, 1 changed');
  });

  it('gives the same as JSON, and to a file that is none of the two', async () => {
    const [a, b] = [same(), changed('"status":200', '"status":500')];
    const out = join(tempFolder(), 'diff.json');
    expect((await inProcess(['inspect', a, '--diff', b, '--json', '--out', out])).code).toBe(1);
    expect(JSON.parse(readFileSync(out, 'utf8')).changes[0].fields[0]).toEqual({
      pointer: '/status',
      a: '200',
      b: '500',
    });
    const over = await inProcess(['inspect', a, '--diff', b, '--out', b]);
    expect([over.code, over.stderr]).toEqual([2, expect.stringContaining('would overwrite the input')]);
  });

  it('says which of the two could not be read', async () => {
    const bad = writeAll({ bad: '[' }).bad;
    expect(await inProcess(['inspect', same(), '--diff', bad])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(bad),
    });
  });
});

describe('a bundle full of hostile text', () => {
  it.each([['--graph'], ['--diff']])('cannot write to the terminal (%s)', async (option) => {
    const { bundle } = writeAll({ bundle: hostile().files.bundle });
    for (const json of [[], ['--json']]) {
      const { code, stdout } = await inProcess([
        'inspect',
        bundle,
        option,
        ...(option === '--diff' ? [same()] : []),
        ...json,
      ]);
      expect(code).toBe(option === '--diff' ? 1 : 0);
      expect(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(stdout.replaceAll('\n', ''))).toBe(false);
      expect(stdout.length).toBeLessThan(200_000);
    }
  });
});

it('inspect names recover for the journal of a capture', async () => {
  const journal = join(tempFolder(), 'run.journal');
  writeFileSync(journal, '0123456789abcdef {"format":"a2aft.journal.v1","writer":null}\n');
  const ran = await inProcess(['inspect', journal]);
  expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(`forensictrace recover ${journal} --profile`)]);
});
