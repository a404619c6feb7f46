import { execFile, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sealedFiles } from '../support/pair.ts';
import { forensictrace, inProcess, tempFolder, writeAll } from './run.ts';

/** Exit code 1 is a verdict, and Node ends with it whenever something fails that nobody caught. */

const MAIN = resolve('dist/src/cli/main.cjs');
const files = writeAll(sealedFiles());
const verifyArgs = ['verify', files.bundle, files.receipt, files.profile, '--trust', files.trust];
const HOSTILE = 'no\nVERIFIED\x1b[31m\u009b2J\u202e';

const shell = (script: string): Promise<{ readonly code: number; readonly stderr: string }> =>
  new Promise((done) => {
    execFile('/bin/sh', ['-c', script], { maxBuffer: 1 << 26 }, (error, _, stderr) =>
      done({ code: typeof error?.code === 'number' ? error.code : 0, stderr }),
    );
  });

const quote = (args: readonly string[]): string => args.map((arg) => `'${arg}'`).join(' ');

describe('the reader of the output', () => {
  it.each([[[]], [['--json']]])('may leave at once: the verdict stands and nothing is told (%j)', async (more) => {
    const { code: own } = await forensictrace([...verifyArgs, ...more]);
    const child = spawn(process.execPath, [MAIN, ...verifyArgs, ...more], { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.destroy();
    let stderr = '';
    child.stderr.on('data', (bytes: Buffer) => {
      stderr += bytes.toString();
    });
    const code = await new Promise((done) => child.on('close', done));
    expect({ code, stderr }).toEqual({ code: own, stderr: '' });
  });

  it.skipIf(!existsSync('/dev/full'))('may be a full disk: the report is lost, and that is no verdict', async () => {
    const command = quote([process.execPath, MAIN, ...verifyArgs]);
    const { code, stderr } = await shell(`${command} > /dev/full`);
    expect({ code, lines: stderr.trimEnd().split('\n').length }).toEqual({ code: 2, lines: 1 });
    expect((await shell(`${command} --json > /dev/full`)).code).toBe(2);
    expect(
      (await shell(`${quote([process.execPath, MAIN, 'verify', 'none', 'none', 'none'])} 2> /dev/full`)).code,
    ).toBe(2);
  });
});

describe('inputs without end', () => {
  it.skipIf(!existsSync('/dev/zero'))('are not read to memory’s end', async () => {
    const ran = await forensictrace(['verify', '/dev/zero', ...verifyArgs.slice(2)]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('/dev/zero is larger than 511 MiB');
  });

  it('may be pipes', async () => {
    const args = quote([process.execPath, MAIN, 'inspect', '/dev/stdin']);
    expect((await shell(`cat '${files.bundle}' | ${args}`)).code).toBe(0);
  });
});

const isPlain = (text: string): boolean => !/[^\n\P{Cc}]|\p{Cf}/u.test(text);

describe('names that a stranger chose', () => {
  const commands: readonly (readonly string[])[] = [
    ['verify', HOSTILE, files.receipt, files.profile, '--trust', files.trust],
    ['verify', files.bundle, files.receipt, files.profile, '--trust', HOSTILE],
    ['verify', files.bundle, files.receipt, files.profile, '--trust', files.trust, '--out', `/none/${HOSTILE}`],
    ['verify', files.bundle, files.receipt, files.profile, HOSTILE],
    ['verify', files.bundle, files.receipt, files.profile, `--${HOSTILE}`],
    ['inspect', HOSTILE],
    ['inspect', files.bundle, '--extract', HOSTILE],
    ['explain', HOSTILE],
    ['keys', 'show', HOSTILE],
    ['keys', 'generate', '--out', `/dev/null/${HOSTILE}`],
    ['trust', 'show', '--trust', HOSTILE],
    ['trust', 'retire', HOSTILE, '--trust', files.trust],
    ['trust', HOSTILE],
    [HOSTILE],
  ];

  it.each(commands)('reach no terminal as they are: %j', async (...args) => {
    const ran = await inProcess(args);
    expect(ran.code).toBe(2);
    expect(ran.stdout).toBe('');
    expect(ran.stderr).not.toBe('');
    expect(isPlain(ran.stderr)).toBe(true);
    expect(ran.stderr).not.toMatch(/^VERIFIED/m);
  });

  it.each(commands)('with --json are one JSON error: %j', async (...args) => {
    const ran = await inProcess([...args, '--json']);
    expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 2, stderr: '' });
    expect(isPlain(ran.stdout)).toBe(true);
    expect(JSON.parse(ran.stdout)).toEqual({ error: expect.any(String), exit_code: 2 });
  });

  it('are shown, not obeyed, where all went well', async () => {
    const file = join(tempFolder(), 'x\x1b[3m\u009b.json');
    writeFileSync(file, sealedFiles().trust);
    const text = await inProcess(['trust', 'show', '--trust', file]);
    expect({ code: text.code, plain: isPlain(text.stdout) }).toEqual({ code: 0, plain: true });
  });
});

describe('keys', () => {
  it('are never left in halves beside another key', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'a.pub.pem'), 'of another key');
    expect((await forensictrace(['keys', 'generate', '--out', join(folder, 'a.pem')])).code).toBe(2);
    writeFileSync(join(folder, 'b.pem'), 'another key');
    expect((await forensictrace(['keys', 'generate', '--out', join(folder, 'b.pem')])).code).toBe(2);
    expect(readdirSync(folder)).toEqual(['a.pub.pem', 'b.pem']);
  });
});

describe('files that are already there', () => {
  it('are never overwritten when they are the evidence, by whatever name', async () => {
    const pair = writeAll(sealedFiles());
    const link = join(tempFolder(), 'link.json');
    symlinkSync(pair.bundle, link);
    const before = Object.values(pair).map((file) => readFileSync(file, 'utf8'));
    const args = ['verify', pair.bundle, pair.receipt, pair.profile, '--trust', pair.trust, '--out'];
    for (const out of [...Object.values(pair), link]) {
      const ran = await forensictrace([...args, out]);
      expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining('would overwrite')]);
    }
    expect((await forensictrace(['inspect', pair.bundle, '--out', link])).code).toBe(2);
    expect(Object.values(pair).map((file) => readFileSync(file, 'utf8'))).toEqual(before);
    expect((await forensictrace([...args, '/dev/null'])).code).toBe(0);
  });
});

describe('a trust store', () => {
  it('loses no change that succeeded when many are made at one time', async () => {
    const trust = join(tempFolder(), 'trust.json');
    await forensictrace(['trust', 'init', '--trust', trust]);
    const added = await Promise.all(
      Array.from({ length: 8 }, async (_, at) => {
        const key = join(tempFolder(), 'k.pem');
        await forensictrace(['keys', 'generate', '--out', key]);
        const ran = await forensictrace(['trust', 'add', '--trust', trust, '--signer', `s${at}`, '--key', key]);
        return { signer: `s${at}`, code: ran.code, stderr: ran.stderr };
      }),
    );
    const { signers } = JSON.parse(readFileSync(trust, 'utf8')) as { signers: { signer_id: string }[] };
    const done = added.filter(({ code }) => code === 0).map(({ signer }) => signer);
    expect(signers.map(({ signer_id }) => signer_id).sort()).toEqual(done);
    expect(added.every(({ code, stderr }) => code === 0 || (code === 2 && stderr.includes('is being changed')))).toBe(
      true,
    );
    expect(readdirSync(dirname(trust))).toEqual(['trust.json']);
  });
});
