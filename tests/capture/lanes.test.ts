import { readFileSync } from 'node:fs';
import type { Task } from '@a2a-js/sdk';
import type { AgentExecutor } from '@a2a-js/sdk/server';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Capture } from '../../src/capture/index.ts';
import type { RecordOf, Records } from '../../src/evidence/bundle.ts';
import { capture, executorOf, finish, folder, type Server, userMessage } from './lab.ts';
import { busyAgent, LANES, type Lane, laneAgent, laneClient } from './lanes.ts';

/** The machine may be busy. */
const PATIENCE = { timeout: 15_000 };

let place: ReturnType<typeof folder>;
let running: Capture;
let server: Server;
beforeEach(() => {
  place = folder();
  running = capture(place.path);
});
afterEach(async () => {
  await server.close();
  place.remove();
});

const connect = async (lane: Lane, executor: AgentExecutor) => {
  server = await laneAgent(lane, executor, running);
  return laneClient(lane, server.origin, running);
};

const recorded = (): Records => {
  const { refusals, records } = finish(running);
  expect(refusals).toEqual([]);
  return records;
};

/** Until the journal says so many exchanges of that side ended so: the other side learns of an end a moment later. */
const endedSo = (ended: RecordOf<'exchanges'>['ended'], observer: string, count: number): Promise<void> =>
  vi.waitFor(() => {
    const rows = readFileSync(running.journalPath, 'utf8')
      .split('\n')
      .filter((line) => line.includes('"exchanges"'));
    const last = new Map<string, string>(rows.map((line) => [/"exchange-\d+"/.exec(line)?.[0] ?? '', line]));
    const told = [...last.values()].filter(
      (line) => !line.includes('"open":true') && line.includes(`"ended":"${ended}"`),
    );
    expect(told.filter((line) => line.includes(observer))).toHaveLength(count);
  }, PATIENCE);

const told = (records: Records, observer: string) =>
  records.task_transitions
    .filter((row) => row.observer === observer && row.raw === null)
    .map(({ state, wire_event }) => [state, wire_event]);

describe.each(LANES)('%s %s', (...lane) => {
  test('a stream: each event with its number, from both sides, and a quiet end', async () => {
    const client = await connect(
      lane,
      executorOf(() => ['Hel', 'lo']),
    );
    const seen: string[] = [];
    for await (const { payload } of client.sendMessageStream(userMessage('go'))) seen.push(payload!.$case);
    expect(seen).toEqual(['task', 'statusUpdate', 'artifactUpdate', 'artifactUpdate', 'statusUpdate']);
    const records = recorded();
    for (const observer of ['sdk-client', 'sdk-server']) {
      expect(told(records, observer)).toEqual([
        ['submitted', 0],
        ['working', 1],
        ['completed', 4],
      ]);
      const chunks = records.artifacts.filter(
        (row) => row.observer === observer && row.raw === null && row.payload === 'artifact_update',
      );
      expect(
        chunks.map(({ wire_event, append, last_chunk, content }) => [wire_event, append, last_chunk, content?.text]),
      ).toEqual([
        [2, false, false, 'Hel'],
        [3, true, true, 'lo'],
      ]);
      expect(chunks[1]!.appends_to).toBe(chunks[0]!.artifact_record_id);
    }
    expect(records.endpoints).toMatchObject([{ protocol: lane[0], protocol_version: lane[1] }]);
    expect(records.exchanges).toMatchObject([
      { observer: 'sdk-client', ended: 'complete', event_count: 5, wire_issue: null },
      { observer: 'sdk-server', ended: 'complete', event_count: 5, wire_issue: null },
    ]);
  });

  test('a stream that ends quietly while its task works is complete, and its task is not', async () => {
    const { executor, bus } = busyAgent();
    const client = await connect(lane, executor);
    const stream = client.sendMessageStream(userMessage('go'));
    await stream.next();
    (await bus).bus.finished();
    for await (const _ of stream);
    const records = recorded();
    expect(records.exchanges.map(({ ended, event_count }) => [ended, event_count])).toEqual([
      ['complete', 1],
      ['complete', 1],
    ]);
    expect(told(records, 'sdk-client')).toEqual([['working', 0]]);
  });

  test('a consumer that stops reading', async () => {
    const client = await connect(lane, busyAgent().executor);
    for await (const _ of client.sendMessageStream(userMessage('go'))) break;
    await endedSo('aborted', 'sdk-client', 1);
    await endedSo('aborted', 'sdk-server', 1);
    const records = recorded();
    expect(records.exchanges.map(({ ended, event_count }) => [ended, event_count])).toEqual([
      ['aborted', 1],
      ['aborted', 1],
    ]);
    expect(told(records, 'sdk-client')).toEqual([['working', 0]]);
  });

  test('a connection that is lost, and what the client throws then', async () => {
    const client = await connect(lane, busyAgent().executor);
    const stream = client.sendMessageStream(userMessage('go'));
    await stream.next();
    server.drop();
    await expect(stream.next()).rejects.toThrow();
    const records = recorded();
    const [exchange] = records.exchanges;
    expect(exchange).toMatchObject({ observer: 'sdk-client', ended: 'reset', event_count: 1 });
    expect(exchange!.attributes?.error).toContain('UND_ERR_SOCKET');
    expect(told(records, 'sdk-client')).toEqual([['working', 0]]);
  });

  test('resubscribe and cancel: each call is an exchange, and brings the states it brings', async () => {
    const { executor, bus } = busyAgent();
    const client = await connect(lane, executor);
    const first = client.sendMessageStream(userMessage('go'));
    await first.next();
    const { taskId } = await bus;
    const second = client.resubscribeTask({ tenant: '', id: taskId });
    await second.next();
    await client.cancelTask({ tenant: '', id: taskId, metadata: undefined });
    for await (const _ of first);
    for await (const _ of second);
    const records = recorded();
    const [sent, subscribed, cancelled, ...others] = records.exchanges.filter(
      ({ observer }) => observer === 'sdk-client',
    );
    expect(others).toEqual([]);
    expect([sent, subscribed, cancelled].map((row) => [row!.ended, row!.event_count !== null])).toEqual([
      ['complete', true],
      ['complete', true],
      ['complete', false],
    ]);
    const statesOf = ({ exchange_id }: RecordOf<'exchanges'>) =>
      records.task_transitions
        .filter((row) => row.exchange_id === exchange_id)
        .map(({ state, task_id }) => [state, task_id]);
    expect(statesOf(sent!)).toEqual([
      ['working', taskId],
      ['canceled', taskId],
    ]);
    expect(statesOf(subscribed!)).toContainEqual(['canceled', taskId]);
    expect(cancelled!.response_task_id).toBe(taskId);
  });

  test('push configurations: set, got, deleted; the URL is a reference, the token is nowhere', async () => {
    const token = 's3cret-push-token-1';
    const client = await connect(
      lane,
      executorOf(() => ['done']),
    );
    const { id: taskId } = (await client.sendMessage(userMessage('go'))) as Task;
    const config = { tenant: '', id: 'hook', taskId, url: 'https://hook.test/a', token, authentication: undefined };
    await client.createTaskPushNotificationConfig(config);
    expect((await client.getTaskPushNotificationConfig({ tenant: '', taskId, id: 'hook' })).token).toBe(token);
    await client.deleteTaskPushNotificationConfig({ tenant: '', taskId, id: 'hook' });
    const records = recorded();
    const [, set, got, deleted] = records.exchanges.filter(({ observer }) => observer === 'sdk-client');
    expect([set, got, deleted].map((row) => row!.ended)).toEqual(['complete', 'complete', 'complete']);
    expect(JSON.stringify(records)).not.toContain(token);
    for (const [exchange, body] of [
      [set!, 'request'],
      [set!, 'response'],
      [got!, 'response'],
    ] as const) {
      expect(exchange[`${body}_body`]!.text).toContain('REDACTED');
      const references = records.uri_references.filter(
        (row) => row.exchange_id === exchange.exchange_id && row.body === body,
      );
      expect(references.map(({ uri }) => uri)).toEqual([config.url]);
    }
  });
});
