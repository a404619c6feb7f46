import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildBundle } from '../support/bundle.ts';
import { sealedFiles } from '../support/pair.ts';
import { forensictrace, inProcess, tempFolder, writeAll } from './run.ts';

type Files = ReturnType<typeof sealedFiles>;

const argsOf = ({ bundle, receipt, profile, trust }: Readonly<Record<keyof Files, string>>, ...options: string[]) => [
  'report',
  bundle,
  receipt,
  profile,
  '--trust',
  trust,
  ...options,
];
const commandOf = (...args: Parameters<typeof argsOf>) => inProcess(argsOf(...args));
const written = (changed: Partial<Record<keyof Files, string | Uint8Array>> = {}) =>
  writeAll({ ...sealedFiles(), ...changed });
const altered = (): string => Buffer.from(sealedFiles().bundle).toString().replace('Summarise', 'Zusammen');

describe('forensictrace report', () => {
  it.each(['json', 'text'])('writes the %s that verify writes, with its exit code', async (format) => {
    const files = written({ bundle: altered() });
    const inputs = [files.bundle, files.receipt, files.profile, '--trust', files.trust];
    const [report, verify] = await Promise.all([
      forensictrace(argsOf(files, '--format', format)),
      forensictrace(['verify', ...inputs, ...(format === 'json' ? ['--json'] : [])]),
    ]);
    expect(report).toEqual(verify);
    expect(report.code).toBe(4);
  });

  it.each([
    ['sarif', sealedFiles().bundle, 0, /"verdict":"FORENSICALLY_CONSISTENT"/],
    ['timesketch', '{', 2, /COULD_NOT_CHECK/],
    ['html', altered(), 4, /INTEGRITY_REFUSED/],
  ] as const)(
    'writes %s to a file or to standard output, the same by two processes',
    async (format, bundle, code, verdict) => {
      const files = written({ bundle });
      const out = join(tempFolder(), 'report');
      const [toFile, toOutput] = await Promise.all([
        forensictrace(argsOf(files, '--format', format, '-o', out)),
        forensictrace(argsOf(files, '--format', format, '-o', '-')),
      ]);
      expect(toFile).toEqual({ code, stdout: '', stderr: '' });
      expect([toOutput.code, toOutput.stderr]).toEqual([code, '']);
      expect(toOutput.stdout).toBe(readFileSync(out, 'utf8'));
      expect(toOutput.stdout).toMatch(verdict);
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
    for (const input of [files.bundle, link, join(folder, 'as.json')]) {
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

  it('does not replace a device', async () => {
    expect((await commandOf(written(), '--format', 'mermaid', '-o', '/dev/null')).code).toBe(0);
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
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
    const inside = await inProcess(['report', './traces/../traces/as-1f49.bundle.json', ...args]);
    expect(uriOf(inside.stdout)).toBe('traces/as-1f49.bundle.json');
    const strange = join(tempFolder(), 'a b#c.bundle.json');
    writeFileSync(strange, JSON.stringify(buildBundle()));
    expect(uriOf((await inProcess(['report', strange, ...args])).stdout)).toBe('a%20b%23c.bundle.json');
  });
});
