import { chmodSync, copyFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { SignerClient } from '../../src/attest/client/client.ts';
import { readConfig } from '../../src/attest/config.ts';
import { serveSigner } from '../../src/attest/serve.ts';
import { Lab } from './lab.ts';

const CONFIG = {
  origin: 'log.example/agents',
  data_dir: 'data',
  socket: 's',
  policy: 'policy.json',
  identities: [
    { name: 'a', role: 'agent', token_file: 'a' },
    { name: 'alice', role: 'person', token_file: 'alice' },
  ],
};
const folderWith = (config: object, policy: unknown = { tools: {} }): string => {
  const folder = mkdtempSync(join(tmpdir(), 'ft-config-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'signer.json'), JSON.stringify({ ...CONFIG, ...config }));
  writeFileSync(join(folder, 'policy.json'), typeof policy === 'string' ? policy : JSON.stringify(policy));
  return folder;
};
const read = (config: object, policy?: unknown) => () => readConfig(join(folderWith(config, policy), 'signer.json'));
const shell = { does: 'shell', cwd: '/', run_as: 'signer' };

describe('a configuration', () => {
  it.each<[string, object, RegExp]>([
    ['a member more', { uid: 1 }, /signer configuration .+signer\.json is refused at \/uid: there is no such member/],
    ['no identity', { identities: [] }, /refused at \/identities/],
    [
      'a role that is none',
      { identities: [{ name: 'a', role: 'root', token_file: 'a' }] },
      /refused at \/identities\/0\/role/,
    ],
    ['a name twice', { identities: [CONFIG.identities[0], CONFIG.identities[0]] }, /a is named twice/],
    ['an origin that names no log', { origin: 'a b' }, /the origin is no name of a log/],
    ['a mode that is none', { socket_mode: '666' }, /refused at \/socket_mode: a mode is four octal digits/],
    [
      'a uid for an approver',
      { approvals: { approvers: ['uid:1'] } },
      /refused at \/approvals\/approvers\/0: an identity is token:NAME/,
    ],
    [
      'an approver that it does not know',
      { approvals: { approvers: ['token:x'] } },
      /approvals names token:x, which is not among the identities/,
    ],
    [
      'an agent for a person',
      { approvals: { approvers: ['token:a'], persons: { 'token:a': 'alice' } } },
      /approvals\.persons names token:a, whose role is agent: only an identity of the role person stands for one/,
    ],
    [
      'an http action called Bash',
      { actions: [{ does: 'http', name: 'Bash', hosts: ['x'] }] },
      /does http, and PCM 0\.1 places Bash as a shell tool/,
    ],
    [
      'a shell action called WebFetch',
      { actions: [{ ...shell, name: 'WebFetch' }] },
      /does shell, and PCM 0\.1 places WebFetch as a http tool/,
    ],
    [
      'a shell action called create_refund',
      { actions: [{ ...shell, name: 'create_refund' }] },
      /places create_refund as a payment tool/,
    ],
    [
      'a write called Bash',
      { actions: [{ does: 'write', name: 'Bash', root: '/x' }] },
      /does write, and PCM 0\.1 places Bash as a shell tool/,
    ],
    ['a write called Read', { actions: [{ does: 'write', name: 'Read', root: '/x' }] }, /writes files: name it Write/],
    [
      'a shell action that does not say who it runs as',
      { actions: [{ does: 'shell', name: 'Bash', cwd: '/' }] },
      /refused at \/actions\/0\/run_as/,
    ],
    [
      'an http action without hosts',
      { actions: [{ does: 'http', name: 'fetch', hosts: [] }] },
      /refused at \/actions\/0\/hosts/,
    ],
    [
      'a host in capitals',
      { actions: [{ does: 'http', name: 'fetch', hosts: ['x.example:80', 'X.example'] }] },
      /lists X\.example: a host is written/,
    ],
    [
      'a URL for a host',
      { actions: [{ does: 'http', name: 'fetch', hosts: ['http://x.example'] }] },
      /lists http:\/\/x\.example/,
    ],
    [
      'a write over its own folder',
      { actions: [{ does: 'write', name: 'Write', root: '.' }] },
      /the action Write would write where the signer has .+signer\.json/,
    ],
    [
      'a write over its data',
      { actions: [{ does: 'write', name: 'Write', root: 'data' }] },
      /the action Write would write where the signer has .+data/,
    ],
    [
      'a write over its log',
      { actions: [{ does: 'write', name: 'Write', root: 'data/log' }] },
      /the action Write would write where the signer has .+data/,
    ],
    [
      'a write over everything',
      { actions: [{ does: 'write', name: 'Write', root: '/' }] },
      /would write where the signer has/,
    ],
  ])('with %s is refused', (_, config, told) => {
    expect(read(config)).toThrow(told);
  });

  it.each<[string, unknown, RegExp]>([
    ['no JSON', '{', /the policy .+policy\.json is refused: the policy is not JSON/],
    ['a name twice', '{"tools":{},"tools":{}}', /is refused at \/tools/],
    ['a rule without a pattern', { tools: {}, ask: [{ id: 'x', tool: 'y' }] }, /refused at \/ask\/0\/pattern/],
    [
      'a pattern outside the dialect',
      { tools: {}, ask: [{ id: 'x', tool: 'y', pattern: '(?<=a)' }] },
      /the pattern of the ask rule x is refused/,
    ],
  ])('whose policy has %s is refused', (_, policy, told) => {
    expect(read({}, policy)).toThrow(told);
  });

  it.each<[string, (folder: string) => [string, string]]>([
    ['its root', (folder) => [folder, 'root']],
    ['the way to its root', (folder) => [dirname(folder), join('up', basename(folder))]],
  ])('whose write reaches it through a link in place of %s is refused', (_, laid) => {
    const folder = folderWith({});
    const outside = mkdtempSync(join(tmpdir(), 'ft-link-'));
    onTestFinished(() => rmSync(outside, { recursive: true }));
    const [to, root] = laid(folder);
    symlinkSync(to, join(outside, root.split('/')[0]!));
    const actions = [{ does: 'write', name: 'Write', root: join(outside, root) }];
    writeFileSync(join(folder, 'signer.json'), JSON.stringify({ ...CONFIG, actions }));
    expect(() => readConfig(join(folder, 'signer.json'))).toThrow(/would write where the signer has .+signer\.json/);
  });

  it('whose data lie behind a link into the root of a write is refused, and one beside it is not', () => {
    const folder = folderWith({});
    const root = mkdtempSync(join(tmpdir(), 'ft-root-'));
    onTestFinished(() => rmSync(root, { recursive: true }));
    const actions = [{ does: 'write', name: 'Write', root }];
    writeFileSync(join(folder, 'signer.json'), JSON.stringify({ ...CONFIG, actions }));
    expect(readConfig(join(folder, 'signer.json')).actions).toHaveLength(1);
    symlinkSync(root, join(folder, 'data'));
    expect(() => readConfig(join(folder, 'signer.json'))).toThrow(/would write where the signer has .+data/);
  });

  it('has its paths from its own folder', () => {
    const folder = folderWith({ actions: [{ ...shell, name: 'run', cwd: 'work' }] });
    const config = readConfig(join(folder, 'signer.json'));
    expect(config).toMatchObject({
      data_dir: join(folder, 'data'),
      socket: join(folder, 's'),
      actions: [{ cwd: join(folder, 'work') }],
    });
  });
});

describe('secrets', () => {
  const serve = (folder: string) => serveSigner(readConfig(join(folder, 'signer.json')), () => {});
  it('are made once, readable by their owner alone', async () => {
    const lab = await Lab.start();
    const [token, vkey] = [lab.token('a'), (await (await lab.client('a')).status()).log.key];
    await lab.restart();
    expect([lab.token('a'), (await (await lab.client('a')).status()).log.key]).toEqual([token, vkey]);
  });

  it.each(['a', 'data/salts.secret', 'data/log.key.pem'])('that others can read are refused: %s', async (name) => {
    const folder = folderWith({});
    await (await serve(folder)).close();
    chmodSync(join(folder, name), 0o644);
    await expect(serve(folder)).rejects.toThrow(/can be read by others/);
  });

  it('that two identities share are refused', async () => {
    const folder = folderWith({});
    await (await serve(folder)).close();
    copyFileSync(join(folder, 'a'), join(folder, 'alice'));
    await expect(serve(folder)).rejects.toThrow(/the token of alice in .+ is another identity's: each has its own/);
  });

  it('that are none are refused', async () => {
    const folder = folderWith({});
    writeFileSync(join(folder, 'a'), 'guess me\n', { mode: 0o600 });
    await expect(serve(folder)).rejects.toThrow(/the token file .+ is not 64 hex digits/);
  });
});

it('an action of another user is refused to a signer that is not root', async () => {
  const folder = folderWith({ actions: [{ ...shell, name: 'Bash', run_as: { uid: 1, gid: 1 } }] });
  const getuid = vi.spyOn(process, 'getuid').mockReturnValue(1000);
  onTestFinished(() => getuid.mockRestore());
  await expect(serveSigner(readConfig(join(folder, 'signer.json')), () => {})).rejects.toThrow(
    /the action Bash runs as another user \(run_as\), which takes a signer of root's/,
  );
});

describe('the socket', () => {
  it('is not made over a file', async () => {
    const folder = folderWith({});
    symlinkSync('policy.json', join(folder, 's'));
    await expect(serveSigner(readConfig(join(folder, 'signer.json')), () => {})).rejects.toThrow(
      /is there and is no socket/,
    );
  });

  it('is not taken from another signer', async () => {
    const lab = await Lab.start();
    lab.configure({ data_dir: 'other' });
    await expect(serveSigner(readConfig(lab.path('signer.json')), () => {})).rejects.toThrow(
      /another process listens at/,
    );
    expect((await (await lab.client('a')).status()).tenant).toBe('default');
  });

  it('has a path that the system takes', async () => {
    const folder = folderWith({ socket: 's'.repeat(120) });
    await expect(serveSigner(readConfig(join(folder, 'signer.json')), () => {})).rejects.toThrow(
      /is longer than 103 bytes/,
    );
  });

  it('is told when nobody is there, and when none is named', async () => {
    const lab = await Lab.start();
    await expect(SignerClient.connect({ socket: lab.path('none'), tokenFile: lab.path('tokens/a') })).rejects.toThrow(
      /no signer answers at .+none: no such file/,
    );
    await expect(SignerClient.connect({ tokenFile: lab.path('tokens/a') })).rejects.toThrow(
      /no socket of a signer is named/,
    );
    await expect(SignerClient.connect({ socket: lab.path('s') })).rejects.toThrow(/no token file is named/);
  });
});
