import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTrust } from '../../src/seal/trust.ts';
import { readSigner } from '../../src/store/keys.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { forensictrace, inProcess, tempFolder } from './run.ts';

const openssl = (...args: string[]): string =>
  execFileSync('openssl', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

const made = async (folder: string) => {
  const ran = await inProcess(['keys', 'generate', '--out', join(folder, 'k.pem'), '--json']);
  return JSON.parse(ran.stdout) as {
    key_id: string;
    public_key: string;
    private_key_file: string;
    public_key_file: string;
  };
};

describe('forensictrace keys', () => {
  it('makes a pair that openssl reads, the private half for its owner alone', async () => {
    const key = await made(tempFolder());
    expect(statSync(key.private_key_file).mode & 0o777).toBe(0o600);
    expect(openssl('pkey', '-in', key.private_key_file, '-noout', '-text')).toContain('ED25519 Private-Key');
    const der = execFileSync('openssl', ['pkey', '-pubin', '-in', key.public_key_file, '-outform', 'DER']);
    expect(der.subarray(-32).toString('base64')).toBe(key.public_key);
    expect(key.key_id).toBe(`sha256:${nativeCrypto.sha256Hex(der.subarray(-32))}`);
  });

  it('reads a pair that openssl made', async () => {
    const file = join(tempFolder(), 'openssl.pem');
    openssl('genpkey', '-algorithm', 'ED25519', '-out', file);
    const ran = await forensictrace(['keys', 'show', file, '--json']);
    const der = execFileSync('openssl', ['pkey', '-in', file, '-pubout', '-outform', 'DER']);
    expect(JSON.parse(ran.stdout).public_key).toBe(der.subarray(-32).toString('base64'));
  });

  it('shows the same key from either half, and never the private one', async () => {
    const key = await made(tempFolder());
    const halves = [key.private_key_file, key.public_key_file].map((file) => forensictrace(['keys', 'show', file]));
    const [one, two] = await Promise.all(halves);
    expect(one).toEqual(two);
    const secret = readFileSync(key.private_key_file, 'utf8').split('\n')[1]!;
    expect(one?.stdout).not.toContain(secret);
  });

  it('overwrites no key', async () => {
    const folder = tempFolder();
    const key = await made(folder);
    const before = readFileSync(key.private_key_file, 'utf8');
    const again = await forensictrace(['keys', 'generate', '--out', key.private_key_file]);
    expect([again.code, readFileSync(key.private_key_file, 'utf8')]).toEqual([2, before]);
    expect(again.stderr).toContain('never overwritten');
  });

  it.each<[string, (folder: string) => string, RegExp]>([
    ['no file', (folder) => join(folder, 'none.pem'), /no such file/],
    ['a folder', (folder) => folder, /it is a folder/],
    ['no PEM', (folder) => written(folder, 'hello'), /not a PEM key/],
    ['an RSA key', (folder) => rsa(folder), /rsa key; Ed25519 is needed/],
  ])('refuses %s', async (_, file, message) => {
    const ran = await inProcess(['keys', 'show', file(tempFolder())]);
    expect([ran.code, ran.stdout]).toEqual([2, '']);
    expect(ran.stderr).toMatch(message);
  });

  it('signs with no key that others can read', async () => {
    const key = await made(tempFolder());
    chmodSync(key.private_key_file, 0o644);
    expect(() => readSigner(key.private_key_file, 'ci')).toThrow(/chmod 600/);
  });
});

const written = (folder: string, text: string): string => {
  const file = join(folder, 'x.pem');
  writeFileSync(file, text);
  return file;
};

const rsa = (folder: string): string => {
  const file = join(folder, 'rsa.pem');
  openssl('genpkey', '-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048', '-out', file);
  return file;
};

describe('forensictrace trust', () => {
  const store = async () => {
    const folder = tempFolder();
    const file = join(folder, 'trust.json');
    const key = await made(folder);
    const run = (...args: string[]) => inProcess(['trust', ...args, '--trust', file]);
    await run('init');
    return { file, key, run };
  };
  const stored = (file: string) => JSON.parse(readFileSync(file, 'utf8')).signers[0].keys[0];

  it('keeps a key from its first day to its revocation, readable by the verifier at every step', async () => {
    const { file, key, run } = await store();
    const { key_id } = key;
    const add = await run('add', '--signer', 'ci', '--key', key.public_key_file, '--from', '2026-01-01T00:00:00.000Z');
    expect([add.code, stored(file).status]).toEqual([0, 'active']);
    expect(add.stdout).toContain(key_id);
    await run('retire', key_id, '--until', '2026-06-01T00:00:00.000Z');
    expect(stored(file)).toMatchObject({ status: 'retired', valid_until: '2026-06-01T00:00:00.000Z' });
    await run('revoke', key_id, '--reason', 'superseded', '--at', '2026-05-01T00:00:00.000Z');
    expect(stored(file)).toMatchObject({ status: 'revoked', revocation_reason: 'superseded' });
    await run('revoke', key_id, '--reason', 'compromise');
    expect(stored(file)).toMatchObject({ status: 'revoked', revocation_reason: 'compromise' });
    expect(readTrust(readFileSync(file), nativeCrypto).ok).toBe(true);
    expect((await run('revoke', key_id, '--reason', 'cessation')).code).toBe(2);
    expect(stored(file).revocation_reason).toBe('compromise');
  });

  it.each<[string, readonly string[], RegExp]>([
    ['a second init', ['init'], /exists/],
    ['an unknown key', ['retire', 'sha256:00'], /holds no key sha256:00/],
    ['a bad time', ['retire', 'KEY', '--until', 'tomorrow'], /not a time like/],
    ['a leap second', ['retire', 'KEY', '--until', '2016-12-31T23:59:60.000Z'], /not a time like/],
    ['no reason', ['revoke', 'KEY'], /required option '--reason/],
    ['another reason', ['revoke', 'KEY', '--reason', 'boredom'], /choices are compromise, superseded, cessation/i],
    [
      'the same key twice',
      ['add', '--signer', 'other', '--key', 'PUBLIC'],
      /nothing was written.*TRUST_KEY_USED_TWICE/,
    ],
    ['a signer id outside the grammar', ['add', '--signer', 'a b', '--key', 'PUBLIC'], /nothing was written/],
  ])('refuses %s and changes nothing', async (_, args, message) => {
    const { file, key, run } = await store();
    await run('add', '--signer', 'ci', '--key', key.public_key_file);
    const before = readFileSync(file, 'utf8');
    const ran = await run(
      ...args.map((arg) => (arg === 'KEY' ? key.key_id : arg === 'PUBLIC' ? key.public_key_file : arg)),
    );
    expect([ran.code, readFileSync(file, 'utf8')]).toEqual([2, before]);
    expect(ran.stderr).toMatch(message);
  });

  it('uses the per-user folder when no file is named', async () => {
    const home = tempFolder();
    mkdirSync(join(home, '.config'));
    const ran = await forensictrace(['trust', 'init'], { HOME: home });
    expect(ran.code).toBe(0);
    expect((await forensictrace(['trust', 'show', '--json'], { HOME: home })).stdout).toContain('a2aft.trust.v1');
  });
});
