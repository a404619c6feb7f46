import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Capture } from '../../src/capture/index.ts';
import type { UriFetchOptions } from '../../src/capture/uri-fetch.ts';
import { capture, executorOf, finish, folder, listen, type Server, userMessage } from './lab.ts';
import { laneAgent, laneClient } from './lanes.ts';

const TOKEN = 's3cret-push-token-1';
/** The machine may be busy. */
const PATIENCE = { timeout: 15_000 };
const EVENTS = ['task', 'statusUpdate', 'artifactUpdate', 'statusUpdate'];

let place: ReturnType<typeof folder>;
let running: Capture;
const servers: Server[] = [];
beforeEach(() => {
  place = folder();
  running = capture(place.path);
});
afterEach(async () => {
  vi.restoreAllMocks();
  for (const server of servers.splice(0)) await server.close();
  place.remove();
});

type Received = {
  readonly token: unknown;
  readonly authorization: unknown;
  readonly type: unknown;
  readonly body: object;
};

/** A webhook on loopback, watched as a server, that answers so; what it received, in order. */
const webhook = async (status: number) => {
  const received: Received[] = [];
  const load = { now: 0, most: 0 };
  const server = await listen((app) => {
    app.use('/hook', running.middleware({ agent: 'coordinator', binding: 'HTTP+JSON' }));
    app.post('/hook', async (request, response) => {
      load.most = Math.max(load.most, ++load.now);
      let text = '';
      for await (const chunk of request) text += String(chunk);
      const { headers } = request;
      received.push({
        token: headers['x-a2a-notification-token'],
        authorization: headers.authorization,
        type: headers['content-type'],
        body: JSON.parse(text) as object,
      });
      await wait(20);
      load.now--;
      response.status(status).end('ok');
    });
  });
  servers.push(server);
  return { url: `${server.origin}/hook`, received, load };
};

/** Until so many answers are in the journal whole: the sender has an answer after the receiver gave it. */
const answered = (count: number): Promise<void> =>
  vi.waitFor(() => {
    const lines = readFileSync(running.journalPath, 'utf8').split('\n');
    const whole = lines.filter((line) => line.includes('"uri_dereferences"') && line.includes('"ended":"complete"'));
    expect(new Set(whole.map((line) => /"dereference_id":"[^"]+"/.exec(line)?.[0])).size).toBe(count);
  }, PATIENCE);

const lane = ['JSONRPC', '1.0'] as const;

/** Sends a message that asks for push notifications at a URL. */
const sendWith = async (url: string, options: Partial<UriFetchOptions> & { readonly scheme?: string } = {}) => {
  const { scheme, ...fetcher } = options;
  const server = await laneAgent(
    lane,
    executorOf(() => ['done']),
    running,
    (store) => running.pushSender({ agent: 'Planner', store, ...fetcher }),
  );
  servers.push(server);
  const client = await laneClient(lane, server.origin, running);
  const authentication = scheme === undefined ? undefined : { scheme, credentials: `${TOKEN}-credentials` };
  const taskPushNotificationConfig = { tenant: '', id: 'hook', taskId: '', url, token: TOKEN, authentication };
  const configuration = { acceptedOutputModes: [], returnImmediately: false, taskPushNotificationConfig };
  await client.sendMessage({ ...userMessage('go'), configuration });
};

describe('the observed sender of push notifications', () => {
  test('each POST is a dereference of the URL that the client gave, in order; the receiver has it as an exchange', async () => {
    const { url, received, load } = await webhook(200);
    await sendWith(url);
    await answered(EVENTS.length);
    expect(received.map(({ body }) => Object.keys(body))).toEqual(EVENTS.map((event) => [event]));
    expect(received[0]).toMatchObject({ token: TOKEN, type: 'application/a2a+json', authorization: undefined });
    expect(load.most).toBe(1);
    const { refusals, records } = finish(running);
    expect(refusals).toEqual([]);
    expect(records.uri_dereferences).toHaveLength(EVENTS.length);
    const reference = records.uri_references.findLast(({ uri, body }) => uri === url && body === 'request')!;
    for (const hop of records.uri_dereferences) {
      expect(hop).toMatchObject({ agent: 'Planner', uri: url, method: 'POST', outcome: 'connected', status: 200 });
      expect(hop).toMatchObject({ connected_address: '127.0.0.1', reference_id: reference.reference_id });
    }
    const pushed = records.exchanges.filter((row) => row.url === url);
    expect(pushed).toHaveLength(EVENTS.length);
    expect(pushed.map(({ request_body }) => JSON.parse(request_body!.text) as object)).toEqual(
      received.map(({ body }) => body),
    );
    expect(JSON.stringify(records)).not.toContain(TOKEN);
  });

  test('credentials of a scheme go before the token, and are nowhere', async () => {
    const { url, received } = await webhook(200);
    await sendWith(url, { scheme: 'Bearer' });
    await answered(EVENTS.length);
    expect(received[0]).toMatchObject({ token: undefined, authorization: `Bearer ${TOKEN}-credentials` });
    expect(JSON.stringify(finish(running).records)).not.toContain(TOKEN);
  });

  test('a receiver that refuses, and a guard that lets nothing out: the handler is told, the task is not harmed', async () => {
    const failures = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { url, received } = await webhook(500);
    await sendWith(url);
    await vi.waitFor(() => expect(failures).toHaveBeenCalledTimes(EVENTS.length), PATIENCE);
    expect(received).toHaveLength(EVENTS.length);
    await sendWith(url, { guard: () => false });
    await vi.waitFor(() => expect(failures).toHaveBeenCalledTimes(2 * EVENTS.length), PATIENCE);
    expect(received).toHaveLength(EVENTS.length);
    const { refusals, records } = finish(running);
    expect(refusals).toEqual([]);
    expect(records.uri_dereferences.map(({ outcome, status }) => [outcome, status])).toEqual([
      ...EVENTS.map(() => ['connected', 500]),
      ...EVENTS.map(() => ['blocked_by_guard', null]),
    ]);
    expect(records.task_transitions.filter(({ state }) => state === 'completed')).not.toEqual([]);
  });
});

test('an answer that came whole and that the client refused: the exchange says what it threw', async () => {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end('{"jsonrpc":"2.0","id":"another","result":{"message":{"messageId":"m","parts":[]}}}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = await laneClient(lane, `http://127.0.0.1:${(server.address() as AddressInfo).port}`, running);
  await expect(client.sendMessage(userMessage('go'))).rejects.toThrow('mismatch');
  server.close();
  const { refusals, records } = finish(running);
  expect(refusals).toEqual([]);
  expect(records.exchanges).toMatchObject([
    { ended: 'complete', status: 200, response_id: '"another"', attributes: { error: 'Error' } },
  ]);
});
