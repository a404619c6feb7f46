import { readFileSync, statSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { REASONS } from '../../src/base/reasons.ts';
import { runExplain } from '../../src/cli/explain.ts';
import { COLLECTIONS } from '../../src/evidence/collections.ts';
import { FLEET_REASONS } from '../../src/fleet/reasons.ts';
import { PCM_REASONS } from '../../src/pcm/reasons.ts';
import { defang } from '../../src/report/indicators.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { asObject, buildBundle, bytesOf } from '../support/bundle.ts';
import { sealedFiles } from '../support/pair.ts';
import { inProcess, tempFolder, writeAll } from './run.ts';

describe('forensictrace inspect', () => {
  it('counts what is there and says that nothing was checked', async () => {
    const { bundle } = writeAll(sealedFiles());
    const text = await inProcess(['inspect', bundle]);
    expect([text.code, text.stdout.split('\n')[0]]).toEqual([
      0,
      'Nothing below was checked: run forensictrace verify.',
    ]);
    const summary = JSON.parse((await inProcess(['inspect', bundle, '--json'])).stdout);
    const expected = COLLECTIONS.map((name) => ({ name, count: (buildBundle()[name] as unknown[]).length }));
    expect(summary.collections).toEqual(expected);
    const total = summary.relations.reduce((sum: number, { count }: { count: number }) => sum + count, 0);
    expect(total).toBe((buildBundle().edges as unknown[]).length);
  });

  it('writes the bytes of an artifact inert, with their digest', async () => {
    const { bundle } = writeAll(sealedFiles());
    const artifacts = buildBundle().artifacts as unknown as {
      artifact_record_id: string;
      content: { text: string } | null;
    }[];
    const artifact = artifacts.find(({ content }) => content !== null)!;
    const out = `${tempFolder()}/artifact.bin`;
    const ran = await inProcess(['inspect', bundle, '--extract', artifact.artifact_record_id, '--out', out, '--json']);
    expect(readFileSync(out, 'utf8')).toBe(artifact.content?.text);
    expect(statSync(out).mode & 0o777).toBe(0o600);
    expect(JSON.parse(ran.stdout).sha256).toBe(nativeCrypto.sha256Hex(readFileSync(out)));
    const again = await inProcess(['inspect', bundle, '--extract', artifact.artifact_record_id, '--out', out]);
    expect(again.code).toBe(2);
    expect((await inProcess(['inspect', bundle, '--extract', 'nothing'])).stderr).toContain(
      'no artifact record nothing',
    );
  });

  it('lists indicators defanged', async () => {
    const { bundle } = writeAll(sealedFiles());
    const { stdout } = await inProcess(['inspect', bundle, '--indicators']);
    expect(stdout).toContain('hxxps://files[.]example/report');
    expect(stdout).not.toMatch(/https?:\/\//);
    expect(stdout).toMatch(/sha256 +[0-9a-f]{64}/);
  });

  it('shows a bundle of any shape, and refuses what is none', async () => {
    const files = writeAll({
      odd: bytesOf(asObject({ format: 'a2aft.bundle.v3', artifacts: 7, edges: [null, {}], trace_metadata: 'x' })),
      other: '{"format":"something"}',
      cut: '{"format":',
    });
    expect((await inProcess(['inspect', files.odd])).code).toBe(0);
    expect(await inProcess(['inspect', files.other])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('READ_WRONG_FORMAT'),
    });
    expect(await inProcess(['inspect', files.cut])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('READ_TRUNCATED'),
    });
  });
});

describe('defang', () => {
  it.each([
    ['http://169.254.169.254/latest/', 'hxxp://169[.]254[.]169[.]254/latest/'],
    ['https://a.example:8443/x?y=http://b.example', 'hxxps://a[.]example[:]8443/x?y=http://b.example'],
    ['http://user:pw@a.example/', 'hxxp://a[.]example/'],
    ['http://a.example:x@a.example/', 'hxxp://a[.]example/'],
    ['http://[::1]:80/x', 'hxxp://[[:][:]1]/x'],
    ['not a url.com', 'not a url[.]com'],
  ])('%s', (url, defanged) => {
    expect(defang(url)).toBe(defanged);
  });
});

describe('forensictrace explain', () => {
  it('prints the entry of a code, in any case', async () => {
    const ran = await inProcess(['explain', 'key-revoked-compromise']);
    expect(ran.code).toBe(0);
    for (const label of ['KEY_REVOKED_COMPROMISE', 'means', 'not', 'next', 'false alarm'])
      expect(ran.stdout).toContain(label);
  });

  it('lists every code, and as JSON gives the whole registry', async () => {
    const { stdout } = await inProcess(['explain']);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .slice(1)
        .map((line) => line.split(' ')[0]),
    ).toEqual(Object.keys({ ...REASONS, ...FLEET_REASONS }));
    expect(JSON.parse((await inProcess(['explain', '--json'])).stdout)).toEqual({ ...REASONS, ...FLEET_REASONS });
  });

  it.each(Object.keys(PCM_REASONS))('knows the code %s of pcm verify', async (code) => {
    const { means, next, level } = PCM_REASONS[code as keyof typeof PCM_REASONS];
    const lines: string[] = [];
    const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
    expect(runExplain(code.toLowerCase(), { json: true })).toBe(0);
    write.mockRestore();
    expect(JSON.parse(lines.join(''))).toEqual({ code, level, means, next });
  });

  it.each(['NO_EVIDENCE', 'accept-unproven', 'REJECT', 'INCONCLUSIVE'])('knows the word %s', async (word) => {
    const { code, stdout } = await inProcess(['explain', word]);
    expect([code, stdout.split('\n')[0]]).toEqual([0, word.toUpperCase().replace('-', '_')]);
  });

  it.each(['NOPE', 'constructor', '__proto__'])('refuses the unknown code %s', async (code) => {
    const ran = await inProcess(['explain', code]);
    expect([ran.code, ran.stdout]).toEqual([2, '']);
    expect(ran.stderr).toContain('there is no reason code');
  });
});

describe('help and usage', () => {
  it.each([
    [[]],
    [['verify']],
    [['report']],
    [['inspect']],
    [['explain']],
    [['recover']],
    [['demo']],
    [['keys', 'generate']],
    [['keys', 'show']],
    [['trust', 'init']],
    [['trust', 'add']],
    [['trust', 'retire']],
    [['trust', 'revoke']],
    [['trust', 'show']],
  ])('%j --help ends well and shows an example', async (command) => {
    const ran = await inProcess([...command, '--help']);
    expect([ran.code, ran.stderr]).toEqual([0, '']);
    expect(ran.stdout).toMatch(/Examples?:\n {2}forensictrace /);
  });

  it.each([
    [['frobnicate'], /unknown command 'frobnicate'/],
    [['verify'], /missing required argument 'bundle'/],
    [['verify', 'a', 'b', 'c', '--mode', 'half'], /Allowed choices are full, root-only, records-only/],
    [['verify', 'a', 'b', 'c', '--nope'], /unknown option '--nope'/],
    [['trust', 'add'], /required option '--signer/],
  ])('%j is a usage fault: exit 2', async (args, message) => {
    const ran = await inProcess(args);
    expect([ran.code, ran.stdout]).toEqual([2, '']);
    expect(ran.stderr).toMatch(message);
  });

  it('tells a fault as JSON where JSON was asked for', async () => {
    const ran = await inProcess(['keys', 'show', '/nowhere', '--json']);
    expect([ran.code, ran.stderr]).toEqual([2, '']);
    expect(JSON.parse(ran.stdout)).toEqual({
      error: 'cannot read the key /nowhere: no such file or folder',
      exit_code: 2,
    });
  });
});
