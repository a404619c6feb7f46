import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { CARD, cardOf, rpc, task } from '../capture/wire/world.ts';
import { bodyOf, JSON_HEADERS, post, send } from './http.ts';
import { closeAll, openProxies, serve } from './lab.ts';

afterEach(closeAll);

describe('a card', () => {
  test.each([
    ['as it is', (text: string) => ({ head: {}, body: Buffer.from(text) })],
    [
      'compressed',
      (text: string) => ({
        head: { 'content-encoding': 'gzip', 'content-digest': 'sha-256=:x:' },
        body: gzipSync(text),
      }),
    ],
  ])('%s: the client gets one that leads through the proxy, evidence is that of the target', async (_, pack) => {
    let text = '';
    const target = await serve((incoming, response) => {
      const { head, body } = pack(text);
      if (incoming.url === CARD)
        response.writeHead(200, { ...JSON_HEADERS, 'content-length': body.length, etag: '"1"', ...head }).end(body);
      else response.writeHead(200, JSON_HEADERS).end(JSON.stringify(task('t-1', 'COMPLETED')));
    });
    text = JSON.stringify(cardOf('Greeter ✓', `http://localhost:${new URL(target).port}/rpc`));
    const lab = await openProxies([target]);
    const port = new URL(lab.at[0]!).port;
    const response = await send(`${lab.at[0]}${CARD}`, {});
    const forwarded = (await bodyOf(response)).toString();
    const url = `http://localhost:${port}/rpc`;
    expect(forwarded).toBe(text.replace(`http://localhost:${new URL(target).port}/rpc`, url));
    expect(response.headers['content-length']).toBe(String(Buffer.byteLength(forwarded)));
    expect(response.headers).toMatchObject({ etag: '"1"' });
    expect(response.headers).not.toHaveProperty('content-encoding');
    expect(response.headers).not.toHaveProperty('content-digest');
    await (await post(url, rpc('hello'))).text();
    const { records, trace } = await lab.judged();
    const upstream = `http://localhost:${new URL(target).port}/rpc`;
    expect(records.candidate_cards).toMatchObject([{ url: `${target}${CARD}`, raw: { text } }]);
    expect(records.endpoints).toMatchObject([{ url: upstream }]);
    const attributes = { side: 'proxy', via_proxy: `127.0.0.1:${port}` };
    expect(records.exchanges).toMatchObject([
      { url: `${target}${CARD}`, attributes: { ...attributes, forwarded_card: forwarded } },
      {
        url: upstream,
        endpoint_id: records.endpoints[0]!.endpoint_id,
        attributes: { ...attributes, connected_address: '127.0.0.1' },
      },
    ]);
    expect(records.discovery_events).toHaveLength(1);
    expect(trace.coverage_notes).toContain(`proxy: 127.0.0.1:${port} stands before ${target}`);
  });

  test('that is signed is forwarded byte for byte, with a warning', async () => {
    let text = '';
    const target = await serve((_, response) => response.writeHead(200, JSON_HEADERS).end(text));
    text = JSON.stringify(cardOf('Signed', `${target}/rpc`, { signatures: [{ protected: 'e30', signature: 'x' }] }));
    const lab = await openProxies([target]);
    expect(await (await fetch(`${lab.at[0]}${CARD}`)).text()).toBe(text);
    expect(lab.warnings).toEqual([expect.stringContaining('is signed')]);
    const { trace, records } = await lab.judged();
    expect(trace.coverage_notes).toContain(`proxy: ${lab.warnings[0]}`);
    expect(records.exchanges[0]!.attributes).not.toHaveProperty('forwarded_card');
  });

  test.each([
    [404, 'no card here'],
    [200, '<html>no card</html>'],
  ])('that is none (%i) passes as it is', async (status, text) => {
    const target = await serve((_, response) => response.writeHead(status).end(text));
    const lab = await openProxies([target]);
    const response = await fetch(`${lab.at[0]}${CARD}`);
    expect([response.status, await response.text()]).toEqual([status, text]);
    expect((await lab.judged()).records.exchanges).toMatchObject([{ status, ended: 'complete' }]);
  });

  test('that is cut is no card, for the client nor for the evidence', async () => {
    const target = await serve((_, response) => {
      response.writeHead(200, { ...JSON_HEADERS, 'content-length': 100 });
      response.write('{"name":', () => response.socket?.resetAndDestroy());
    });
    const lab = await openProxies([target]);
    await expect(fetch(`${lab.at[0]}${CARD}`)).rejects.toThrow();
    const { records } = await lab.judged();
    expect(records.exchanges).toMatchObject([{ status: 200, ended: 'reset' }]);
    expect(records.candidate_cards).toEqual([]);
  });
});

describe('a target', () => {
  test('that cannot be reached is 502 for the client, and a reset without status in the evidence', async () => {
    const target = await serve(() => {});
    closeAll();
    const lab = await openProxies([target]);
    const response = await post(`${lab.at[0]}/rpc`, rpc('hello'));
    expect(response.status).toBe(502);
    expect(await response.text()).toContain(`${target} cannot be reached: Error ECONNREFUSED`);
    const { records } = await lab.judged();
    expect(records.exchanges).toMatchObject([
      { status: null, ended: 'reset', response_body: null, attributes: { error: 'Error ECONNREFUSED' } },
    ]);
  });

  test('that hangs up before it answers is the same', async () => {
    const target = await serve((incoming) => incoming.socket.destroy());
    const lab = await openProxies([target]);
    expect((await post(`${lab.at[0]}/rpc`, rpc('hello'))).status).toBe(502);
    expect((await lab.judged()).records.exchanges).toMatchObject([{ status: null, ended: 'reset' }]);
  });

  test('gets its own name as host, and no header of the connection to the proxy', async () => {
    let headers: IncomingMessage['headers'] = {};
    const target = await serve((incoming, response) => {
      headers = incoming.headers;
      response.end();
    });
    const lab = await openProxies([target]);
    const sent = {
      connection: 'upgrade, x-hop',
      upgrade: 'h2c',
      'x-hop': '1',
      'x-end': '2',
      te: 'trailers',
      'proxy-connection': 'keep-alive',
    };
    await bodyOf(await send(`${lab.at[0]}/x`, { headers: sent }));
    expect(headers).toEqual({ host: new URL(target).host, 'x-end': '2', connection: 'close' });
    await lab.judged();
  });

  test('is not asked for another server that the request line names', async () => {
    let asked = 0;
    const target = await serve((_, response) => {
      asked++;
      response.end();
    });
    const lab = await openProxies([target]);
    const socket = connect(Number(new URL(lab.at[0]!).port), '127.0.0.1');
    socket.write('GET http://elsewhere.test/ HTTP/1.1\r\nhost: elsewhere.test\r\nconnection: close\r\n\r\n');
    expect((await bodyOf(socket)).toString()).toMatch(/^HTTP\/1\.1 400 /);
    expect(asked).toBe(0);
    await lab.judged();
  });
});

describe('proxies', () => {
  test('keep a connection of their client over several requests, although each has its own to the target', async () => {
    const ports = new Set<number | undefined>();
    const target = await serve((incoming, response) => {
      ports.add(incoming.socket.remotePort);
      response.end('ok');
    });
    const lab = await openProxies([target]);
    const socket = connect(Number(new URL(lab.at[0]!).port), '127.0.0.1');
    const request = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nhost: x\r\n${more}\r\n`;
    socket.write(request('/1') + request('/2', 'connection: close\r\n'));
    expect((await bodyOf(socket)).toString().match(/HTTP\/1\.1 200/g)).toHaveLength(2);
    expect(ports.size).toBe(2);
    await lab.judged();
  });

  test('of which one cannot listen, or leads to another, are none', async () => {
    const taken = new URL(await serve(() => {}));
    await expect(openProxies(['http://a.test', `${taken.port}=http://b.test`])).rejects.toThrow(
      `cannot listen on 127.0.0.1:${taken.port} for http://b.test: the port is taken`,
    );
    closeAll();
    await expect(openProxies([`${taken.port}=http://localhost:${taken.port}`])).rejects.toThrow(
      'is a proxy of this capture',
    );
  });

  test('name an exchange that is open when they end', async () => {
    const target = await serve(
      (_, response) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': hello\n\n'),
    );
    const lab = await openProxies([target]);
    const response = await post(`${lab.at[0]}/rpc`, rpc('go', {}, 'SendStreamingMessage'));
    const { trace, records } = await lab.judged();
    await expect(response.text()).rejects.toThrow();
    expect(trace).toMatchObject({ ended: 'incomplete', gaps: [{ what: expect.stringContaining('was still open') }] });
    expect(records.exchanges).toMatchObject([{ ended: 'aborted' }]);
  });
});
