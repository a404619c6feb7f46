import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { rpc, task } from '../capture/wire/world.ts';
import { bodyOf, JSON_HEADERS, post, send } from './http.ts';
import { closeAll, openProxies, serve } from './lab.ts';

afterEach(closeAll);

describe('a stream of events', () => {
  test('passes event by event, each recorded before the next is sent', async () => {
    const waiting: (() => void)[] = [];
    const target = await serve(async (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const state of ['SUBMITTED', 'WORKING', 'COMPLETED']) {
        response.write(`data: ${JSON.stringify(task('t-1', state))}\n\n`);
        await new Promise<void>((done) => waiting.push(done));
      }
      response.end();
    });
    const lab = await openProxies([target]);
    const response = await post(`${lab.at[0]}/rpc`, rpc('go', {}, 'SendStreamingMessage'));
    const reader = response.body!.getReader();
    const decoder = new TextDecoder();
    const seen: string[] = [];
    // The target sends no further event until this one has arrived: a proxy that buffers would wait for ever.
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      seen.push(decoder.decode(value));
      waiting.shift()?.();
    }
    expect(seen).toHaveLength(3);
    const { records, trace } = await lab.judged();
    expect(trace).toMatchObject({ ended: 'complete', gaps: [] });
    expect(records.exchanges).toMatchObject([
      { observer: 'proxy', event_count: 3, ended: 'complete', url: `${target}/rpc` },
    ]);
    expect(records.task_transitions.map(({ state }) => state)).toEqual(['submitted', 'working', 'completed']);
  });

  test('that the target cuts is cut for the client, and ended by a reset', async () => {
    const target = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${JSON.stringify(task('t-1', 'WORKING'))}\n\n`, () => response.socket?.resetAndDestroy());
    });
    const lab = await openProxies([target]);
    const response = await post(`${lab.at[0]}/rpc`, rpc('go', {}, 'SendStreamingMessage'));
    await expect(response.text()).rejects.toThrow();
    const { records } = await lab.judged();
    expect(records.exchanges).toMatchObject([{ status: 200, ended: 'reset', event_count: 1 }]);
  });

  test('that the client leaves is left by the proxy too, and aborted', async () => {
    let left: () => void = () => {};
    const hasLeft = new Promise<void>((done) => {
      left = done;
    });
    const target = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${JSON.stringify(task('t-1', 'WORKING'))}\n\n`);
      response.once('close', left);
    });
    const lab = await openProxies([target]);
    const response = await post(`${lab.at[0]}/rpc`, rpc('go', {}, 'SendStreamingMessage'));
    const reader = response.body!.getReader();
    await reader.read();
    await reader.cancel();
    await hasLeft;
    const { records, trace } = await lab.judged();
    expect(records.exchanges).toMatchObject([{ ended: 'aborted', event_count: 1 }]);
    expect(trace.ended).toBe('complete');
  });
});

describe('a body', () => {
  test('of 10 MB passes whole, and its digest is in the evidence', async () => {
    const answer = JSON.stringify(task('t-1', 'COMPLETED', 'x'.repeat(10 * 1024 * 1024)));
    const target = await serve((_, response) => response.writeHead(200, JSON_HEADERS).end(answer));
    const lab = await openProxies([target]);
    expect(await (await post(`${lab.at[0]}/rpc`, rpc('go'))).text()).toBe(answer);
    const { records } = await lab.judged();
    expect(records.exchanges[0]).toMatchObject({ ended: 'complete', response_body: { size: answer.length } });
  });

  test('that the client does not take is held back at the target', async () => {
    const PIECE = Buffer.alloc(1 << 16);
    const PIECES = 1_024;
    let written = 0;
    let stalled: () => void = () => {};
    const hasStalled = new Promise<void>((done) => {
      stalled = done;
    });
    const target = await serve(async (_, response) => {
      response.writeHead(200, { 'content-type': 'application/octet-stream' });
      for (; written < PIECES; written++) {
        if (response.write(PIECE)) continue;
        const timer = setTimeout(stalled, 500);
        await once(response, 'drain');
        clearTimeout(timer);
      }
      response.end();
      stalled();
    });
    const lab = await openProxies([target]);
    const response = await send(`${lab.at[0]}/file`, {});
    await hasStalled;
    expect(written).toBeLessThan(PIECES);
    expect(await bodyOf(response)).toHaveLength(PIECES * PIECE.length);
    await lab.judged();
  });

  test('that comes in pieces is one request body, at the target as in the evidence', async () => {
    let got = '';
    const target = await serve(async (incoming, response) => {
      expect(incoming.headers['transfer-encoding']).toBe('chunked');
      got = (await bodyOf(incoming)).toString();
      response.writeHead(200, JSON_HEADERS).end(JSON.stringify(task('t-1', 'COMPLETED')));
    });
    const lab = await openProxies([target]);
    const body = JSON.stringify(rpc('in pieces'));
    const response = await send(
      `${lab.at[0]}/rpc`,
      { method: 'POST', headers: { ...JSON_HEADERS, expect: '100-continue' } },
      async (outgoing) => {
        outgoing.flushHeaders();
        await once(outgoing, 'continue');
        for (const piece of body.match(/.{1,20}/gs)!) outgoing.write(piece);
        outgoing.end();
      },
    );
    await bodyOf(response);
    expect(got).toBe(body);
    const { records } = await lab.judged();
    expect(records.exchanges).toMatchObject([
      { request_body: { text: body }, ended: 'complete', rpc_method: 'SendMessage' },
    ]);
  });

  test('that is compressed reaches the client as it came, and is evidence decoded', async () => {
    const answer = JSON.stringify(task('t-1', 'COMPLETED', 'page'));
    const packed = gzipSync(answer);
    const target = await serve((_, response) =>
      response
        .writeHead(200, { ...JSON_HEADERS, 'content-encoding': 'gzip', 'content-length': packed.length })
        .end(packed),
    );
    const lab = await openProxies([target]);
    const body = JSON.stringify(rpc('go'));
    const response = await send(`${lab.at[0]}/rpc`, { method: 'POST', headers: JSON_HEADERS }, (outgoing) =>
      outgoing.end(body),
    );
    expect(response.headers).toMatchObject({ 'content-encoding': 'gzip', 'content-length': String(packed.length) });
    expect(await bodyOf(response)).toEqual(packed);
    const { records } = await lab.judged();
    expect(records.exchanges[0]!.response_body).toMatchObject({ text: answer, encoding: 'utf8' });
    expect(records.artifacts).toMatchObject([{ content: { text: 'page' } }]);
  });

  test('that there is none of: HEAD and 204 pass, with what their heads say', async () => {
    const target = await serve(({ method }, response) => {
      if (method === 'HEAD') response.writeHead(200, { 'content-length': 1_234, 'x-own': 'kept' }).end();
      else response.writeHead(204).end();
    });
    const lab = await openProxies([target]);
    const head = await send(`${lab.at[0]}/x`, { method: 'HEAD' });
    expect([head.statusCode, head.headers['content-length'], head.headers['x-own']]).toEqual([200, '1234', 'kept']);
    const none = await send(`${lab.at[0]}/x`, { method: 'DELETE' });
    expect([none.statusCode, (await bodyOf(none)).length, none.headers['transfer-encoding']]).toEqual([
      204,
      0,
      undefined,
    ]);
    const { records } = await lab.judged();
    expect(records.exchanges).toEqual([]);
  });
});
