import { Task } from '@a2a-js/sdk';
import { ClientFactory } from '@a2a-js/sdk/client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Capture } from '../../src/capture/index.ts';
import { agent, capture, executorOf, finish, folder, type Server, userMessage } from './lab.ts';

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

const serve = async (...args: Parameters<typeof agent>): Promise<Server> => {
  const server = await agent(...args);
  servers.push(server);
  return server;
};

const clientOf = (origin: string, preferred: string, legacy = false) =>
  new ClientFactory({
    ...running.client({ agent: 'coordinator', ...(legacy && { legacyCompat: { enabled: true } }) }),
    preferredTransports: [preferred],
  }).createFromUrl(origin);

const page = 'See https://example.test/a?b=1 <b>now</b>';

describe('a real SDK exchange', () => {
  for (const binding of ['JSONRPC', 'HTTP+JSON']) {
    test(`${binding}, blocking: card, endpoint, exchange on both sides, every event of the bus`, async () => {
      const { origin } = await serve(
        executorOf((text) => [text.slice(0, 9), text.slice(9)]),
        running,
      );
      const client = await clientOf(origin, binding);
      const result = await client.sendMessage(userMessage(page));
      const task = Task.fromJSON(Task.toJSON(result as Task));
      const { refusals, records } = finish(running);
      expect(refusals).toEqual([]);
      const base = binding === 'JSONRPC' ? `${origin}/rpc` : `${origin}/rest`;
      expect(records.candidate_cards).toMatchObject([
        { url: `${origin}/.well-known/agent-card.json`, status: 200, name: 'Planner', skill_ids: ['plan'] },
      ]);
      const [card] = records.candidate_cards;
      expect(records.selected_cards).toMatchObject([{ card_id: card!.card_id, raw: card!.raw }]);
      expect(records.endpoints).toMatchObject([
        { card_id: card!.card_id, url: base, protocol: binding, agent: 'Planner' },
      ]);
      const endpoint_id = records.endpoints[0]!.endpoint_id;
      expect(records.exchanges).toMatchObject([
        {
          observer: 'sdk-client',
          endpoint_id,
          client_agent: 'coordinator',
          server_agent: 'Planner',
          status: 200,
          ended: 'complete',
          rpc_method: binding === 'JSONRPC' ? 'SendMessage' : null,
          message_id: 'm-1',
          response_task_id: task.id,
          protocol_version: '1.0',
        },
        { observer: 'sdk-server', endpoint_id, server_agent: 'planner', status: 200, ended: 'complete' },
      ]);
      const [sent, served] = records.exchanges;
      expect(served!.request_body).toEqual(sent!.request_body);
      expect(served!.response_body).toEqual(sent!.response_body);
      const states = (observer: string) =>
        records.task_transitions.filter((row) => row.observer === observer).map(({ state }) => state);
      expect(states('sdk-server')).toEqual(['submitted', 'working', 'completed']);
      expect(states('sdk-client')).toEqual(['completed']);
      const chunks = records.artifacts.filter(
        ({ payload, observer }) => payload === 'artifact_update' && observer === 'sdk-server',
      );
      expect(chunks.map(({ content }) => content?.text)).toEqual([page.slice(0, 9), page.slice(9)]);
      expect(chunks[1]!.appends_to).toBe(chunks[0]!.artifact_record_id);
      expect(chunks.every(({ exchange_id }) => exchange_id === served!.exchange_id)).toBe(true);
      expect(records.uri_references.map(({ uri }) => uri)).toContain('https://example.test/a?b=1');
      expect(records.trace_metadata).toMatchObject([
        { ended: 'complete', gaps: [], coverage: { client_wire: true, server_wire: true, routing: false } },
      ]);
    });

    test(`${binding}, streaming: every event with its number, before the consumer has it`, async () => {
      const { origin } = await serve(
        executorOf(() => ['<p>', 'Hello', '</p>']),
        running,
      );
      const client = await clientOf(origin, binding);
      const seen: string[] = [];
      for await (const event of client.sendMessageStream(userMessage(page))) seen.push(event.payload?.$case ?? '');
      const { refusals, records } = finish(running);
      expect(refusals).toEqual([]);
      expect(seen).toEqual([
        'task',
        'statusUpdate',
        'artifactUpdate',
        'artifactUpdate',
        'artifactUpdate',
        'statusUpdate',
      ]);
      const exchange = records.exchanges.find(({ observer }) => observer === 'sdk-client')!;
      expect(exchange).toMatchObject({ ended: 'complete', event_count: 6, wire_issue: null });
      const transitions = records.task_transitions.filter(({ observer }) => observer === 'sdk-client');
      expect(transitions.map(({ state, wire_event, raw }) => [state, wire_event, raw])).toEqual([
        ['submitted', 0, null],
        ['working', 1, null],
        ['completed', 5, null],
      ]);
      expect(transitions.map(({ previous_transition_id }) => previous_transition_id)).toEqual([
        null,
        transitions[0]!.transition_id,
        transitions[1]!.transition_id,
      ]);
      const chunks = records.artifacts.filter(({ observer }) => observer === 'sdk-client');
      expect(
        chunks.map(({ wire_event, append, last_chunk, content }) => [wire_event, append, last_chunk, content?.text]),
      ).toEqual([
        [2, false, false, '<p>'],
        [3, true, false, 'Hello'],
        [4, true, true, '</p>'],
      ]);
      expect(chunks.map(({ appends_to }) => appends_to)).toEqual([
        null,
        chunks[0]!.artifact_record_id,
        chunks[1]!.artifact_record_id,
      ]);
      expect([...chunks, ...transitions].every(({ sequence }) => sequence > exchange.sequence)).toBe(true);
    });
  }
});
