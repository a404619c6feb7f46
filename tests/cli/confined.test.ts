import { execFile } from 'node:child_process';
import { realpathSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sealedFiles } from '../support/pair.ts';
import { type Ran, tempFolder, writeAll } from './run.ts';

/** Every way of Node to reach a network, made to end the process with code 99. */
const NO_NETWORK = `
import dgram from 'node:dgram';
import dns from 'node:dns';
import net from 'node:net';
import { syncBuiltinESMExports } from 'node:module';
const refuse = (what) => () => { process.stderr.write('NETWORK ' + what); process.exit(99); };
net.Socket.prototype.connect = refuse('connect');
net.Server.prototype.listen = refuse('listen');
dgram.createSocket = refuse('dgram');
dns.lookup = refuse('lookup');
dns.promises.lookup = refuse('lookup');
globalThis.fetch = refuse('fetch');
syncBuiltinESMExports();
`;

const major = Number(process.versions.node.split('.')[0]);
const PERMISSION = major >= 23 ? '--permission' : '--experimental-permission';

const run = (flags: readonly string[], args: readonly string[]): Promise<Ran> =>
  new Promise((done) => {
    const command = [...flags, resolve('dist/src/cli/main.cjs'), ...args];
    execFile(
      process.execPath,
      command,
      { env: { PATH: process.env.PATH, NODE_NO_WARNINGS: '1' } },
      (error, stdout, stderr) => {
        done({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, stdout, stderr });
      },
    );
  });

const preload = (): string => {
  const file = join(tempFolder(), 'no-network.mjs');
  writeFileSync(file, NO_NETWORK);
  return file;
};

describe('verification', () => {
  it('opens no socket and asks no name server', async () => {
    const files = writeAll(sealedFiles());
    const args = ['verify', files.bundle, files.receipt, files.profile, '--trust', files.trust];
    expect((await run(['--import', preload()], args)).code).toBe(0);
  });

  it('would be caught if it did', async () => {
    const probe = join(tempFolder(), 'probe.mjs');
    for (const attempt of [
      "(await import('node:net')).connect(1)",
      "await fetch('http://127.0.0.1:1')",
      "(await import('node:dns')).lookup('localhost', () => {})",
    ]) {
      writeFileSync(probe, attempt);
      expect(await run(['--import', preload(), '--import', probe], ['--help'])).toMatchObject({ code: 99 });
    }
  });

  it('reads only the named files and its own code', async () => {
    const files = writeAll(sealedFiles());
    const named = Object.values(files).map((file) => `--allow-fs-read=${realpathSync(file)}`);
    const own = ['dist', 'node_modules', 'package.json'].map(
      (name) => `--allow-fs-read=${resolve(name)}${name.includes('.') ? '' : '/*'}`,
    );
    const args = ['verify', ...[files.bundle, files.receipt, files.profile].map((file) => realpathSync(file))];
    const trust = ['--trust', realpathSync(files.trust)];
    const allowed = await run([PERMISSION, ...own, ...named], [...args, ...trust]);
    expect([allowed.code, allowed.stderr]).toEqual([0, '']);
    const denied = await run([PERMISSION, ...own, ...named.slice(1)], [...args, ...trust]);
    expect([denied.code, denied.stderr]).toEqual([2, expect.stringContaining('cannot read the bundle')]);
  });
});
