import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/report/model.ts';
import { asObject, buildBundle, bytesOf } from '../support/bundle.ts';
import { pinningProfile, sealedFiles, testProfile } from '../support/pair.ts';
import { testSigner, trustDocument, trustKey } from '../support/seal.ts';
import { forensictrace, tempFolder, writeAll } from './run.ts';

type Files = Partial<Record<'bundle' | 'receipt' | 'profile' | 'trust', string | Uint8Array>>;

const verifyFiles = async (changed: Files = {}, ...options: string[]) => {
  const files = writeAll({ ...sealedFiles(), ...changed });
  return forensictrace(['verify', files.bundle, files.receipt, files.profile, '--trust', files.trust, ...options]);
};

const edited = (bytes: Uint8Array, edit: (text: string) => string): string => edit(Buffer.from(bytes).toString('utf8'));
const other = () =>
  sealedFiles(asObject({ ...buildBundle(), trace_metadata: [{ ...metadata(), incident_id: 'incident-2' }] }));
const metadata = () => (buildBundle().trace_metadata as unknown as object[])[0];
const COMPROMISED = { status: 'revoked', revoked_at: '2026-02-01T00:00:00.000Z', revocation_reason: 'compromise' };

describe('each way to fail has its own reason and exit code, and shows no stack', () => {
  it.each<[string, () => Files, number, string]>([
    ['an empty file', () => ({ bundle: '' }), 2, 'READ_EMPTY'],
    ['an empty object', () => ({ bundle: '{}' }), 2, 'READ_WRONG_FORMAT'],
    [
      'a truncated file',
      () => ({ bundle: edited(sealedFiles().bundle, (text) => text.slice(0, -40)) }),
      2,
      'READ_TRUNCATED',
    ],
    ['a receipt without a body', () => ({ receipt: '{}' }), 2, 'READ_NOT_AN_OBJECT'],
    ['a profile without a member', () => ({ profile: '{"format":"a2aft.profile.v1"}' }), 2, 'PROFILE_MALFORMED'],
    [
      'a trust store with a bad key',
      () => ({ trust: bytesOf(trustDocument(trustKey(1, { public_key: 'AAAA' }))) }),
      2,
      'TRUST_PUBLIC_KEY_ENCODING',
    ],
    ['the receipt of another bundle', () => ({ receipt: other().receipt }), 4, 'INCIDENT_MISMATCH'],
    [
      'an unknown signer',
      () => sealedFiles(buildBundle(), pinningProfile(), testSigner(1, 'nobody')),
      4,
      'KEY_SIGNER_UNKNOWN',
    ],
    ['an unknown key', () => ({ trust: bytesOf(trustDocument(trustKey(2))) }), 4, 'KEY_UNKNOWN'],
    ['a revoked key', () => ({ trust: bytesOf(trustDocument(trustKey(1, COMPROMISED))) }), 4, 'KEY_REVOKED_COMPROMISE'],
    [
      'an expired key',
      () => ({ trust: bytesOf(trustDocument(trustKey(1, { valid_until: '2026-02-01T00:00:00.000Z' }))) }),
      4,
      'KEY_EXPIRED',
    ],
    [
      'a retired key',
      () => ({
        trust: bytesOf(trustDocument(trustKey(1, { status: 'retired', valid_until: '2026-02-01T00:00:00.000Z' }))),
      }),
      4,
      'KEY_RETIRED',
    ],
    ['another profile', () => ({ profile: bytesOf(testProfile()) }), 5, 'PROFILE_NOT_NAMED_BY_RECEIPT'],
    [
      'one byte of a record',
      () => ({ bundle: edited(sealedFiles().bundle, (text) => text.replace('Summarise', 'summarise')) }),
      4,
      'RECORD_ALTERED',
    ],
  ])('%s', async (_, changed, code, reason) => {
    const ran = await verifyFiles(changed());
    expect(ran.stdout).toContain(reason);
    expect([ran.code, ran.stderr]).toEqual([code, '']);
    expect(ran.stdout).not.toMatch(/^ +at .*\(.*:\d+:\d+\)/m);
  });

  it('200 MB of [', async () => {
    const ran = await verifyFiles({ bundle: Buffer.alloc(200_000_000, '[') });
    expect([ran.code, ran.stderr]).toEqual([2, '']);
    expect(ran.stdout).toContain('READ_TOO_DEEP');
  });

  it('a file that is not there', async () => {
    const files = writeAll(sealedFiles());
    const ran = await forensictrace([
      'verify',
      '/nowhere/x.json',
      files.receipt,
      files.profile,
      '--trust',
      files.trust,
    ]);
    expect(ran).toEqual({
      code: 2,
      stdout: '',
      stderr: 'forensictrace: cannot read the bundle /nowhere/x.json: no such file or folder\n',
    });
  });

  it('no trust store: says how to make one', async () => {
    const files = writeAll(sealedFiles());
    const ran = await forensictrace(['verify', files.bundle, files.receipt, files.profile], { HOME: tempFolder() });
    expect(ran.code).toBe(2);
    expect(ran.stderr).toMatch(
      /there is no trust store at .*trust\.json[\s\S]*trust init[\s\S]*trust add[\s\S]*FORENSICTRACE_TRUST/,
    );
  });
});

describe('forensictrace verify', () => {
  it('takes the trust store from FORENSICTRACE_TRUST', async () => {
    const files = writeAll(sealedFiles());
    const ran = await forensictrace(['verify', files.bundle, files.receipt, files.profile], {
      FORENSICTRACE_TRUST: files.trust,
    });
    expect([ran.code, ran.stdout.split('\n')[0]]).toEqual([0, 'FORENSICALLY_CONSISTENT  6 of 6 families observed']);
  });

  it('opens with incident, signer, key and issue time, and prints the digest of each input', async () => {
    const { stdout } = await verifyFiles();
    const opening = stdout.split('\n').slice(2, 6);
    expect(opening.map((line) => line.trim().slice(0, 9).trim())).toEqual(['incident', 'signer', 'key', 'issued at']);
    expect(opening.map((line) => line.slice(14).split('  ')[0])).toEqual([
      'incident-1',
      'signer-1',
      testSigner().key_id,
      '2026-03-01T11:00:00.000Z',
    ]);
    for (const input of ['bundle', 'receipt', 'profile', 'trust']) {
      expect(stdout).toMatch(new RegExp(`${input} +[0-9a-f]{64} {2}\\d+ bytes`));
    }
  });

  it('gives byte-identical JSON for the same inputs, and the same to a file', async () => {
    const files = writeAll(sealedFiles());
    const args = ['verify', files.bundle, files.receipt, files.profile, '--trust', files.trust, '--json'];
    const [first, second] = await Promise.all([forensictrace(args), forensictrace(args)]);
    const out = `${tempFolder()}/report.json`;
    await forensictrace([...args, '--out', out]);
    expect(second.stdout).toBe(first.stdout);
    expect(readFileSync(out, 'utf8')).toBe(first.stdout);
    expect((JSON.parse(first.stdout) as Report).exit_code).toBe(first.code);
  });

  it('refuses another incident than the expected one', async () => {
    expect((await verifyFiles({}, '--incident', 'incident-1')).code).toBe(0);
    const ran = await verifyFiles({}, '--incident', 'incident-9');
    expect(ran.code).toBe(4);
    expect(ran.stdout).toContain('incident-9');
    expect(ran.stdout).not.toContain('claimed');
  });

  it('stops after integrity in root-only mode, and says so', async () => {
    const ran = await verifyFiles({}, '--mode', 'root-only');
    expect([ran.code, ran.stdout.split('\n')[0]]).toEqual([0, 'INTEGRITY_VERIFIED']);
    expect(ran.stdout).toContain('Steps not reached, or not in this mode: profile, admissibility, rules.');
  });

  it('is inconclusive in records-only mode', async () => {
    const ran = await verifyFiles({}, '--mode', 'records-only');
    expect(ran.code).toBe(3);
    expect(ran.stdout).toContain('ANCHOR_MISSING');
  });

  it('judges under another profile when told to, says so in the verdict line, and skips nothing of integrity', async () => {
    const profile = bytesOf(pinningProfile(asObject({ ...buildBundle() })));
    const changed = edited(profile, (text) => text.replace('"max_hops":16', '"max_hops":17'));
    expect((await verifyFiles({ profile: changed })).code).toBe(5);
    const judged = await verifyFiles({ profile: changed }, '--other-profile');
    expect([judged.code, judged.stdout.split('\n')[0]]).toEqual([
      0,
      'FORENSICALLY_CONSISTENT  6 of 6 families observed  (under another profile than the receipt names)',
    ]);
    const bundle = edited(sealedFiles().bundle, (text) => text.replace('Summarise', 'summarise'));
    expect((await verifyFiles({ profile: changed, bundle }, '--other-profile')).code).toBe(4);
  });

  it('verifies a pretty-printed copy alike, but for the digest of the file', async () => {
    const pretty = edited(sealedFiles().bundle, (text) => JSON.stringify(JSON.parse(text), null, 4));
    expect((await verifyFiles({ bundle: pretty })).code).toBe(0);
  });

  it('compares families and settings when they are given, and says when they are not', async () => {
    const folder = tempFolder();
    writeFileSync(`${folder}/as.json`, readFileSync('families/as.json'));
    const families = await verifyFiles({}, '--families', folder);
    expect([families.code, families.stdout.includes('FAMILIES_NOT_NAMED_BY_RECEIPT')]).toEqual([5, true]);
    writeFileSync(`${folder}/settings`, '{"seed":1}');
    const settings = await verifyFiles({}, '--settings', `${folder}/settings`);
    expect([settings.code, settings.stdout.includes('SETTINGS_NOT_NAMED_BY_RECEIPT')]).toEqual([5, true]);
    writeFileSync(`${folder}/settings`, '{}');
    expect((await verifyFiles({}, '--settings', `${folder}/settings`)).stdout).toContain(
      'The settings document is the one',
    );
    expect((await verifyFiles()).stdout).toContain('Settings: stated by the receipt, not checked');
  });
});

it('tells files in the wrong order by what each of them is', async () => {
  const files = sealedFiles();
  const ran = await verifyFiles({ bundle: files.profile, profile: files.bundle });
  expect([ran.code, ran.stdout.split('\n')[0]]).toEqual([2, 'COULD_NOT_CHECK  2 faults']);
  expect(ran.stdout.replaceAll(/\s+/g, ' ')).toContain(
    '"a2aft.bundle.v3" is expected, the file says "a2aft.profile.v1"',
  );
});
