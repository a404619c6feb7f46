import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { startPeer } from './peers.ts';
import { type Lab, openLab } from './support.ts';
import { twice } from './twice.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await openLab();
});

/** A port where nobody listens. */
const closedPort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};

test('a request is sent as without a capture, in whatever manner, and is recorded as its peer got it', async () => {
  const peer = await startPeer();
  onTestFinished(() => peer.close());
  const refusing = `http://127.0.0.1:${await closedPort()}/rpc`;
  const args = ['tests/hook/programs/writers.mjs', peer.origin, refusing];
  const { asked, records } = await twice(lab, 'writing', args, { peer });

  const answered = records.exchanges.filter(({ status }) => status === 200);
  const sent = Object.entries(asked).flatMap(([name, requests]) =>
    requests
      .filter(({ method }) => method === 'POST')
      .map(({ body }) => `${name}: ${Buffer.from(body, 'latin1').toString()}`),
  );
  const recorded = answered.map(({ url, request_body }) => {
    const body = request_body?.text.replace(/-{4}[\w-]*formdata[\w-]*/gi, 'BOUNDARY') ?? '';
    return `${decodeURIComponent(url.split('/').at(-2)!)}: ${body}`;
  });
  expect(sent.length).toBeGreaterThan(30);
  expect(recorded.sort()).toEqual(sent.sort());
  const refused = records.exchanges.filter(({ url }) => url === refusing);
  expect(refused.map(({ status, ended }) => [status, ended])).toEqual(Array(3).fill([null, 'reset']));
});

test('a server answers as without a capture, in whatever manner, and what it sent is recorded as its client got it', async () => {
  const { records, transcript } = await twice(lab, 'serving', ['tests/hook/programs/servers.mjs']);
  const got = Object.entries(transcript).map(([name, steps]) => [name, steps.at(-1)?.[1]]);
  const recorded = records.exchanges.map(({ url, status, response_body }) => [
    new URL(url).pathname.slice(1),
    { status, body: response_body?.text ?? null },
  ]);
  expect(Object.fromEntries(recorded)).toEqual(Object.fromEntries(got));
});

test('agent and client of the SDK exchange what they do without a capture, over JSON-RPC and REST, streams among it', async () => {
  const { records } = await twice(lab, 'sdk', ['tests/hook/programs/sdk-pair.mjs']);
  const seen = records.exchanges.map(({ attributes, binding, ended }) => [attributes?.side, binding, ended].join(' '));
  for (const binding of ['JSONRPC', 'HTTP+JSON']) {
    for (const side of ['client', 'server']) {
      expect(seen.filter((row) => row === `${side} ${binding} complete`).length).toBeGreaterThanOrEqual(4);
    }
  }
  expect(records.task_transitions.filter(({ observer }) => observer === 'sdk-server')).toHaveLength(12);
});
