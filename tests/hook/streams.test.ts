import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { forensictrace } from '../cli/run.ts';
import { ANSWERS, type Answer, answerOf, bodyOf, type Peer, startPeer } from './peers.ts';
import { type Captured, type Lab, openLab } from './support.ts';
import { twice } from './twice.ts';

const CERTIFICATE = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=peer'
  .split(' ')
  .concat('-addext', 'subjectAltName=IP:127.0.0.1');

const READERS = 'tests/hook/programs/readers.mjs';

const each = (manners: readonly string[], answers: readonly string[]): (readonly [string, string])[] =>
  manners.flatMap((manner) => answers.map((answer) => [manner, answer] as const));
const nameOf = ([manner, answer]: readonly [string, string]): string => `${manner}: ${answer}`;

const FETCH = ['text', 'bytes', 'json', 'blob', 'reader', 'iteration', 'clone'].map((read) => `fetch ${read}`);
const HTTP = ['http data', 'http readable', 'http text', 'http keep-alive'];
const UNDICI = ['undici fetch', 'undici request text', 'undici request iteration', 'undici stream'];
/** Those of which manners of reading may make something different. */
const TELLING = [
  'five-events-in-one-chunk',
  'one-event-over-twenty-chunks',
  'cut-while-working-by-a-reset',
  'not-utf8',
  'less-than-content-length',
  'no-content',
  'gzip',
];
const WHOLE = [
  ...each([...FETCH, ...HTTP, ...UNDICI], TELLING),
  ...each(
    ['fetch text', 'http data', 'undici request text'],
    Object.keys(ANSWERS).filter((answer) => !TELLING.includes(answer)),
  ),
];
const STOPPED = each(
  ['stops by cancel', 'stops by abort', 'stops by a reason', 'stops by break', 'http stops'],
  ['never-ends'],
);
const UNANSWERED = each(['times out', 'http destroyed'], ['never-answers']);
const MOVED = each(
  ['fetch redirected', 'fetch moved by hand', 'fetch refusing redirects', 'undici request text', 'http data'],
  ['moved-with-307', 'moved-with-303'],
);

let lab: Lab;
let peer: Peer;
let captured: Captured;
let exchanges: Readonly<Record<string, Captured['records']['exchanges'][number]>>;

/** The exchanges of a capture by manner and answer, which their paths name. */
const exchangesOf = ({ records }: Captured): typeof exchanges =>
  Object.fromEntries(
    records.exchanges.map((row) => [decodeURIComponent(row.url.split('/').slice(-2).join(': ')), row]),
  );

beforeAll(async () => {
  lab = await openLab();
  peer = await startPeer();
  const cases = [...WHOLE, ...STOPPED, ...UNANSWERED, ...MOVED];
  captured = await twice(lab, 'reading', [READERS, peer.origin, JSON.stringify(cases)], { peer });
  exchanges = exchangesOf(captured);
});
afterAll(() => peer.close());

const asRecorded = (row: Captured['records']['exchanges'][number] | undefined) => ({
  ended: row?.ended,
  status: row?.status,
  ...(row?.response_body && { size: row.response_body.size, sha256: row.response_body.sha256 }),
});
const asSent = (answer: Answer) => {
  const { ended, status = 200 } = answer;
  const body = bodyOf(answer);
  return { ended, status, ...(status !== null && { size: body.length, sha256: nativeCrypto.sha256Hex(body) }) };
};

test.for(WHOLE)('what is read to its end is recorded as it was sent: %s, %s', (row) => {
  expect(asRecorded(exchanges[nameOf(row)])).toEqual(asSent(answerOf(row[1])));
});

test.for(STOPPED)('a consumer that stops early leaves what it had got, and an exchange that was aborted: %s', (row) => {
  const { ended, status, response_body, exchange_id } = exchanges[nameOf(row)]!;
  expect({ ended, status }).toEqual({ ended: 'aborted', status: 200 });
  const sent = bodyOf(answerOf('never-ends')).toString();
  expect(response_body?.text).not.toBe('');
  expect(sent.startsWith(response_body?.text ?? '')).toBe(true);
  const transitions = captured.records.task_transitions.filter((transition) => transition.exchange_id === exchange_id);
  expect(transitions[0]?.state).toBe('submitted');
});

test('a peer that never answers is a timeout, or what the program made of it', () => {
  const [timedOut, destroyed] = UNANSWERED.map((row) => asRecorded(exchanges[nameOf(row)]));
  expect(timedOut).toEqual({ ended: 'timeout', status: null });
  expect(destroyed).toEqual({ ended: 'aborted', status: null });
});

test('each request of a redirect is an exchange, and what the client makes of it stays its own', () => {
  for (const row of MOVED) {
    expect(exchanges[nameOf(row)]).toMatchObject({
      method: 'POST',
      status: answerOf(row[1]).status,
      ended: 'complete',
    });
  }
  const followed = captured.records.exchanges.filter(({ url }) => url === `${peer.origin}/rpc/content-length`);
  expect(followed.map(({ method, request_body }) => `${method} ${request_body !== null}`).sort()).toEqual([
    'GET false',
    'POST true',
  ]);
  expect(captured.records.exchanges).toHaveLength(WHOLE.length + STOPPED.length + UNANSWERED.length + MOVED.length + 2);
});

test('an artifact of ten megabytes is kept whole where there is room for it', async () => {
  const args = [READERS, peer.origin, JSON.stringify([['fetch reader', 'ten-megabytes']])];
  const room = ['--body-limit', '12582912'];
  const { stdout } = await forensictrace(lab.commandLine('ten-megabytes', ['node', ...args], room));
  const sent = asSent(answerOf('ten-megabytes'));
  expect(stdout).toContain(`${sent.size} bytes ${sent.sha256?.slice(0, 16)}`);
  const stem = lab.stemOf('ten-megabytes');
  const [bundle, receipt] = [`${stem}.bundle.json`, `${stem}.receipt.json`];
  // As a process of its own: as vitest transforms it, the verifier takes three times as long.
  const verified = await forensictrace(['verify', bundle, receipt, 'profiles/general.json', ...lab.signing.slice(-2)]);
  expect(verified.stdout).toMatch(/^INCONCLUSIVE/);
  const { exchanges, artifacts } = JSON.parse(readFileSync(bundle, 'utf8')) as Captured['records'];
  expect(exchanges.map(asRecorded)).toEqual([sent]);
  expect(exchanges.map(({ event_count }) => event_count)).toEqual([3]);
  expect(artifacts.map(({ content }) => content?.size)).toEqual([1e7]);
});

test('an exchange over TLS is seen in the clear, its certificate being trusted or not looked at', async () => {
  const [key, cert] = [join(lab.folder, 'tls.key'), join(lab.folder, 'tls.pem')];
  execFileSync('openssl', [...CERTIFICATE, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  const secure = await startPeer({ key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') });
  onTestFinished(() => secure.close());
  const cases = each(
    ['fetch text', 'fetch clone', 'undici request text', 'http data', 'http keep-alive'],
    ['five-events-in-one-chunk', 'cut-in-an-event-cleanly', 'less-than-content-length', 'gzip'],
  );
  const args = [READERS, secure.origin, JSON.stringify(cases)];
  const trusting = { NODE_EXTRA_CA_CERTS: cert };
  const seen = exchangesOf(await twice(lab, 'tls', args, { peer: secure, env: trusting }));
  expect(Object.keys(seen).sort()).toEqual(cases.map(nameOf).sort());
  for (const row of cases) {
    expect(asRecorded(seen[nameOf(row)])).toEqual(asSent(answerOf(row[1])));
    expect(seen[nameOf(row)]).toMatchObject({
      url: expect.stringMatching(/^https:/),
      attributes: { connected_address: '127.0.0.1' },
    });
  }
  const distrusting = [READERS, secure.origin, JSON.stringify(each(['fetch text', 'undici stream'], ['gzip']))];
  const distrusted = await twice(lab, 'tls-distrusted', distrusting, { peer: secure });
  expect(JSON.stringify(distrusted.transcript)).toContain('DEPTH_ZERO_SELF_SIGNED_CERT');
  expect(distrusted.records.exchanges.map(asRecorded)).toEqual([
    { ended: 'reset', status: null },
    { ended: 'reset', status: null },
  ]);
});
