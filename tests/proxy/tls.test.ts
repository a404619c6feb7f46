import { rmSync } from 'node:fs';
import { afterAll, afterEach, expect, test } from 'vitest';
import { rpc, task } from '../capture/wire/world.ts';
import { makeCertificate } from './certificate.ts';
import { JSON_HEADERS, post } from './http.ts';
import { closeAll, openProxies, serve, started } from './lab.ts';

const certificate = makeCertificate();
const { fingerprint } = certificate;
afterAll(() => rmSync(certificate.folder, { recursive: true }));
afterEach(closeAll);

const target = async (): Promise<string> => (await started(certificate.server())).replace('http:', 'https:');

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
