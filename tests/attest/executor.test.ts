import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json-value.ts';
import { hostOfUrl } from '../../src/pcm/hosts.ts';
import { Lab, POLICY, refusalOf, sharedLab, untilGone } from './lab.ts';

const work = realpathSync(mkdtempSync(join(tmpdir(), 'ft-exec-')));
const root = join(work, 'root');
mkdirSync(join(root, 'src'), { recursive: true });
mkdirSync(join(work, 'outside'));
writeFileSync(join(work, 'outside', 'kept'), 'kept');
symlinkSync(join(work, 'outside'), join(root, 'link'));
symlinkSync(join(work, 'outside', 'kept'), join(root, 'file-link'));
afterAll(() => rmSync(work, { recursive: true }));

const seen: IncomingMessage[] = [];
const site = createServer((request, response) => {
  seen.push(request);
  if (request.url === '/away') response.writeHead(302, { location: 'http://169.254.169.254/secret' });
  response.end(request.url === '/long' ? 'x'.repeat(1 << 20) : 'body');
});
beforeAll(() => new Promise<void>((done) => void site.listen(0, '127.0.0.1', done)));
afterAll(() => void site.close());
const at = (path: string, host = '127.0.0.1') => `http://${host}:${(site.address() as AddressInfo).port}${path}`;

const shared = sharedLab(
  {
    actions: [
      { does: 'shell', name: 'Bash', cwd: work, run_as: 'signer', timeout_s: 1, env: { GIVEN: 'yes' } },
      { does: 'http', name: 'WebFetch', hosts: ['127.0.0.1', 'gone.example', 'one.example:443'], timeout_s: 5 },
      { does: 'write', name: 'Write', root },
    ],
  },
  {
    ...POLICY,
    tools: { ...POLICY.tools, Refused: 'app' },
    ask: [...POLICY.ask, { id: 'SUDO', tool: 'Bash', pattern: 'sudo ' }],
  },
);
const execute = async (tool: string, args: JsonObject) => {
  const run = await shared().run();
  const { ok, result } = await run.execute(tool, args);
  const { data, source, tier } = (await run.read()).at(-1)!;
  return { ok, result, data, marks: [source, tier] };
};
const refused = async (tool: string, args: JsonObject) => {
  const run = await shared().run();
  const refusal = await refusalOf(run.execute(tool, args));
  expect(await run.read()).toHaveLength(1);
  return refusal;
};

describe('the shell action', () => {
  it('says how a command ended, and writes down no more than that', async () => {
    const { ok, result, data, marks } = await execute('Bash', { command: 'echo out; echo err >&2; exit 3' });
    expect([ok, result]).toEqual([false, { exit_code: 3, output: 'out\nerr\n', why: null }]);
    expect(data).toEqual({
      tool_use_id: expect.any(String),
      decision_id: expect.any(String),
      ok: false,
      via: 'executor',
      exit_code: 3,
    });
    expect(marks).toEqual(['gateway', 'T2']);
  });

  it('passes nothing of its own environment on but where programs are', async () => {
    process.env.PLANTED = 'planted';
    const { result } = await execute('Bash', { command: 'env' });
    delete process.env.PLANTED;
    expect(result.output).toContain('GIVEN=yes');
    expect(result.output).not.toContain('planted');
  });

  it('ends a command that does not end, with all that it started', async () => {
    const { ok, result } = await execute('Bash', { command: "sh -c 'echo $$ > pid; exec sleep 600' & sleep 600" });
    expect([ok, result.exit_code, result.why]).toEqual([false, null, 'it did not end within 1 s']);
    await untilGone(join(work, 'pid'));
  });

  it('does not wait for what a command leaves behind', async () => {
    expect((await execute('Bash', { command: 'sleep 60 & true' })).ok).toBe(true);
  });

  it('keeps the end of a long output', async () => {
    const { result } = await execute('Bash', { command: 'seq 100000; echo the end' });
    const output = result.output as string;
    expect([output.length, output.endsWith('the end\n')]).toEqual([262_144, true]);
  });

  it.skipIf(process.getuid?.() !== 0)('runs as another user, who cannot read the key (needs root)', async () => {
    const lab = await Lab.start({
      actions: [{ does: 'shell', name: 'Bash', cwd: '/', run_as: { uid: 65_534, gid: 65_534 } }],
    });
    const run = await lab.run();
    const { result } = await run.execute('Bash', { command: `id -u; id -G; cat ${lab.path('data/log.key.pem')}` });
    expect(result.output).toMatch(/^65534\n65534\ncat: .+: Permission denied\n$/);
  });

  it.each<[JsonObject, string]>([
    [{}, 'invalid_request: /command'],
    [{ command: ['ls'] }, 'invalid_request: /command'],
    [{ command: 'ls', cwd: '/' }, 'invalid_request: /cwd: there is no such member'],
    [{ command: 'a\0b' }, 'invalid_request: /command: a command holds no NUL'],
  ])('does not take %j', async (args, text) => {
    expect(await refused('Bash', args)).toContain(text);
  });
});

describe('the http action', () => {
  it('fetches, and follows no redirect', async () => {
    expect(await execute('WebFetch', { url: at('/x'), headers: { 'X-Order': '81' } })).toMatchObject({
      ok: true,
      result: { status: 200, body: 'body', truncated: false },
      data: { status: 200, ok: true },
      marks: ['gateway', 'T2'],
    });
    expect(seen.at(-1)!.headers['x-order']).toBe('81');
    const before = seen.length;
    expect(await execute('WebFetch', { url: at('/away') })).toMatchObject({
      ok: true,
      result: { status: 302, location: 'http://169.254.169.254/secret' },
    });
    expect(seen).toHaveLength(before + 1);
  });

  it('cuts a long body, and says of a host that does not answer that it did not', async () => {
    const { result } = await execute('WebFetch', { url: at('/long') });
    expect([(result.body as string).length, result.truncated]).toEqual([262_144, true]);
    expect(await execute('WebFetch', { url: 'http://gone.example:1/' })).toMatchObject({
      ok: false,
      data: { status: null },
    });
  });

  it.each<[string, JsonObject, string]>([
    [
      'a host that is not listed',
      { url: 'http://bank.example/' },
      'forbidden: the executor fetches from 127.0.0.1, gone.example, one.example:443, and not from bank.example:80',
    ],
    ['a port that is not listed', { url: 'https://one.example:444/' }, 'and not from one.example:444'],
    ['the metadata of a cloud', { url: 'http://169.254.169.254/' }, 'forbidden'],
    ['a host in the user’s place', { url: 'http://127.0.0.1@bank.example/' }, 'holds no password'],
    ['a host behind a backslash', { url: 'http://bank.example\\@127.0.0.1/' }, 'read apart'],
    ['an address in another form', { url: 'http://2130706433/' }, 'dotted quad'],
    ['a percent in the host', { url: 'http://127.0.0%2e1/' }, 'has a % in its host'],
    ['a split line', { url: 'http://127.0.0.1/\r\nHost: bank.example' }, 'is not printable ASCII'],
    ['no scheme', { url: '//127.0.0.1/' }, 'an http or https URL is fetched'],
    ['a file', { url: 'file:///etc/passwd' }, 'an http or https URL is fetched'],
    ['a split header', { url: 'http://127.0.0.1/', headers: { a: 'b\r\nHost: bank.example' } }, '/args/headers/a'],
    [
      'a split header name',
      { url: 'http://127.0.0.1/', headers: { 'a\r\nb': 'c' } },
      'is no header that an agent gives',
    ],
    [
      'another host header',
      { url: 'http://127.0.0.1/', headers: { Host: 'bank.example' } },
      'is no header that an agent gives',
    ],
    [
      'a framing header',
      { url: 'http://127.0.0.1/', headers: { 'transfer-Encoding': 'chunked' } },
      'is no header that an agent gives',
    ],
    ['a method', { url: 'http://127.0.0.1/', method: 'DELETE' }, '/method: there is no such member'],
  ])('does not fetch %s', async (_, args, text) => {
    const before = seen.length;
    expect(await refused('WebFetch', args)).toContain(text);
    expect(seen).toHaveLength(before);
  });
});

it('a URL is fetched from the host that verifiers read in it, or not at all', () => {
  const piece = fc.constantFrom(
    'http:',
    'https:',
    '/',
    '//',
    '\\',
    '@',
    ':',
    '80',
    '.',
    '127.0.0.1',
    '0x7f',
    '[::1]',
    '[::ffff:1.2.3.4]',
    'a.example',
    'A',
    'xn--a',
    '%61',
    '#',
    '?',
    '-',
    '_',
    '1',
    '..',
  );
  fc.assert(
    fc.property(fc.constantFrom('http://', 'https://', ''), fc.array(piece, { maxLength: 6 }), (scheme, pieces) => {
      const text = scheme + pieces.join('');
      const reading = hostOfUrl(text);
      if ('untold' in reading || !URL.canParse(text)) return;
      const { protocol, href } = new URL(text);
      if (['http:', 'https:'].includes(protocol)) expect([text, hostOfUrl(href)]).toEqual([text, reading]);
    }),
    { numRuns: 5000 },
  );
});

describe('the write action', () => {
  const write = (file_path: string, content = 'new') => execute('Write', { file_path, content });
  it('writes and replaces whole files', async () => {
    const path = join(root, 'src', 'a.txt');
    for (const content of ['one', 'two £']) {
      expect(await write(path, content)).toMatchObject({ ok: true, marks: ['gateway', 'T2'] });
      expect(readFileSync(path, 'utf8')).toBe(content);
    }
  });

  it('goes through no link, and replaces one instead of following it', async () => {
    expect(await write(join(root, 'link', 'x'))).toMatchObject({
      ok: false,
      result: { why: 'the file was not written: ENOTDIR' },
    });
    expect(await write(join(root, 'file-link'))).toMatchObject({ ok: true });
    expect([readFileSync(join(work, 'outside', 'kept'), 'utf8'), existsSync(join(work, 'outside', 'x'))]).toEqual([
      'kept',
      false,
    ]);
  });

  it('says of a folder that is not there, or of a path that is one, that it was not written', async () => {
    expect(await write(join(root, 'none', 'x'))).toMatchObject({ ok: false, data: { ok: false } });
    expect(await write(join(root, 'src'))).toMatchObject({ ok: false });
  });

  it.each([
    ['outside the root', join(work, 'outside', 'x'), 'forbidden: the executor writes below'],
    ['beside the root', `${root}2/x`, 'forbidden: the executor writes below'],
    ['the root itself', root, 'forbidden: the executor writes below'],
    ['upwards', `${root}/../outside/x`, 'a path is absolute, without empty parts, . and ..'],
    ['through a dot', `${root}/./x`, 'a path is absolute'],
    ['a folder', `${root}/x/`, 'a path is absolute'],
    ['relative', 'x', 'a path is absolute'],
    ['with a NUL', `${root}/x\0.txt`, 'a path holds no NUL'],
  ])('does not write %s', async (_, path, text) => {
    expect(await refused('Write', { file_path: path, content: '' })).toContain(text);
  });
});

describe('the executor', () => {
  it('has the actions of the configuration and no other', async () => {
    expect(await refused('Read', {})).toBe(
      'forbidden: the executor has no action "Read"; it has: Bash, WebFetch, Write',
    );
  });

  it('runs what a policy asks about once a person approved it, and once', async () => {
    const run = await shared().run();
    const args = { command: 'echo sudo ; true' };
    const [{ ok, call }] = await Promise.all([run.execute('Bash', args), shared().answer('alice', run)]);
    expect(ok).toBe(true);
    expect((await run.read()).map(({ type, source }) => [type, source])).toEqual([
      ['run.start', 'signer'],
      ['policy.decision', 'gateway'],
      ['approval.request', 'gateway'],
      ['approval', 'signer'],
      ['approval.consume', 'signer'],
      ['tool.result', 'gateway'],
    ]);
    expect(await refusalOf(run.call('execute', { call, tool: 'Bash', args }))).toBe(
      `invalid_request: the call ${call} has its result already`,
    );
  });

  it('consumes an approval itself: the agent cannot take it for a call of its own', async () => {
    const run = await shared().run();
    const args = { command: 'sudo ls' };
    const { approval_id } = await run.call<{ approval_id: string }>('execute', { call: 'c', tool: 'Bash', args });
    await shared().answer('alice', run);
    expect(await refusalOf(run.call('approval_consume', { approval_id, args }))).toBe(
      "forbidden: the call c is the executor's: execute it again, which consumes the approval",
    );
  });

  it.each<[string, JsonObject, string]>([
    ['other args', { command: 'sudo rm' }, 'forbidden: the call c was decided with another tool or other args'],
    ['an answer that is no', { command: 'sudo ls' }, 'was not given (reject)'],
  ])('does not run with %s', async (_, args, text) => {
    const run = await shared().run();
    await run.call('execute', { call: 'c', tool: 'Bash', args: { command: 'sudo ls' } });
    await shared().answer('alice', run, 'reject');
    expect(await refusalOf(run.call('execute', { call: 'c', tool: 'Bash', args }))).toContain(text);
  });

  it('keeps the agent’s calls and its own apart', async () => {
    const run = await shared().run();
    await run.decide('Bash', { command: 'true' }, { call: 'mine' });
    expect(await refusalOf(run.execute('Bash', { command: 'true' }, { call: 'mine' }))).toBe(
      "forbidden: the call mine is the agent's own: its result is the agent's word",
    );
    const { call } = await run.execute('Bash', { command: 'false' });
    expect(await refusalOf(run.complete(call, true))).toBe(
      `forbidden: the call ${call} is the executor's, which writes its result itself`,
    );
    expect(await refusalOf(run.decide('Bash', { command: 'true' }, { call }))).toContain(
      'give each call an id of its own',
    );
  });

  it('runs nothing that the policy denies', async () => {
    const lab = await Lab.start({ actions: [{ does: 'shell', name: 'run', cwd: work, run_as: 'signer' }] });
    const run = await lab.run();
    expect(await refusalOf(run.execute('run', { command: 'touch denied' }))).toBe('forbidden: the policy denies run');
    expect(existsSync(join(work, 'denied'))).toBe(false);
  });
});
