import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { REPORT_FORMATS } from '../../src/cli/report-formats.ts';
import { hostile } from '../report/told.ts';
import { buildBundle } from '../support/bundle.ts';
import { sealedFiles } from '../support/pair.ts';
import { forensictrace, tempFolder, writeAll } from './run.ts';

type Files = ReturnType<typeof sealedFiles>;

const FORMATS = Object.keys(REPORT_FORMATS);
/** The page of HTML carries the files themselves, the JSON report states what they are; the others show records. */
const SHOWING = ['sarif', 'timesketch', 'otlp', 'mermaid', 'junit', 'text'];

const commandOf = (files: Readonly<Record<keyof Files, string>>, ...options: readonly string[]) =>
  forensictrace(['report', files.bundle, files.receipt, files.profile, '--trust', files.trust, ...options]);
const written = (changed: Partial<Record<keyof Files, string | Uint8Array>> = {}) =>
  writeAll({ ...sealedFiles(), ...changed });
const altered = (): string => Buffer.from(sealedFiles().bundle).toString().replace('Summarise', 'Zusammen');

describe('forensictrace report', () => {
  it.each(['json', 'text'])('writes the %s that verify writes, with its exit code', async (format) => {
    for (const bundle of [sealedFiles().bundle, altered(), '']) {
      const files = written({ bundle });
      const report = await commandOf(files, '--format', format);
      const verify = await forensictrace([
        'verify',
        files.bundle,
        files.receipt,
        files.profile,
        '--trust',
        files.trust,
        ...(format === 'json' ? ['--json'] : []),
      ]);
      expect(report).toEqual(verify);
    }
  });

  it.each(FORMATS)('writes %s of whatever was verified, the same twice, and ends as verify does', async (format) => {
    for (const [bundle, code] of [
      [sealedFiles().bundle, 0],
      [altered(), 4],
      ['{', 2],
    ] as const) {
      const files = written({ bundle });
      const out = join(tempFolder(), 'report');
      const [first, second] = await Promise.all([
        commandOf(files, '--format', format, '-o', out),
        commandOf(files, '--format', format, '-o', '-'),
      ]);
      expect(first).toEqual({ code, stdout: '', stderr: '' });
      expect([second.code, second.stderr]).toEqual([code, '']);
      const text = readFileSync(out, 'utf8');
      expect(second.stdout).toBe(text);
      expect(text).toMatch(code === 0 ? /CONSISTENT/ : code === 4 ? /INTEGRITY_REFUSED/ : /COULD_NOT_CHECK/);
    }
  });

  it.each(SHOWING)('shows in %s nothing of a refused bundle as if it were evidence', async (format) => {
    // Words of records that no refusal names.
    const { stdout } = await commandOf(written({ bundle: altered() }), '--format', format);
    expect(stdout).toContain('RECORD_ALTERED');
    expect(stdout).not.toMatch(/worker\.example|Planner|endpoint-worker|invocation-1/);
    const intact = await commandOf(written(), '--format', format);
    if (format === 'timesketch' || format === 'otlp') expect(intact.stdout).toMatch(/worker\.example/);
  });

  it.each(FORMATS.filter((format) => format !== 'html'))(
    'writes %s of a bundle full of hostile text without a character that a terminal obeys',
    async (format) => {
      const files = writeAll(hostile().files);
      const { code, stdout, stderr } = await commandOf(files, '--format', format);
      expect([code, stderr]).toEqual([1, '']);
      expect(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(stdout.replaceAll('\n', ''))).toBe(false);
      expect(stdout).toContain('CAPABILITY_NOT_DECLARED');
    },
  );

  it('replaces a file whole, and leaves it where nothing could be verified', async () => {
    const files = written();
    const out = join(tempFolder(), 'report.sarif');
    writeFileSync(out, 'older');
    const missing = await commandOf({ ...files, bundle: '/nowhere/x.json' }, '--format', 'sarif', '-o', out);
    expect([missing.code, readFileSync(out, 'utf8')]).toEqual([2, 'older']);
    expect((await commandOf(files, '--format', 'sarif', '-o', out)).code).toBe(0);
    expect(JSON.parse(readFileSync(out, 'utf8'))).toMatchObject({ version: '2.1.0' });
    expect(readdirSync(join(out, '..'))).toEqual(['report.sarif']);
  });

  it('writes over none of its inputs', async () => {
    const files = written();
    const folder = tempFolder();
    const link = join(folder, 'link');
    symlinkSync(files.trust, link);
    writeFileSync(join(folder, 'as.json'), readFileSync('families/as.json'));
    for (const input of [files.bundle, files.receipt, files.profile, files.trust, link, join(folder, 'as.json')]) {
      const before = readFileSync(input, 'utf8');
      const ran = await commandOf(files, '--format', 'junit', '-o', input, '--families', folder);
      expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining('would overwrite the input')]);
      expect(readFileSync(input, 'utf8')).toBe(before);
    }
  });

  it('says what it cannot write to, and which formats there are', async () => {
    const folder = tempFolder();
    mkdirSync(join(folder, 'taken'));
    for (const out of [join(folder, 'taken'), join(folder, 'none', 'x')]) {
      const ran = await commandOf(written(), '--format', 'text', '-o', out);
      expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(`cannot write ${out}`)]);
    }
    const unknown = await commandOf(written(), '--format', 'pdf');
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('Allowed choices are')]);
    expect((await commandOf(written())).stderr).toContain("required option '-f, --format <format>' not specified");
  });

  it('writes into a device', async () => {
    const ran = await commandOf(written(), '--format', 'mermaid', '-o', '/dev/stdout');
    expect([ran.code, ran.stdout.split('\n')[0]]).toEqual([0, 'sequenceDiagram']);
  });

  it('names the bundle in SARIF from the working folder, and one outside it by its name', async () => {
    const uriOf = (text: string) => JSON.parse(text).runs[0].artifacts[0].location.uri;
    const args = [
      'receipts/as-1f49.receipt.json',
      'profiles/experiment.json',
      '--trust',
      'receipts/trust.json',
      '--format',
      'sarif',
    ];
    const inside = await forensictrace(['report', './traces/../traces/as-1f49.bundle.json', ...args]);
    expect(uriOf(inside.stdout)).toBe('traces/as-1f49.bundle.json');
    const strange = join(tempFolder(), 'a b#c.bundle.json');
    writeFileSync(strange, JSON.stringify(buildBundle()));
    expect(uriOf((await forensictrace(['report', strange, ...args])).stdout)).toBe('a%20b%23c.bundle.json');
  });
});
