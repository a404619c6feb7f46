import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Task, TaskState } from '@a2a-js/sdk';
import type { AgentExecutor } from '@a2a-js/sdk/server';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Capture, startCapture } from '../../src/capture/index.ts';
import type { Report } from '../../src/report/model.ts';
import { reportOf } from '../../src/report/report.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { verify } from '../../src/verify/verify.ts';
import { asObject, bytesOf } from '../support/bundle.ts';
import { testSigner, trustDocument } from '../support/seal.ts';
import { type GrpcAgent, grpcAgent, grpcClient } from './grpc-lab.ts';
import { executorOf, folder, userMessage } from './lab.ts';

const GENERAL = asObject(JSON.parse(readFileSync('profiles/general.json', 'utf8')));

let place: ReturnType<typeof folder>;
let running: Capture;
let server: GrpcAgent;
beforeEach(() => {
  place = folder();
  running = startCapture({ dir: place.path, incident_id: 'incident-1', profile_id: 'general' });
});
afterEach(() => {
  server.close();
  place.remove();
});

const judged = (): Report => {
  const { bundlePath, receiptPath } = running.finish({ signer: () => testSigner(), profile: GENERAL });
  const files = { bundle: readFileSync(bundlePath), receipt: readFileSync(receiptPath) };
  const documents = { profile: bytesOf(GENERAL), trust: bytesOf(trustDocument()) };
  return reportOf(verify({ ...files, ...documents, mode: 'full', otherProfile: false }, nativeCrypto));
};
const reasons = ({ findings }: Report): string[] => findings.map(({ reason }) => reason);

describe('ASRF', () => {
  /** Reads the URI that it was sent, if its guard lets it. */
  const reader = (isLetOut: boolean): AgentExecutor => {
    const read = running.uriFetch({ agent: 'Planner', guard: () => isLetOut });
    const answer = executorOf(() => ['done']);
    return {
      ...answer,
      execute: async (context, bus) => {
        const [part] = context.userMessage.parts;
        await read(String(part!.content!.value))
          .then((response) => response.text())
          .catch(() => 'blocked');
        await answer.execute(context, bus);
      },
    };
  };

  test.each([
    [true, 'FORENSICALLY_INDICATED', ['ASRF_HOST_OUTSIDE_POLICY']],
    [false, 'FORENSICALLY_CONSISTENT', []],
  ])('a URI that a gRPC message brought; the guard says %s', async (isLetOut, verdict, found) => {
    const inside = createServer((_request, response) => void response.end('secret')).listen(0, '127.0.0.1');
    await once(inside, 'listening');
    server = await grpcAgent(reader(isLetOut), running);
    const client = await grpcClient(server.url, running);
    await client.sendMessage(userMessage(`http://127.0.0.1:${(inside.address() as AddressInfo).port}/admin`));
    inside.close();
    const report = judged();
    expect(report.verdict).toBe(verdict);
    expect(reasons(report)).toEqual(found);
    const relations = report.findings
      .flatMap(({ evidence_path }) => evidence_path)
      .flatMap((at) => ('relation' in at ? at.relation : []));
    expect(relations).toEqual(isLetOut ? ['EXCHANGE_REFERENCED_URI', 'URI_REFERENCE_DEREFERENCED'] : []);
  });
});

describe('ATSI', () => {
  test.each([
    ['<script>alert(1)</script>', 'FORENSICALLY_INDICATED', ['ATSI_ACTIVE_CONTENT_INTERPRETED']],
    ['<p>hello</p>', 'FORENSICALLY_CONSISTENT', []],
  ])('an artifact that gRPC brought is rendered: %s', async (html, verdict, found) => {
    server = await grpcAgent(executorOf(() => [html.slice(0, 6), html.slice(6)]));
    const client = await grpcClient(server.url, running);
    let id = '';
    for await (const { payload } of client.sendMessageStream(userMessage('write a page')))
      if (payload?.$case === 'task') id = payload.value.id;
    const which = { task_id: id, artifact_id: 'answer' };
    running.observe.render({
      ...which,
      renderer: 'panel',
      interpreted_as: 'text/html',
      mode: 'interpreted',
      input: Buffer.from(html),
    });
    const report = judged();
    expect(report.verdict).toBe(verdict);
    expect(reasons(report)).toEqual(found);
  });
});

describe('HOTF', () => {
  const asking: AgentExecutor = {
    execute: async ({ taskId, contextId }, bus) => {
      const status = { state: TaskState.TASK_STATE_INPUT_REQUIRED, timestamp: undefined, message: undefined };
      bus.publish({
        kind: 'task',
        data: { id: taskId, contextId, status, artifacts: [], history: [], metadata: undefined },
      });
      bus.finished();
    },
    cancelTask: async () => undefined,
  };
  const threshold = Number(asObject(GENERAL.hotf).awaiting_input_threshold);

  test.each([
    [threshold, 'INDICATED'],
    [threshold - 1, 'CONSISTENT'],
  ])('%i tasks left half open over gRPC', async (count, status) => {
    server = await grpcAgent(asking);
    const client = await grpcClient(server.url, running);
    const endpoint_id = running.observe.endpointAt(server.url);
    const load = (awaiting_input_count: number, queue_depth: number) =>
      running.observe.taskLoad({
        endpoint_id,
        agent: 'Planner',
        awaiting_input_count,
        queue_depth,
        latency_us: 1_000,
        timeouts: 0,
        window_us: 1_000_000,
      });
    load(0, 0);
    const tasks: string[] = [];
    for (let sent = 0; sent < count; sent++) tasks.push(((await client.sendMessage(userMessage('go'))) as Task).id);
    load(count, 1_000_000);
    expect(new Set(tasks).size).toBe(count);
    const report = judged();
    expect(report.families.find(({ family }) => family === 'HOTF')).toMatchObject({ status });
  });
});
