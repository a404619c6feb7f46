import { spawn } from 'node:child_process';
import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { EnvironmentFault, SignerClient } from '../../../src/index.ts';

/** PKCS #8 of an Ed25519 private key, up to its 32 bytes (RFC 8410 section 7). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The Ed25519 key that a seed fixes for a name. */
export const seededKey = (seed: string, name: string) => {
  const bytes = createHash('sha256').update(`forensictrace lies, log key\n${seed}\n${name}`).digest();
  return createPrivateKey({ key: Buffer.concat([PKCS8, bytes]), format: 'der', type: 'pkcs8' });
};

/** Who is known to every signer, by role; `nora` and `agent-n` are of another tenant than the rest. */
const IDENTITIES = [
  ['agent-a', 'agent'],
  ['agent-v', 'agent'],
  ['agent-s', 'agent'],
  ['agent-n', 'agent', 'north'],
  ['robot', 'agent-approver'],
  ['alice', 'person'],
  ['bob', 'person'],
  ['carol', 'person'],
  ['nora', 'person', 'north'],
  ['egress', 'egress'],
  ['sensor', 'sensor'],
] as const;
export type Name = (typeof IDENTITIES)[number][0];

/** Answers for no person: no name stands for carol in the configuration. */
const PERSONS = { 'token:alice': 'alice', 'token:bob': 'bob', 'token:nora': 'nora' };
const APPROVERS = ['alice', 'bob', 'carol', 'nora', 'robot', 'agent-a'].map((name) => `token:${name}`);

const POLICY = {
  tools: {
    Bash: 'shell',
    shell: 'shell',
    WebFetch: 'http',
    Write: 'fs',
    'pcm.grant': 'app',
    refund: 'app',
    notify: 'app',
    'gateway:Bash': 'app',
    'executor/Write': 'app',
    'T2.WebFetch': 'app',
  },
  ask: [
    { id: 'GRANT', tool: 'pcm.grant', pattern: '^' },
    { id: 'REFUND', tool: 'refund', pattern: '^' },
    { id: 'NOTIFY', tool: 'notify', pattern: '^' },
    { id: 'PROTECTED', tool: 'Write', pattern: '/protected/' },
  ],
};

export type PlaceOptions = {
  readonly seed: string;
  readonly name: string;
  /** The folder of the signer. */
  readonly folder: string;
  readonly origin: string;
  /** Folders of the suites, and the folder below which files are written. */
  readonly pytest: string;
  readonly vitest: string;
  readonly files: string;
  readonly hosts: readonly string[];
  /** What its commands find programs by. */
  readonly path: string;
  /** May an agent answer its own calls, and how long has an approver? */
  readonly approvals: { readonly self_approval: boolean; readonly timeout_s: number };
};

/** A signer in a process of its own, with a connection for each identity. */
export type SignerPlace = {
  readonly name: string;
  readonly origin: string;
  readonly vkey: string;
  readonly journal: string;
  readonly as: Readonly<Record<Name, SignerClient>>;
  readonly close: () => Promise<void>;
};

const writeFiles = ({ seed, name, folder, origin, approvals, ...place }: PlaceOptions): string => {
  mkdirSync(join(folder, 'data'), { recursive: true, mode: 0o700 });
  const key = seededKey(seed, name);
  writeFileSync(join(folder, 'data', 'log.key.pem'), key.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600 });
  writeFileSync(join(folder, 'data', 'log.pub.pem'), createPublicKey(key).export({ format: 'pem', type: 'spki' }));
  writeFileSync(join(folder, 'policy.json'), JSON.stringify(POLICY));
  const config = {
    origin,
    data_dir: 'data',
    socket: 's.sock',
    policy: 'policy.json',
    identities: IDENTITIES.map(([identity, role, tenant]) => ({
      name: identity,
      role,
      token_file: identity,
      ...(tenant === undefined ? {} : { tenant }),
    })),
    approvals: { approvers: APPROVERS, persons: PERSONS, ...approvals },
    actions: [
      { name: 'Bash', does: 'shell', cwd: place.pytest, run_as: 'signer', git_tree: true },
      { name: 'shell', does: 'shell', cwd: place.vitest, run_as: 'signer', git_tree: true },
      { name: 'WebFetch', does: 'http', hosts: place.hosts, timeout_s: 5 },
      { name: 'Write', does: 'write', root: place.files },
    ],
    event_quota: { events: 1_000_000, window_s: 60 },
  };
  const file = join(folder, 'signer.json');
  writeFileSync(file, JSON.stringify(config));
  return file;
};

const started = async (file: string, path: string) => {
  const extension = extname(import.meta.url);
  const main = fileURLToPath(new URL(`../../../src/cli/main${extension}`, import.meta.url));
  const loader = extension === '.ts' ? ['--import', 'tsx'] : [];
  const child = spawn(process.execPath, [...loader, main, 'signer', 'serve', '--config', file, '--json'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, PATH: path },
  });
  const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), once(child, 'exit')])) as [unknown];
  if (typeof line !== 'string') throw new EnvironmentFault(`the signer of ${file} did not start`);
  return { child, vkey: (JSON.parse(line) as { vkey: string }).vkey };
};

/** Starts a signer whose key the seed fixes. Rejects with EnvironmentFault when it does not start. */
export const openSigner = async (options: PlaceOptions): Promise<SignerPlace> => {
  const { name, folder, origin, path } = options;
  const { child, vkey } = await started(writeFiles(options), path);
  const clients: [Name, SignerClient][] = [];
  for (const [identity] of IDENTITIES) {
    const place = { socket: join(folder, 's.sock'), tokenFile: join(folder, identity) };
    clients.push([identity, await SignerClient.connect(place)]);
  }
  return {
    name,
    origin,
    vkey,
    journal: join(folder, 'data', 'log', 'journal'),
    as: Object.fromEntries(clients) as Record<Name, SignerClient>,
    close: async () => {
      for (const [, client] of clients) client.close();
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
};
