import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { forensictrace, inProcess, tempFolder } from './run.ts';

/** A program with a capture that has a dereference under way; says so, and waits to be killed. */
const PROGRAM = `
import { startCapture } from ${JSON.stringify(resolve('dist/src/index.js'))};
import { createServer } from 'node:http';
const capture = startCapture({ dir: process.argv[1], incident_id: 'run-1', profile_id: 'general' });
const server = createServer(() => process.stdout.write('asked')).listen(0, '127.0.0.1', () => {
  capture.uriFetch({ agent: 'a' })('http://127.0.0.1:' + server.address().port + '/').catch(() => undefined);
});
`;

const start = async (dir: string) => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM, dir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
};

let killed: string;
beforeAll(async () => {
  killed = tempFolder();
  const child = await start(killed);
  child.kill('SIGKILL');
  await once(child, 'close');
  const [key, trust] = [join(killed, 'k.pem'), join(killed, 'trust.json')];
  await inProcess(['keys', 'generate', '--out', key]);
  await inProcess(['trust', 'init', '--trust', trust]);
  await inProcess(['trust', 'add', '--signer', 'ci', '--key', join(killed, 'k.pub.pem'), '--trust', trust]);
});

/** The journal of the killed program, a key and its trust store, in a folder of their own. */
const place = () => {
  const folder = tempFolder();
  const at = (name: string): string => join(folder, name);
  for (const name of ['run-1.journal', 'k.pem', 'k.pub.pem', 'trust.json']) copyFileSync(join(killed, name), at(name));
  const recover = (over: Readonly<Record<string, string>> = {}, ...more: string[]) => {
    const options = { profile: 'profiles/general.json', key: at('k.pem'), trust: at('trust.json'), ...over };
    const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
    return inProcess(['recover', at('run-1.journal'), ...args, ...more]);
  };
  return { folder, at, recover, before: readdirSync(folder).sort() };
};

describe('forensictrace recover', () => {
  it('says what is missing, and prints the command that verifies what it made', async () => {
    const { at, recover } = place();
    const ran = await recover({ out: at('a new/folder') });
    expect([ran.code, ran.stderr]).toEqual([0, '']);
    expect(ran.stdout).toMatch(/^gap +the capture was stopped before its end; open were: dereference-1$/m);
    expect(ran.stdout).toContain('INCONCLUSIVE at best, or INDICATED');
    const [, next] = /^next +npx forensictrace (.*)$/m.exec(ran.stdout) ?? [];
    const words = [...next!.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!);
    const verified = await forensictrace(words);
    expect([verified.code, verified.stderr]).toEqual([3, '']);
    expect(verified.stdout).toContain('INCONCLUSIVE');
  });

  it('tells the same as JSON', async () => {
    const { at, recover } = place();
    const ran = await recover({}, '--json');
    expect(JSON.parse(ran.stdout)).toMatchObject({
      bundle: at('run-1.bundle.json'),
      ended: 'recovered',
      gaps: [expect.stringContaining('dereference-1')],
      next: expect.stringMatching(/^npx forensictrace verify /),
    });
  });

  type Place = ReturnType<typeof place>;
  it.each<[string, (at: Place['at']) => Readonly<Record<string, string>>, RegExp]>([
    ['a public key', (at) => ({ key: at('k.pub.pem') }), /not a PEM key/],
    ['a missing key', (at) => ({ key: at('none.pem') }), /there is no key at .*none\.pem\n.*--key FILE/],
    ['a signer that no receipt may name', () => ({ signer: 'Bob Smith' }), /--signer "Bob Smith": letters, digits/],
    [
      'no trust store',
      (at) => ({ trust: at('none.json') }),
      /there is no trust store at .*none\.json.*\n.*--signer NAME/,
    ],
    [
      'another profile',
      () => ({ profile: 'profiles/experiment.json' }),
      /the capture was made for profile general, and profiles\/experiment\.json is experiment; nothing was written/,
    ],
    ['a folder that cannot be made', (at) => ({ out: join(at('k.pem'), 'x') }), /a part of the path is not a folder/],
  ])('with %s writes nothing, so that the same command, mended, works', async (_, over, message) => {
    const { folder, at, recover, before } = place();
    const ran = await recover(over(at));
    expect([ran.code, ran.stdout]).toEqual([2, '']);
    expect(ran.stderr).toMatch(message);
    expect(readdirSync(folder).sort()).toEqual(before);
    expect((await recover()).code).toBe(0);
  });

  it('with a key that others can read gives advice that can be followed', async () => {
    const { folder, at, recover, before } = place();
    chmodSync(at('k.pem'), 0o644);
    const ran = await recover();
    expect(ran.code).toBe(2);
    expect(readdirSync(folder).sort()).toEqual(before);
    execFileSync('sh', ['-c', /run: (chmod .*)$/m.exec(ran.stderr)![1]!]);
    expect((await recover()).code).toBe(0);
  });

  it.each<[string, (journal: string) => void, RegExp]>([
    ['is none', (journal) => writeFileSync(journal, 'hello\n'), /line 1: not a journal/],
    ['is empty', (journal) => writeFileSync(journal, ''), /line 1: not a journal/],
    [
      'ends at once',
      (journal) => writeFileSync(journal, readFileSync(journal, 'utf8').split(/(?<=\n)/, 1)[0]!),
      /says which capture it is of: there is nothing to seal/,
    ],
  ])('refuses a journal that %s', async (_, spoil, message) => {
    const { at, recover } = place();
    spoil(at('run-1.journal'));
    const ran = await recover();
    expect(ran.code).toBe(2);
    expect(ran.stderr).toMatch(message);
  });

  it('refuses a folder and a missing file as a journal, in words', async () => {
    const { folder } = place();
    for (const [journal, words] of [
      [folder, 'it is a folder'],
      [join(folder, 'none.journal'), 'no such file or folder'],
    ] as const) {
      const ran = await forensictrace([
        'recover',
        journal,
        '--profile',
        'profiles/general.json',
        '--key',
        join(folder, 'k.pem'),
        '--signer',
        'ci',
      ]);
      expect([ran.code, ran.stderr]).toEqual([2, `forensictrace: cannot read the journal ${journal}: ${words}\n`]);
    }
  });
});

describe('a capture that still runs', () => {
  it('is not sealed behind its back, and is once it was killed', async () => {
    const { at, recover, folder } = place();
    const dir = at('live');
    const child = await start(dir);
    const args = [
      'recover',
      join(dir, 'run-1.journal'),
      '--profile',
      'profiles/general.json',
      '--key',
      at('k.pem'),
      '--signer',
      'ci',
    ];
    const ran = await forensictrace(args);
    expect([ran.code, ran.stderr]).toEqual([
      2,
      expect.stringContaining(`still runs, in process ${child.pid}; nothing was written`),
    ]);
    expect(readdirSync(dir)).toEqual(['run-1.journal']);
    child.kill('SIGKILL');
    await once(child, 'close');
    expect((await forensictrace(args)).code).toBe(0);
    expect(readdirSync(folder)).toContain('live');
    expect((await recover()).code).toBe(0);
  });
});
