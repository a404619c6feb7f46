import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { isAlive } from '../../src/store/writer.ts';
import { Lab, sharedLab, untilGone } from './lab.ts';

const work = realpathSync(mkdtempSync(join(tmpdir(), 'ft-stragglers-')));
afterAll(() => rmSync(work, { recursive: true }));

const shell = (timeout_s: number) => ({ does: 'shell', name: 'Bash', cwd: work, run_as: 'signer', timeout_s });
const shared = sharedLab({ actions: [shell(2)] });
const execute = async (command: string) => (await shared().run()).execute('Bash', { command });

function* zeros(): Generator<Buffer> {
  for (;;) yield Buffer.alloc(65_536);
}

/** A shell command that starts another, which writes its id to a file and sleeps; it goes on once that is there. */
const leaving = (how: string, file: string): string =>
  `${how} /bin/sh -c 'echo $$ > ${file}.new; mv ${file}.new ${file}; exec /bin/sleep 600' & until [ -e ${file} ]; do :; done`;

describe.skipIf(!existsSync('/proc/self/environ'))('what leaves the process group of its command', () => {
  it.each([
    ['holding its output open', 'setsid'],
    ['holding nothing open', 'setsid >/dev/null 2>&1'],
    ['twice', 'setsid setsid'],
  ])('is ended with the command: %s', async (name, how) => {
    const file = name.replaceAll(' ', '-');
    const { ok, result } = await execute(leaving(how, file));
    expect([ok, result.exit_code, result.why]).toEqual([true, 0, null]);
    await untilGone(join(work, file));
  });

  it('is ended between two programs too, where its environment is not to be read', async () => {
    const again = 'exec /bin/sh -c "$0" "$0"';
    for (const file of Array.from({ length: 100 }, (_, at) => `again-${at}`)) {
      const escaping = `setsid /bin/sh -c 'echo $$ > ${file}.new; mv ${file}.new ${file}; ${again}' '${again}'`;
      await execute(`${escaping} >/dev/null 2>&1 & until [ -e ${file} ]; do :; done`);
      await untilGone(join(work, file));
    }
  });

  it('is ended when the command does not end in time', async () => {
    const { result } = await execute(`${leaving('setsid', 'late')}; sleep 600`);
    expect(result.why).toBe('it did not end within 2 s');
    await untilGone(join(work, 'late'));
  });

  it('is ended with the signer', async () => {
    const lab = await Lab.start({ actions: [shell(600)] });
    const run = await lab.run();
    const gone = run.execute('Bash', { command: `${leaving('setsid', 'closed')}; sleep 600` }).catch(() => 'gone');
    while (!existsSync(join(work, 'closed'))) await new Promise((done) => setTimeout(done, 10));
    await lab.restart();
    expect(await gone).toBe('gone');
    await untilGone(join(work, 'closed'));
  });

  it('outlives it with an environment of its own, and the call does not wait for it', async () => {
    const { ok } = await execute(leaving('env -i "$(command -v setsid)"', 'bare'));
    const pid = Number(readFileSync(join(work, 'bare'), 'utf8'));
    onTestFinished(() => void process.kill(pid, 'SIGKILL'));
    expect([ok, isAlive(pid)]).toEqual([true, true]);
  });
});

describe('an answer that does not end', () => {
  const withSite = async (
    answer: (response: ServerResponse) => void = (response) => void response.write('a start'),
  ) => {
    const responses: ServerResponse[] = [];
    const site = createServer((_, response) => {
      responses.push(response);
      answer(response);
    });
    site.listen(0, '127.0.0.1');
    await once(site, 'listening');
    onTestFinished(() => void site.close());
    return { url: `http://127.0.0.1:${(site.address() as AddressInfo).port}/`, responses };
  };
  const fetching = (timeout_s: number) => ({ does: 'http', name: 'WebFetch', hosts: ['127.0.0.1'], timeout_s });

  it.each<[string, (response: ServerResponse) => void]>([
    ['as it comes', (response) => void Readable.from(zeros()).pipe(response)],
    [
      'compressed a thousand times',
      (response) => {
        response.setHeader('content-encoding', 'gzip');
        Readable.from(zeros()).pipe(createGzip()).pipe(response);
      },
    ],
  ])('is cut, and its connection ended: %s', async (_, answer) => {
    const { url, responses } = await withSite(answer);
    const lab = await Lab.start({ actions: [fetching(600)] });
    const { ok, result } = await (await lab.run()).execute('WebFetch', { url });
    expect([ok, (result.body as string).length, result.truncated]).toEqual([true, 262_144, true]);
    if (!responses[0]!.closed) await once(responses[0]!, 'close');
  });

  it('is given up after the time of its action', async () => {
    const { url, responses } = await withSite();
    const lab = await Lab.start({ actions: [fetching(1)] });
    const { ok, result } = await (await lab.run()).execute('WebFetch', { url });
    expect([ok, result.why]).toEqual([false, 'it did not end within 1 s']);
    if (!responses[0]!.closed) await once(responses[0]!, 'close');
  });

  it('is given up when the signer ends', async () => {
    const { url, responses } = await withSite();
    const lab = await Lab.start({ actions: [fetching(600)] });
    const run = await lab.run();
    const gone = run.execute('WebFetch', { url }).catch(() => 'gone');
    while (responses.length === 0) await new Promise((done) => setTimeout(done, 10));
    await lab.restart();
    expect(await gone).toBe('gone');
    if (!responses[0]!.closed) await once(responses[0]!, 'close');
  });
});
