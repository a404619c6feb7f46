import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { ANSWERS, type Answer, answerOf, bodyOf, type Peer, startPeer } from './peers.ts';
import { type Captured, type Lab, openLab } from './support.ts';
import { twice } from './twice.ts';

const CERTIFICATE = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=peer'
  .split(' ')
  .concat('-addext', 'subjectAltName=IP:127.0.0.1');

const LIMIT = 4 * 1024 * 1024;
const READERS = 'tests/hook/programs/readers.mjs';

let lab: Lab;
beforeAll(async () => {
  lab = await openLab();
});

const openPeer = async (): Promise<Peer> => {
  const peer = await startPeer();
  onTestFinished(() => peer.close());
  return peer;
};

/** The exchanges of a capture by manner and answer, which their paths name. */
const exchangesOf = ({ records }: Captured): Readonly<Record<string, Captured['records']['exchanges'][number]>> =>
  Object.fromEntries(
    records.exchanges.map((row) => [decodeURIComponent(row.url.split('/').slice(-2).join(': ')), row]),
  );

const asRecorded = ({ ended, status, response_body }: Captured['records']['exchanges'][number]) => ({
  ended,
  status,
  ...(response_body !== null && { size: response_body.size, sha256: response_body.sha256 }),
});
const asSent = (answer: Answer) => {
  const { ended, status = 200 } = answer;
  const body = bodyOf(answer);
  return { ended, status, ...(status !== null && { size: body.length, sha256: nativeCrypto.sha256Hex(body) }) };
};

test('what is read to its end is recorded as it was sent, in whatever manner it is read', async () => {
  const peer = await openPeer();
  const captured = await twice(lab, 'reading', [READERS, peer.origin, Object.keys(ANSWERS).join(), 'all'], { peer });
  const exchanges = exchangesOf(captured);
  expect(Object.keys(exchanges).sort()).toEqual(Object.keys(captured.transcript).sort());
  const different = Object.entries(exchanges).flatMap(([name, row]) => {
    const [seen, sent] = [asRecorded(row), asSent(answerOf(name.split(': ')[1]!))];
    return isDeepStrictEqual(seen, sent) ? [] : [{ name, seen, sent }];
  });
  expect(different).toEqual([]);
});

test('a consumer that stops early, by whatever means, leaves what it had got, and an exchange that was aborted', async () => {
  const peer = await openPeer();
  const manners = ['stops by cancel', 'stops by abort', 'stops by a reason', 'stops by break', 'http stops'];
  const captured = await twice(lab, 'stopping', [READERS, peer.origin, 'never-ends', manners.join()], { peer });
  const sent = bodyOf(answerOf('never-ends')).toString();
  const exchanges = exchangesOf(captured);
  expect(Object.keys(exchanges).sort()).toEqual(manners.map((manner) => `${manner}: never-ends`).sort());
  for (const { ended, status, response_body } of Object.values(exchanges)) {
    expect({ ended, status }).toEqual({ ended: 'aborted', status: 200 });
    expect(response_body?.text).not.toBe('');
    expect(sent.startsWith(response_body?.text ?? '')).toBe(true);
  }
  const states = captured.records.task_transitions.map(({ state }) => state);
  expect(states.filter((state) => state === 'submitted')).toHaveLength(manners.length);
});

test('a peer that never answers is a timeout, or what the program made of it', async () => {
  const peer = await openPeer();
  const args = [READERS, peer.origin, 'never-answers', 'times out,http destroyed'];
  const exchanges = exchangesOf(await twice(lab, 'waiting', args, { peer }));
  expect(Object.fromEntries(Object.entries(exchanges).map(([name, row]) => [name, asRecorded(row)]))).toEqual({
    'times out: never-answers': { ended: 'timeout', status: null },
    'http destroyed: never-answers': { ended: 'aborted', status: null },
  });
});

test('an artifact of ten megabytes is told by its size and digest where the body is cut, and is kept whole where there is room', async () => {
  const peer = await openPeer();
  const args = [READERS, peer.origin, 'ten-megabytes', 'fetch reader,http data'];
  const sent = asSent(answerOf('ten-megabytes'));
  const cut = await twice(lab, 'ten-megabytes', args, { peer });
  expect(cut.records.exchanges.map(asRecorded)).toEqual([sent, sent]);
  expect(cut.records.artifacts.map(({ raw, wire_issue }) => [raw?.truncated, wire_issue])).toEqual([
    [LIMIT, { raw: 'truncated' }],
    [LIMIT, { raw: 'truncated' }],
  ]);
  expect(cut.records.task_transitions.filter(({ state }) => state === 'working')).toHaveLength(2);
  const room = { options: ['--body-limit', '12582912'] };
  const whole = await lab.capture('ten-megabytes-whole', ['node', ...args.with(-1, 'http data')], room);
  expect(whole.records.exchanges.map(asRecorded)).toEqual([sent]);
  expect(whole.records.exchanges.map(({ event_count }) => event_count)).toEqual([3]);
  expect(whole.records.artifacts.map(({ content }) => content?.size)).toEqual([1e7]);
});

test('each request of a redirect is an exchange, and what the client makes of it stays its own', async () => {
  const peer = await openPeer();
  const manners = 'fetch redirected,fetch moved by hand,fetch refusing redirects,undici request text,http data';
  const args = [READERS, peer.origin, 'moved-with-307,moved-with-303', manners];
  const { records } = await twice(lab, 'moving', args, { peer });
  const seen = records.exchanges.map(({ method, url, status, request_body }) => [
    decodeURIComponent(new URL(url).pathname.slice('/rpc/'.length)),
    method,
    status,
    request_body !== null,
  ]);
  const moved = (manner: string): unknown[] => [
    [`${manner}/moved-with-303`, 'POST', 303, true],
    [`${manner}/moved-with-307`, 'POST', 307, true],
  ];
  const followed = [
    ['content-length', 'GET', 200, false],
    ['content-length', 'POST', 200, true],
  ];
  expect(seen.sort()).toEqual([...manners.split(',').flatMap(moved), ...followed].sort());
});

test('an exchange over TLS is seen in the clear, its certificate being trusted or not looked at', async () => {
  const [key, cert] = [join(lab.folder, 'tls.key'), join(lab.folder, 'tls.pem')];
  execFileSync('openssl', [...CERTIFICATE, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  const peer = await startPeer({ key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') });
  onTestFinished(() => peer.close());
  const answers = 'five-events-in-one-chunk,cut-in-an-event-cleanly,less-than-content-length,gzip';
  const manners = 'fetch text,fetch clone,undici request text,http data,http keep-alive';
  const trusting = { NODE_EXTRA_CA_CERTS: cert };
  const exchanges = exchangesOf(
    await twice(lab, 'tls', [READERS, peer.origin, answers, manners], { peer, env: trusting }),
  );
  expect(Object.keys(exchanges)).toHaveLength(20);
  for (const [name, row] of Object.entries(exchanges)) {
    expect({ name, ...asRecorded(row) }).toEqual({ name, ...asSent(answerOf(name.split(': ')[1]!)) });
    expect(row.url).toMatch(/^https:/);
    expect(row.attributes?.connected_address).toBe('127.0.0.1');
  }
  const distrusted = await twice(lab, 'tls-distrusted', [READERS, peer.origin, 'gzip', 'fetch text,undici stream'], {
    peer,
  });
  expect(JSON.stringify(distrusted.transcript)).toContain('DEPTH_ZERO_SELF_SIGNED_CERT');
  expect(distrusted.records.exchanges.map(asRecorded)).toEqual([
    { ended: 'reset', status: null },
    { ended: 'reset', status: null },
  ]);
});
