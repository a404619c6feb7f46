import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { TaskState } from '@a2a-js/sdk';
import type { AgentExecutor } from '@a2a-js/sdk/server';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Capture } from '../../src/capture/index.ts';
import { agent, capture, executorOf, finish, folder, listen, type Server } from './lab.ts';

let place: ReturnType<typeof folder>;
let running: Capture;
const servers: Server[] = [];
beforeEach(() => {
  place = folder();
  running = capture(place.path);
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
  place.remove();
});

const serve = async (executor: AgentExecutor, tapped: Capture | undefined, legacy = false): Promise<string> => {
  const server = await agent(executor, tapped, legacy);
  servers.push(server);
  return server.origin;
};

const send = (method: string, text: string) =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 'a',
    method,
    params: { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text }] } },
  });

const post = (url: string, body: string, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', 'a2a-version': '1.0', ...headers },
  });

/** Ids and times differ from run to run. */
const plain = (text: string): string =>
  text
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'uuid')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
    .replace(/at .*/gs, 'stack');

const answer = async (response: Response) => ({
  status: response.status,
  headers: [...response.headers].filter(([name]) => !['date', 'etag', 'content-length'].includes(name)),
  text: plain(await response.text()),
});

describe('what clients of a tapped server get is what they get without', () => {
  const quick = executorOf((text) => [text]);
  test.each<[string, string, Record<string, string>?]>([
    ['a message', send('SendMessage', 'hello')],
    ['a stream', send('SendStreamingMessage', 'hello')],
    ['an unknown method', send('Nothing', 'hello')],
    ['broken JSON', '{"jsonrpc":'],
    ['no body', ''],
    ['a body over the limit', send('SendMessage', 'x'.repeat(200_000))],
    ['a body of two encodings', send('SendMessage', 'é€😀'), { 'content-type': 'application/json; charset=utf-8' }],
    ['another content type', 'a=1', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['a version it does not speak', send('SendMessage', 'hello'), { 'a2a-version': '9.9' }],
    ['an old version', send('message/send', 'hello'), { 'a2a-version': '0.3' }],
  ])('%s', async (_, body, headers) => {
    const [plainServer, tappedServer] = [await serve(quick, undefined), await serve(quick, running)];
    const without = await answer(await post(`${plainServer}/rpc`, body, headers));
    const withTap = await answer(await post(`${tappedServer}/rpc`, body, headers));
    expect(withTap).toEqual(without);
    const { refusals, records } = finish(running);
    expect(refusals).toEqual([]);
    expect(records.exchanges).toMatchObject([
      { observer: 'sdk-server', status: without.status, ended: 'complete', method: 'POST' },
    ]);
    const [exchange] = records.exchanges;
    expect(plain(exchange!.response_body!.text)).toBe(without.text);
    if (body.length < 100_000) expect(exchange!.request_body?.text ?? '').toBe(body);
    else expect(exchange!.status).toBe(413);
  });
});

describe('the event bus', () => {
  test('every event is linked to the exchange that caused it, and seen also when the client has gone', async () => {
    let go: () => void = () => undefined;
    const gone = new Promise<void>((resolve) => {
      go = resolve;
    });
    let done: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => {
      done = resolve;
    });
    const patient: AgentExecutor = {
      execute: async ({ taskId, contextId }, bus) => {
        const status = (state: TaskState) => ({ state, timestamp: undefined, message: undefined });
        const common = { contextId, metadata: undefined };
        bus.publish({
          kind: 'task',
          data: { ...common, id: taskId, status: status(TaskState.TASK_STATE_WORKING), artifacts: [], history: [] },
        });
        await gone;
        bus.publish({
          kind: 'statusUpdate',
          data: { ...common, taskId, status: status(TaskState.TASK_STATE_INPUT_REQUIRED) },
        });
        bus.finished();
        done();
      },
      cancelTask: async () => undefined,
    };
    const origin = await serve(patient, running);
    const controller = new AbortController();
    const response = await fetch(`${origin}/rpc`, {
      method: 'POST',
      body: send('SendStreamingMessage', 'wait'),
      headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
      signal: controller.signal,
    });
    await response.body!.getReader().read();
    controller.abort();
    await wait(50);
    go();
    await finished;
    const { refusals, records } = finish(running);
    expect(refusals).toEqual([]);
    const [exchange] = records.exchanges;
    expect(exchange).toMatchObject({ ended: 'aborted', event_count: 1 });
    const bus = records.task_transitions.filter(({ raw }) => raw !== null);
    expect(bus.map(({ state, exchange_id }) => [state, exchange_id])).toEqual([
      ['working', exchange!.exchange_id],
      ['input-required', exchange!.exchange_id],
    ]);
    expect(JSON.parse(bus[1]!.raw!.text)).toMatchObject({
      statusUpdate: { status: { state: 'TASK_STATE_INPUT_REQUIRED' } },
    });
  });

  test('a published object that changes later, and one that no codec takes, do not reach the agent', async () => {
    const careless: AgentExecutor = {
      execute: async ({ taskId, contextId }, bus) => {
        const data = {
          id: taskId,
          contextId,
          status: { state: TaskState.TASK_STATE_COMPLETED, timestamp: undefined, message: undefined },
          artifacts: [],
          history: [],
          metadata: undefined as Record<string, unknown> | undefined,
        };
        bus.publish({ kind: 'task', data });
        data.status.state = TaskState.TASK_STATE_FAILED;
        const circle: Record<string, unknown> = {};
        circle.self = circle;
        bus.publish({ kind: 'task', data: { ...data, metadata: circle } });
        bus.finished();
      },
      cancelTask: async () => undefined,
    };
    const origin = await serve(careless, running);
    await (await post(`${origin}/rpc`, send('SendMessage', 'x'))).text();
    const { refusals, records } = finish(running);
    expect(refusals).toEqual([]);
    expect(records.task_transitions.filter(({ raw }) => raw !== null).map(({ state }) => state)).toEqual(['completed']);
    expect(records.trace_metadata).toMatchObject([{ ended: 'incomplete' }]);
    expect(records.trace_metadata[0]!.gaps[0]!.what).toContain('record an event of the server');
  });

  test('0.3 on the wire: the same tasks by their old names', async () => {
    const origin = await serve(
      executorOf((text) => [text]),
      running,
      true,
    );
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 7,
      method: 'message/stream',
      params: { message: { kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'old' }] } },
    });
    const text = await (await post(`${origin}/rpc`, body, { 'a2a-version': '0.3' })).text();
    expect(text).toContain('status-update');
    const { refusals, records } = finish(running);
    expect(refusals).toEqual([]);
    const wire = records.task_transitions.filter(({ raw }) => raw === null);
    expect(wire.map(({ state }) => state)).toEqual(['submitted', 'working', 'completed']);
    expect(records.exchanges[0]).toMatchObject({
      rpc_method: 'message/stream',
      request_id: '7',
      protocol_version: '0.3',
    });
    expect(records.artifacts.filter(({ raw }) => raw === null)).toMatchObject([
      { content: { text: 'old' }, part_kind: 'text' },
    ]);
  });
});

describe('the server side of the wire', () => {
  test('a request that is cut, an answer in pieces, headers by writeHead', async () => {
    const server = await listen((app) => {
      app.use(running.middleware({ agent: null, binding: 'HTTP+JSON' }));
      app.get('/pieces', (_request, response) => {
        response.writeHead(202, 'Yes', { 'Content-Type': 'text/event-stream', Location: '/a' });
        response.write('data: {"a"');
        response.write(Buffer.from(':1}\n\n'));
        response.write('ZGF0YTogeyJiIjoyfQoK', 'base64');
        response.end();
      });
      app.post('/cut', (request) => void request.resume());
    });
    servers.push(server);
    const sent = httpRequest(`${server.origin}/pieces`).end();
    const [response] = await once(sent, 'response');
    let text = '';
    for await (const chunk of response) text += String(chunk);
    expect(text).toBe('data: {"a":1}\n\ndata: {"b":2}\n\n');
    const socket = connect(Number(new URL(server.origin).port), '127.0.0.1');
    socket.write('POST /cut HTTP/1.1\r\nHost: agent.test\r\nContent-Length: 100\r\n\r\nabc');
    await wait(50);
    socket.destroy();
    await wait(50);
    const { refusals, records } = finish(running);
    expect(refusals).toEqual([]);
    expect(records.exchanges).toMatchObject([
      {
        url: `${server.origin}/pieces`,
        status: 202,
        event_count: 2,
        response_headers: [
          ['content-type', 'text/event-stream'],
          ['location', '/a'],
        ],
        response_body: { text },
      },
      { url: 'http://agent.test/cut', ended: 'aborted', status: null, request_body: null },
    ]);
  });
});
