import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { rpc, task } from '../capture/wire/world.ts';
import { forensictrace } from '../cli/run.ts';
import { type Lab, openLab } from '../hook/support.ts';
import { makeCertificate } from './certificate.ts';
import { JSON_HEADERS, post } from './http.ts';
import { closeAll, originOf, serve, started } from './lab.ts';

const MAIN = join('dist', 'src', 'cli', 'main.cjs');

let lab: Lab;
let children: ChildProcess[] = [];
beforeAll(async () => {
  lab = await openLab();
});
afterAll(() => rmSync(lab.folder, { recursive: true }));
afterEach(() => {
  closeAll();
  for (const child of children) child.kill('SIGKILL');
  children = [];
});

const agent = () =>
  serve((_, response) => response.writeHead(200, JSON_HEADERS).end(JSON.stringify(task('t-1', 'COMPLETED'))));
const proxyArgs = (incident: string, ...options: readonly string[]): string[] => [
  'capture',
  ...lab.signing,
  '--incident',
  incident,
  '--out',
  join(lab.folder, 'out'),
  ...options,
];
/** Starts a capture and waits until as many proxies are ready; gives their lines and how it ends. */
const start = async (args: readonly string[], proxies: number, env: NodeJS.ProcessEnv = {}) => {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  const ended = once(child, 'close').then(([code]) => ({ code: code as number, stdout: () => stdout }));
  const ready: string[] = [];
  for await (const line of createInterface({ input: child.stderr })) if (ready.push(line) === proxies) break;
  child.stderr.resume();
  const stop = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return ended;
  };
  return { ready, stop };
};
const READY = /^proxy (127\.0\.0\.1:\d+) before (http:\/\/127\.0\.0\.1:\d+)$/;

describe('without a command', () => {
  test('a capture of two pairs ends with SIGTERM: sealed, and 0', async () => {
    const [first, second] = [await agent(), await agent()];
    const capture = await start(proxyArgs('pairs', '--proxy', `0=${first}`, '--proxy', `0=${second}`), 2);
    const pairs = capture.ready.map((line) => READY.exec(line)!);
    expect(pairs.map(([, , target]) => target)).toEqual([first, second]);
    for (const [, listen] of pairs) await (await post(`http://${listen}/rpc`, rpc('hello'))).text();
    expect((await capture.stop('SIGTERM')).code).toBe(0);
    const { records } = lab.sealed('pairs');
    expect(records.exchanges.map(({ url, observer }) => [url, observer])).toEqual([
      [`${first}/rpc`, 'proxy'],
      [`${second}/rpc`, 'proxy'],
    ]);
  });

  test('one that ends while a stream is open is not complete: 6', async () => {
    const target = await serve(
      (_, response) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': hello\n\n'),
    );
    const capture = await start(proxyArgs('open', '--proxy', `0=${target}`), 1);
    const [, listen] = READY.exec(capture.ready[0]!)!;
    const response = await post(`http://${listen}/rpc`, rpc('go', {}, 'SendStreamingMessage'));
    expect((await capture.stop('SIGTERM')).code).toBe(6);
    await expect(response.text()).rejects.toThrow();
    expect(lab.sealed('open').records.trace_metadata).toMatchObject([{ ended: 'incomplete' }]);
  });

  test('with --json the lines of the proxies are objects, and standard output is one document; SIGINT ends it as well', async () => {
    const target = await agent();
    const capture = await start(proxyArgs('json', '--json', '--proxy', `0=${target}`), 1);
    const { listen } = JSON.parse(capture.ready[0]!) as { listen: string };
    expect(JSON.parse(capture.ready[0]!)).toEqual({ listen: expect.stringMatching(/^127\.0\.0\.1:\d+$/), target });
    await (await post(`http://${listen}/rpc`, rpc('hello'))).text();
    const { code, stdout } = await capture.stop('SIGINT');
    expect([code, JSON.parse(stdout())]).toEqual([0, expect.objectContaining({ ended: 'complete', exchanges: 1 })]);
  });

  test('a target whose certificate the environment vouches for is verified', async () => {
    const certificate = makeCertificate();
    const target = (await started(certificate.server())).replace('http:', 'https:');
    const capture = await start(proxyArgs('tls', '--proxy', `0=${target}`), 1, {
      NODE_EXTRA_CA_CERTS: certificate.file,
    });
    const listen = capture.ready[0]!.split(' ')[1]!;
    expect((await post(`http://${listen}/rpc`, rpc('hello'))).status).toBe(200);
    expect((await capture.stop('SIGTERM')).code).toBe(0);
    const { records } = lab.sealed('tls');
    expect(records.exchanges).toMatchObject([{ attributes: { tls_certificate_sha256: certificate.fingerprint } }]);
    rmSync(certificate.folder, { recursive: true });
  });
});

describe('with a command', () => {
  /** A port that was free a moment ago. */
  const freePort = async (): Promise<number> => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = new URL(originOf(server));
    await new Promise((done) => server.close(done));
    return Number(port);
  };
  const PROGRAM = `
    const answer = await fetch(process.argv[1], { method: 'POST', headers: { 'content-type': 'application/json' }, body: process.argv[2] });
    await answer.text();
    const { NODE_OPTIONS = '', FORENSICTRACE_CHANNEL = '', ...env } = process.env;
    console.log(JSON.stringify({ NODE_OPTIONS, FORENSICTRACE_CHANNEL, key: Object.values(env).filter((value) => value.includes('key.pem')) }));
    process.exit(Number(process.argv[3]));`;

  test('its exit code is passed through; it is not hooked, and not told where the key is', async () => {
    const code = 3;
    const [target, port] = [await agent(), await freePort()];
    const incident = 'command';
    const program = [
      'node',
      '--input-type=module',
      '-e',
      PROGRAM,
      `http://127.0.0.1:${port}/rpc`,
      JSON.stringify(rpc('hello')),
      String(code),
    ];
    const env = { SIGNING_KEY: join(lab.folder, 'key.pem') };
    const ran = await forensictrace([...proxyArgs(incident, '--proxy', `${port}=${target}`), '--', ...program], env);
    expect(ran).toMatchObject({ code, stdout: '{"NODE_OPTIONS":"","FORENSICTRACE_CHANNEL":"","key":[]}\n' });
    expect(lab.sealed(incident).records).toMatchObject({
      trace_metadata: [{ ended: 'complete' }],
      exchanges: [{ url: `${target}/rpc`, status: 200 }],
    });
  });
});

describe('what is wrong is told before anything begins', () => {
  test.each([
    [['--proxy', 'nonsense'], 'LISTEN=TARGET is needed'],
    [['--proxy', '0=http://127.0.0.1:9', '--per-test'], '--per-test and --proxy'],
    [['--insecure-target'], '--insecure-target is of use with --proxy alone'],
  ])('%j', async (options, told) => {
    const { code, stderr } = await forensictrace(proxyArgs('wrong', ...options));
    expect([code, stderr]).toEqual([2, expect.stringContaining(told)]);
  });

  test('a port that is taken: no journal is begun', async () => {
    const { port } = new URL(await agent());
    const { code, stderr } = await forensictrace(proxyArgs('taken', '--proxy', `${port}=http://127.0.0.1:9`));
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(`cannot listen on 127.0.0.1:${port} for http://127.0.0.1:9: the port is taken`),
    ]);
    const out = join(lab.folder, 'out');
    expect((existsSync(out) ? readdirSync(out) : []).filter((name) => name.startsWith('taken'))).toEqual([]);
  });
});
