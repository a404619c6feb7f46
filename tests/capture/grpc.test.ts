import { readFileSync } from 'node:fs';
import { AgentCard, type Task, TaskState } from '@a2a-js/sdk';
import type { AgentExecutor } from '@a2a-js/sdk/server';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Capture } from '../../src/capture/index.ts';
import type { Records } from '../../src/evidence/bundle.ts';
import { type GrpcAgent, grpcAgent, grpcClient } from './grpc-lab.ts';
import { capture, executorOf, finish, folder, userMessage } from './lab.ts';
import { busyAgent } from './lanes.ts';

/** The machine may be busy. */
const PATIENCE = { timeout: 15_000 };

let place: ReturnType<typeof folder>;
let running: Capture;
const servers: GrpcAgent[] = [];
beforeEach(() => {
  place = folder();
  running = capture(place.path);
});
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
  place.remove();
});

const serve = async (executor: AgentExecutor, tapped?: Capture): Promise<string> => {
  const server = await grpcAgent(executor, tapped);
  servers.push(server);
  return server.url;
};

/** The capture as it stands in the bundle; nothing of it may be refused. */
const recorded = (): Records => {
  const { refusals, records } = finish(running);
  expect(refusals).toEqual([]);
  return records;
};

/** A status may come after the call of the client has ended. */
const ended = (count: number): Promise<void> =>
  vi.waitFor(() => {
    const lines = readFileSync(running.journalPath, 'utf8').split('\n');
    const ids = lines.flatMap((line) => (line.includes('"grpc_status"') ? /"exchange-\d+"/.exec(line) : null) ?? []);
    expect(new Set(ids).size).toBe(count);
  }, PATIENCE);

const page = 'See https://example.test/a?b=1 <b>now</b>';
const quick = executorOf((text) => [text.slice(0, 9), text.slice(9)]);

/** Working, and then nothing until it is cancelled. */
const patient = busyAgent().executor;

describe('a real gRPC exchange', () => {
  test('one answer: endpoint, exchange without bodies, messages of both sides with the text of their own', async () => {
    const url = await serve(quick, running);
    const client = await grpcClient(url, running);
    const { id } = (await client.sendMessage(userMessage(page))) as Task;
    const records = recorded();
    expect(records.endpoints).toMatchObject([{ url, protocol: 'GRPC', protocol_version: '1.0', agent: 'Planner' }]);
    expect(records.exchanges).toMatchObject([
      {
        observer: 'sdk-client',
        endpoint_id: records.endpoints[0]!.endpoint_id,
        client_agent: 'coordinator',
        server_agent: 'Planner',
        binding: 'GRPC',
        method: 'POST',
        url: `${url}/lf.a2a.v1.A2AService/SendMessage`,
        status: null,
        ended: 'complete',
        protocol_version: '1.0',
        request_body: null,
        response_body: null,
        attributes: { grpc_status: 'OK' },
      },
    ]);
    const { exchange_id, response_headers } = records.exchanges[0]!;
    expect(response_headers.map(([name]) => name)).toContain('content-type');
    const seen = records.artifacts.filter(({ observer }) => observer === 'sdk-client');
    expect(seen.map(({ agent, payload, part_kind, content }) => [agent, payload, part_kind, content?.text])).toEqual([
      ['coordinator', 'message', 'text', page],
      ['Planner', 'task_artifact', 'text', page.slice(0, 9)],
      ['Planner', 'task_artifact', 'text', page.slice(9)],
    ]);
    expect(seen.every((part) => part.exchange_id === exchange_id && part.raw !== null)).toBe(true);
    expect(JSON.parse(seen[0]!.raw!.text)).toMatchObject({ message: { messageId: 'm-1', role: 'ROLE_USER' } });
    const states = (observer: string) =>
      records.task_transitions.filter((row) => row.observer === observer).map(({ task_id, state }) => [task_id, state]);
    expect(states('sdk-client')).toEqual([[id, 'completed']]);
    expect(states('sdk-server')).toEqual([
      [id, 'submitted'],
      [id, 'working'],
      [id, 'completed'],
    ]);
    expect(records.uri_references).toMatchObject([
      { uri: 'https://example.test/a?b=1', exchange_id, artifact_record_id: seen[0]!.artifact_record_id, body: null },
    ]);
    expect(records.trace_metadata).toMatchObject([{ ended: 'complete', gaps: [], coverage: { client_wire: true } }]);
    expect(records.trace_metadata[0]!.coverage_notes.join()).toContain('gRPC: bytes were not seen');
  });

  test('a stream: every message with its number', async () => {
    const url = await serve(executorOf(() => ['<p>', 'Hello', '</p>']));
    const client = await grpcClient(url, running);
    const seen: string[] = [];
    for await (const { payload } of client.sendMessageStream(userMessage('go'))) seen.push(payload?.$case ?? '');
    const records = recorded();
    expect(seen).toEqual([
      'task',
      'statusUpdate',
      'artifactUpdate',
      'artifactUpdate',
      'artifactUpdate',
      'statusUpdate',
    ]);
    expect(records.task_transitions.map(({ state, wire_event }) => [state, wire_event])).toEqual([
      ['submitted', 0],
      ['working', 1],
      ['completed', 5],
    ]);
    const chunks = records.artifacts.filter(({ payload }) => payload === 'artifact_update');
    expect(chunks.map(({ wire_event, last_chunk, content }) => [wire_event, last_chunk, content?.text])).toEqual([
      [2, false, '<p>'],
      [3, false, 'Hello'],
      [4, true, '</p>'],
    ]);
    expect(chunks.map(({ appends_to }) => appends_to)).toEqual([
      null,
      chunks[0]!.artifact_record_id,
      chunks[1]!.artifact_record_id,
    ]);
    expect(records.exchanges).toMatchObject([{ ended: 'complete', event_count: null }]);
  });

  test('resubscribe and cancel: the task as each of three calls tells it', async () => {
    const url = await serve(patient);
    const client = await grpcClient(url, running);
    const first = client.sendMessageStream(userMessage('go'));
    const { value } = await first.next();
    const id = (value as { payload: { value: Task } }).payload.value.id;
    const second = client.resubscribeTask({ tenant: '', id });
    await second.next();
    const canceled = await client.cancelTask({ tenant: '', id, metadata: undefined });
    for await (const _ of first);
    for await (const _ of second);
    const records = recorded();
    expect(canceled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    expect(records.exchanges.map(({ url: at, ended: how }) => [at.split('/').at(-1), how])).toEqual([
      ['SendStreamingMessage', 'complete'],
      ['SubscribeToTask', 'complete'],
      ['CancelTask', 'complete'],
    ]);
    const [sent, subscribed] = records.exchanges.map(({ exchange_id }) => exchange_id);
    const told = records.task_transitions.map(({ exchange_id, task_id, state }) => [exchange_id, task_id, state]);
    expect(told[0]).toEqual([sent, id, 'working']);
    expect(told).toContainEqual([sent, id, 'canceled']);
    expect(told).toContainEqual([subscribed, id, 'canceled']);
  });

  test('tasks listed and an extended card', async () => {
    const url = await serve(quick);
    const client = await grpcClient(url, running);
    const { id } = (await client.sendMessage(userMessage('x'))) as Task;
    const listed = await client.listTasks({
      tenant: '',
      contextId: '',
      status: 0,
      pageToken: '',
      includeArtifacts: true,
      statusTimestampAfter: undefined,
    });
    const card = await client.getAgentCard();
    const records = recorded();
    expect(listed.tasks.map((task) => task.id)).toEqual([id]);
    const list = records.exchanges.find((exchange) => exchange.url.endsWith('ListTasks'))!;
    expect(records.artifacts.filter(({ exchange_id }) => exchange_id === list.exchange_id)).toMatchObject([
      { payload: 'task_artifact', task_id: id, part_index: 0 },
      { payload: 'task_artifact', task_id: id, part_index: 1 },
    ]);
    const extended = records.candidate_cards.filter((candidate) => candidate.extended);
    expect(extended).toMatchObject([
      { endpoint_id: records.endpoints[0]!.endpoint_id, skill_ids: ['plan'], status: null },
    ]);
    expect(JSON.parse(extended[0]!.raw.text)).toEqual(AgentCard.toJSON(card));
  });
});

describe('how a call ends', () => {
  const endOf = async (): Promise<unknown[]> => {
    await ended(1);
    const [exchange] = recorded().exchanges;
    return [exchange!.ended, exchange!.attributes?.grpc_status];
  };

  test('an error of the agent is a complete answer, with status and message', async () => {
    const client = await grpcClient(await serve(quick), running);
    await expect(client.getTask({ tenant: '', id: 'none' })).rejects.toThrow('none');
    const { exchanges } = recorded();
    expect(exchanges).toMatchObject([{ ended: 'complete', attributes: { grpc_status: 'NOT_FOUND' } }]);
    expect(exchanges[0]!.attributes!.grpc_message).toContain('none');
  });

  test('a consumer that stops reading', async () => {
    const client = await grpcClient(await serve(patient), running);
    for await (const _ of client.sendMessageStream(userMessage('go'))) break;
    expect(await endOf()).toEqual(['aborted', 'CANCELLED']);
  });

  test('a signal', async () => {
    const client = await grpcClient(await serve(patient), running);
    const controller = new AbortController();
    const stream = client.sendMessageStream(userMessage('go'), { signal: controller.signal });
    await stream.next();
    controller.abort();
    await expect(stream.next()).rejects.toThrow();
    expect(await endOf()).toEqual(['aborted', 'CANCELLED']);
  });

  test('a deadline', async () => {
    const client = await grpcClient(await serve(patient), running, { deadline: Date.now() + 300 });
    await expect(client.sendMessage(userMessage('go'))).rejects.toThrow();
    expect(await endOf()).toEqual(['timeout', 'DEADLINE_EXCEEDED']);
  });

  test('no server', async () => {
    const url = await serve(quick);
    for (const server of servers.splice(0)) server.close();
    const client = await grpcClient(url, running);
    await expect(client.sendMessage(userMessage('go'))).rejects.toThrow();
    expect(await endOf()).toEqual(['reset', 'UNAVAILABLE']);
  });

  test('a capture that ends first leaves the call open, which is a gap', async () => {
    const client = await grpcClient(await serve(patient), running);
    const stream = client.sendMessageStream(userMessage('go'));
    await stream.next();
    const records = recorded();
    expect(records.exchanges).toMatchObject([{ ended: 'aborted' }]);
    expect(records.trace_metadata[0]!.gaps.map(({ what }) => what).join()).toContain(records.exchanges[0]!.exchange_id);
    await stream.return(undefined);
  });
});
