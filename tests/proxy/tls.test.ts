import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { rpc, task } from '../capture/wire/world.ts';

import { JSON_HEADERS, post } from './http.ts';
import { closeAll, openProxies, serve, started } from './lab.ts';

let folder: string;
let pem: string;
let fingerprint: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'proxy-tls-'));
  pem = join(folder, 'cert.pem');
  const names = 'subjectAltName=DNS:localhost,IP:127.0.0.1';
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-keyout', join(folder, 'key.pem')];
  const made = [
    'req',
    '-x509',
    '-nodes',
    ...key,
    '-out',
    pem,
    '-days',
    '2',
    '-subj',
    '/CN=localhost',
    '-addext',
    names,
  ];
  execFileSync('openssl', made, { stdio: 'pipe' });
  fingerprint = new X509Certificate(readFileSync(pem)).fingerprint256.replaceAll(':', '').toLowerCase();
});
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(closeAll);

/** A target behind TLS, by a certificate that nobody vouches for. */
const target = async (): Promise<string> => {
  const files = { cert: readFileSync(pem), key: readFileSync(join(folder, 'key.pem')) };
  const server = createServer(files, (_, response) =>
    response.writeHead(200, JSON_HEADERS).end(JSON.stringify(task('t-1', 'COMPLETED'))),
  );
  return (await started(server)).replace('http:', 'https:');
};

test('a certificate that nobody vouches for is refused: 502, and the evidence says why', async () => {
  const lab = await openProxies([await target()]);
  const response = await post(`${lab.at[0]}/rpc`, rpc('hello'));
  expect([response.status, await response.text()]).toEqual([
    502,
    expect.stringContaining('DEPTH_ZERO_SELF_SIGNED_CERT'),
  ]);
  const { records, trace } = await lab.judged();
  expect(records.exchanges).toMatchObject([
    { status: null, ended: 'reset', attributes: { error: 'Error DEPTH_ZERO_SELF_SIGNED_CERT' } },
  ]);
  expect(trace.coverage_notes.join()).not.toContain('not verified');
});

test('unless told otherwise, which the coverage notes say: the fingerprint is in the evidence', async () => {
  const origin = await target();
  const lab = await openProxies([origin], { insecure: true });
  expect((await post(`${lab.at[0]}/rpc`, rpc('hello'))).status).toBe(200);
  const { records, trace } = await lab.judged();
  expect(records.exchanges).toMatchObject([
    { url: `${origin}/rpc`, status: 200, attributes: { tls_certificate_sha256: fingerprint } },
  ]);
  expect(trace.coverage_notes).toContain('proxy: the certificates of targets were not verified');
});

test('a dereference by TLS has the fingerprint too', async () => {
  const origin = await target();
  const agent = await serve((_, response) =>
    response.writeHead(200, JSON_HEADERS).end(JSON.stringify(task('t-1', 'COMPLETED'))),
  );
  const lab = await openProxies([agent, origin], { insecure: true });
  await post(`${lab.at[0]}/rpc`, rpc(`${origin}/page`));
  await (await fetch(`${lab.at[1]}/page`)).text();
  const { records } = await lab.judged();
  expect(records.uri_dereferences).toMatchObject([
    { uri: `${origin}/page`, status: 200, attributes: { tls_certificate_sha256: fingerprint } },
  ]);
});
