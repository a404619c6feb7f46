import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { forensictrace, tempFolder } from './run.ts';

it('writes the verifier page, the same again, and overwrites nothing', async () => {
  const [first, second] = ['a.html', 'b.html'].map((name) => join(tempFolder(), name));
  for (const file of [first!, second!])
    expect(await forensictrace(['web', '-o', file])).toMatchObject({ code: 0, stdout: '', stderr: '' });
  const html = readFileSync(first!, 'utf8');
  expect(html).toMatch(/^<!DOCTYPE html>\n<html lang="en">.*<h1>Verifier<\/h1>/s);
  expect(readFileSync(second!, 'utf8')).toBe(html);
  writeFileSync(first!, 'evidence');
  const again = await forensictrace(['web', '-o', first!]);
  expect(again).toMatchObject({ code: 2, stdout: '' });
  expect(again.stderr).toContain('is not overwritten');
  expect(readFileSync(first!, 'utf8')).toBe('evidence');
});

it('writes the verifier page to standard output, and no file of that name', async () => {
  const { code, stdout, stderr } = await forensictrace(['web', '-o', '-']);
  expect([code, stderr, existsSync('-')]).toEqual([0, '', false]);
  expect(stdout).toMatch(/^<!DOCTYPE html>\n.*<h1>Verifier<\/h1>.*<\/html>\n?$/s);
});

it('writes the page of a report with the exit code of verify, and nothing where the bundle cannot be read', async () => {
  const out = join(tempFolder(), 'report.html');
  const of = (bundle: string) => [
    'report',
    bundle,
    'receipts/cc-0aa2.receipt.json',
    'profiles/experiment.json',
    '--trust',
    'receipts/trust.json',
    '--format',
    'html',
    '-o',
    out,
  ];
  expect((await forensictrace(of('no-such-file'))).code).toBe(2);
  expect(existsSync(out)).toBe(false);
  expect(await forensictrace(of('traces/cc-0aa2.bundle.json'))).toMatchObject({ code: 1, stderr: '' });
  expect(readFileSync(out, 'utf8')).toContain('CAPABILITY_NOT_DECLARED');
});
