import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Message, Task } from '@a2a-js/sdk';
import { type handleUnaryCall, InterceptingCall, Metadata } from '@grpc/grpc-js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Capture } from '../../src/capture/index.ts';
import type { Records } from '../../src/evidence/bundle.ts';
import { type CallsWith, type GrpcAgent, grpcAgent, grpcClient, grpcServer } from './grpc-lab.ts';
import { capture, executorOf, finish, folder, userMessage } from './lab.ts';

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

const serve = async (server: Promise<GrpcAgent>): Promise<string> => {
  servers.push(await server);
  return (await server).url;
};

const recorded = (of: Capture = running): Records => {
  const { refusals, records } = finish(of);
  expect(refusals).toEqual([]);
  return records;
};

const page = 'See https://example.test/a?b=1 <b>now</b>';
const quick = executorOf((text) => [text.slice(0, 9), text.slice(9)]);

type Handle = handleUnaryCall<unknown, unknown>;
const answering = (sendMessage: Handle) => ({ sendMessage });
const textPart = (value: string) => ({ content: { $case: 'text', value }, mediaType: 'text/plain' });
const messageOf = (parts: readonly object[]) => {
  const value = { messageId: 'm', contextId: '', taskId: '', role: 2, parts, extensions: [], referenceTaskIds: [] };
  return { payload: { $case: 'message', value } };
};

describe('what the capture must not do', () => {
  test('the client gets the same with and without it', async () => {
    const url = await serve(grpcAgent(quick));
    const answers = await Promise.all(
      [null, running].map(async (tapped) => {
        const client = await grpcClient(url, tapped);
        const { artifacts, status } = (await client.sendMessage(userMessage(page))) as Task;
        const events: string[] = [];
        for await (const { payload } of client.sendMessageStream(userMessage(page))) events.push(payload!.$case);
        const error = await client
          .getTask({ tenant: '', id: 'none' })
          .catch((caught: Error) => [caught.name, caught.message]);
        return { artifacts, state: status?.state, events, error };
      }),
    );
    expect(answers[1]).toEqual(answers[0]);
  });

  test('secrets of metadata, in either direction, and of push configurations are nowhere', async () => {
    const secrets = ['s3cret-metadata-1', 's3cret-binary-02', 's3cret-initial-3', 's3cret-trailer-4', 's3cret-push-05'];
    const [sent, binary, initial, trailing, token] = secrets as [string, string, string, string, string];
    const url = await serve(
      grpcServer({
        ...answering((call, callback) => {
          const [first, last] = [new Metadata(), new Metadata()];
          first.set('x-session-token', initial);
          last.set('x-api-key', trailing);
          call.sendMetadata(first);
          const text = `you sent ${sent}, ${binary}; I sent ${initial}`;
          callback(null, messageOf([textPart(text)]), last);
        }),
        getTask: ((_call, callback) => callback({ code: 9, details: `not with ${trailing} and ${token}` })) as Handle,
      }),
    );
    const credentials: CallsWith = {
      interceptors: [
        (options, nextCall) =>
          new InterceptingCall(nextCall(options), {
            start: (metadata, listener, next) => {
              metadata.set('authorization', `Bearer ${sent}`);
              metadata.set('x-secret-bin', Buffer.from(binary));
              next(metadata, listener);
            },
          }),
      ],
    };
    const client = await grpcClient(url, running, credentials);
    const request = userMessage('hello');
    const taskPushNotificationConfig = {
      tenant: '',
      id: 'p',
      taskId: 't',
      url: 'https://h.test/hook',
      token,
      authentication: undefined,
    };
    const configuration = {
      acceptedOutputModes: [],
      historyLength: 0,
      returnImmediately: false,
      taskPushNotificationConfig,
    };
    const answer = (await client.sendMessage({ ...request, configuration })) as Message;
    expect(answer.parts[0]!.content).toMatchObject({ value: `you sent ${sent}, ${binary}; I sent ${initial}` });
    await expect(client.getTask({ tenant: '', id: 't' })).rejects.toThrow(trailing);
    const { exchanges, artifacts } = recorded();
    expect(artifacts.map(({ content }) => content?.text)).toEqual([
      'hello',
      'you sent REDACTED, REDACTED; I sent REDACTED',
    ]);
    expect(exchanges[1]!.attributes).toMatchObject({ grpc_message: 'not with REDACTED and REDACTED' });
    for (const file of readdirSync(place.path)) {
      const text = readFileSync(join(place.path, file), 'utf8');
      const forms = secrets.flatMap((secret) => [secret, Buffer.from(secret).toString('base64').slice(0, 20)]);
      expect(
        forms.filter((form) => text.includes(form)),
        file,
      ).toEqual([]);
    }
  });

  test('a message of very many parts does not fill the disk: that is a gap', async () => {
    const bodyLimit = 100_000;
    const limited = capture(place.path, { incident_id: 'incident-2', bodyLimit });
    const parts = Array.from({ length: 1_000 }, () => textPart('x'.repeat(9)));
    const url = await serve(grpcServer(answering((_call, callback) => callback(null, messageOf(parts)))));
    const client = await grpcClient(url, limited);
    await client.sendMessage(userMessage('x'));
    const records = recorded(limited);
    const size = records.artifacts.reduce((sum, { raw }) => sum + raw!.text.length, 0);
    expect(size).toBeGreaterThan(15 * bodyLimit);
    expect(size).toBeLessThan(17 * bodyLimit);
    expect(records.trace_metadata).toMatchObject([
      { ended: 'incomplete', gaps: [{ what: expect.stringContaining('too many parts') }] },
    ]);
  });

  test('messages of A2A 0.3 are not read: the exchange is there, and that is a gap', async () => {
    const url = await serve(grpcAgent(quick));
    const client = await grpcClient(url, running, {}, '0.3');
    const { artifacts } = (await client.sendMessage(userMessage(page))) as Task;
    expect(artifacts).toHaveLength(1);
    const { exchanges, trace_metadata } = recorded();
    expect(exchanges).toMatchObject([
      { url: `${url}/a2a.v1.A2AService/SendMessage`, ended: 'complete', attributes: { grpc_status: 'OK' } },
    ]);
    expect(trace_metadata).toMatchObject([
      { ended: 'incomplete', gaps: [{ what: expect.stringContaining('not those of A2A 1.0') }] },
    ]);
  });
});
