import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDialer, type DialOverride } from '../../src/capture/dialer.ts';
import type { Capture } from '../../src/capture/index.ts';
import { BlockedByGuard } from '../../src/capture/uri-fetch.ts';
import type { Records } from '../../src/evidence/bundle.ts';
import { capture, finish, folder } from './lab.ts';

type Served = {
  readonly host: string;
  readonly method: string;
  readonly path: string;
  readonly authorization: string;
  readonly body: string;
};
const log: Served[] = [];
let port: number;
let close: () => void;
beforeAll(async () => {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { host = '', authorization = '' } = request.headers;
    const path = request.url ?? '';
    log.push({ host, method: request.method ?? '', path, authorization, body });
    const [, status, to] = /^\/(30\d)\?(.*)$/.exec(path) ?? [];
    if (status) response.writeHead(Number(status), { location: decodeURIComponent(to ?? '') }).end('moved');
    else if (path === '/loop') response.writeHead(302, { location: 'loop' }).end();
    else if (path === '/reset') response.destroy();
    else response.end(`page of ${host}${path}`);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
  close = () => {
    server.closeAllConnections();
    server.close();
  };
});
afterAll(() => close());

const to = () => ({ address: '127.0.0.1', port });
const dial = (): DialOverride[] => [
  { host: 'site.agents.test', to: to(), resolves_to: ['203.0.113.5'] },
  { host: '169.254.169.254', to: to() },
  { host: 'dead.agents.test', to: { address: '127.0.0.1', port: 1 }, resolves_to: ['203.0.113.6'] },
];

const captured = async (work: (running: Capture) => Promise<void>): Promise<Records> => {
  const place = folder();
  log.length = 0;
  try {
    const running = capture(place.path);
    await work(running);
    const { refusals, records } = finish(running);
    expect(refusals).toEqual([]);
    expect(records.trace_metadata[0]).toMatchObject({ ended: 'complete', coverage: { uri_dereference: true } });
    return records;
  } finally {
    place.remove();
  }
};

describe('the observed fetcher', () => {
  test('each hop with the address it connected to; what the service logged is what was recorded', async () => {
    const target = 'http://169.254.169.254/latest';
    let text = '';
    const records = await captured(async (running) => {
      const fetch = running.uriFetch({ agent: 'planner', dial: dial() });
      text = await (await fetch(`http://site.agents.test/302?${encodeURIComponent(target)}`)).text();
    });
    expect(text).toBe('page of 169.254.169.254/latest');
    expect(log.map(({ host, path }) => `http://${host}${path}`)).toEqual(
      records.uri_dereferences.map(({ uri }) => uri),
    );
    const [first, second] = records.uri_dereferences;
    expect(first).toMatchObject({
      hop: 0,
      redirect_of: null,
      resolved_addresses: ['203.0.113.5'],
      connected_address: '127.0.0.1',
      dial_override: { host: 'site.agents.test', address: '127.0.0.1' },
      outcome: 'connected',
      status: 302,
      ended: 'complete',
      response_headers: [['location', target]],
    });
    expect(second).toMatchObject({
      hop: 1,
      redirect_of: first!.dereference_id,
      resolved_addresses: ['169.254.169.254'],
      connected_address: '127.0.0.1',
      dial_override: { host: '169.254.169.254', address: '127.0.0.1' },
      status: 200,
    });
    expect(records.dereference_responses.map(({ dereference_id, body }) => [dereference_id, body?.text])).toEqual([
      [first!.dereference_id, 'moved'],
      [second!.dereference_id, text],
    ]);
  });

  test('without an override: the addresses the name resolved to, and the one that answered', async () => {
    const records = await captured(async (running) => {
      await (await running.uriFetch({ agent: null })(`http://localhost:${port}/x`)).text();
    });
    const [hop] = records.uri_dereferences;
    expect(hop!.resolved_addresses).toContain('127.0.0.1');
    expect(hop).toMatchObject({ connected_address: '127.0.0.1', dial_override: null });
  });

  test('a reference seen on the wire is linked, from its exchange to the response', async () => {
    const uri = () => `http://127.0.0.1:${port}/doc`;
    const records = await captured(async (running) => {
      const answer = async () => new Response('{}', { headers: { 'content-type': 'application/json' } });
      const send = running.fetch({ agent: 'a', binding: 'JSONRPC', fetch: answer });
      const body = JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'SendMessage',
        params: { message: { parts: [{ text: `read ${uri()}` }] } },
      });
      await (await send('http://agent.test/', { method: 'POST', body })).text();
      await (await running.uriFetch({ agent: 'b' })(uri())).text();
    });
    expect(records.uri_references).toMatchObject([
      { uri: uri(), body: 'request', pointer: '/params/message/parts/0/text' },
    ]);
    expect(records.uri_dereferences[0]!.reference_id).toBe(records.uri_references[0]!.reference_id);
    expect(records.uri_references[0]!.exchange_id).toBe(records.exchanges[0]!.exchange_id);
  });

  test('a guard is asked before each hop, and what it blocks never leaves', async () => {
    const records = await captured(async (running) => {
      const fetch = running.uriFetch({
        agent: null,
        dial: dial(),
        guard: ({ uri }) => new URL(uri).hostname !== '169.254.169.254',
      });
      const target = encodeURIComponent('http://169.254.169.254/');
      await expect(fetch(`http://site.agents.test/307?${target}`)).rejects.toThrow(BlockedByGuard);
    });
    expect(log).toHaveLength(1);
    expect(
      records.uri_dereferences.map(({ outcome, connected_address, status }) => [outcome, connected_address, status]),
    ).toEqual([
      ['connected', '127.0.0.1', 307],
      ['blocked_by_guard', null, null],
    ]);
  });

  test('refused and reset connections are told apart', async () => {
    const records = await captured(async (running) => {
      const fetch = running.uriFetch({ agent: null, dial: dial() });
      await expect(fetch('http://dead.agents.test/')).rejects.toThrow('fetch failed');
      await expect(fetch(`http://127.0.0.1:${port}/reset`)).rejects.toThrow('fetch failed');
      await expect(fetch('not a url')).rejects.toThrow(TypeError);
    });
    expect(
      records.uri_dereferences.map(({ outcome, connected_address, ended }) => [outcome, connected_address, ended]),
    ).toEqual([
      ['connect_failed', null, 'reset'],
      ['connected', '127.0.0.1', 'reset'],
      ['connect_failed', null, 'reset'],
    ]);
    expect(records.uri_dereferences[0]!.dial_override).toEqual({ host: 'dead.agents.test', address: '127.0.0.1' });
  });

  test('redirects end at the limit, drop credentials at another origin, and turn a POST into a GET', async () => {
    const records = await captured(async (running) => {
      const fetch = running.uriFetch({ agent: null, dial: dial(), maxRedirects: 2 });
      await expect(fetch(`http://127.0.0.1:${port}/loop`)).rejects.toThrow('more than 2 redirects');
      expect(log).toHaveLength(3);
      log.length = 0;
      const request = { method: 'POST', body: 'x=1', headers: { authorization: 'Bearer abcdefgh' } };
      const other = encodeURIComponent('http://site.agents.test/end');
      await (await fetch(`http://127.0.0.1:${port}/302?/307?${other}`, request)).text();
    });
    expect(log.map(({ method, authorization, body }) => [method, authorization, body])).toEqual([
      ['POST', 'Bearer abcdefgh', 'x=1'],
      ['GET', 'Bearer abcdefgh', ''],
      ['GET', '', ''],
    ]);
    expect(records.uri_dereferences.at(-3)!.request_body!.text).toBe('x=1');
  });
});

test('a dialer brings fixed names to loopback for any client', async () => {
  const dialer = createDialer(dial());
  log.length = 0;
  const response = await dialer.fetch('http://site.agents.test/a', { method: 'POST', body: 'b' });
  expect(await response.text()).toBe('page of site.agents.test/a');
  expect(log).toMatchObject([{ host: 'site.agents.test', method: 'POST', body: 'b' }]);
  await dialer.close();
});
