import { AgentCard } from '@a2a-js/sdk';
import { ClientFactory } from '@a2a-js/sdk/client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Capture } from '../../src/capture/index.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { agent, capture, cardAt, executorOf, finish, folder, listen, type Server, userMessage } from './lab.ts';

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

const serve = async (...args: Parameters<typeof agent>): Promise<string> => {
  const server = await agent(...args);
  servers.push(server);
  return server.origin;
};

const edgesOf = (records: object, relation: string): string[] =>
  (records as { edges: { relation: string; source_type: string; destination_type: string }[] }).edges
    .filter((edge) => edge.relation === relation)
    .map(({ source_type, destination_type }) => `${source_type} ${destination_type}`);

describe('cards', () => {
  test('a decision joins candidate, trusted and selected card, the endpoint and its exchange', async () => {
    const origin = await serve(
      executorOf((text) => [text]),
      undefined,
    );
    const other = await serve(
      executorOf((text) => [text]),
      undefined,
    );
    const pinned = await (await fetch(`${origin}/.well-known/agent-card.json`)).text();
    const trusted = running.observe.trustedCard(pinned)!;
    const options = running.client({ agent: 'coordinator', nameAgent: () => 'planner' });
    const cards = [await options.cardResolver.resolve(origin), await options.cardResolver.resolve(other)];
    running.observe.discoveryDecision({
      client_agent: 'coordinator',
      considered: cards,
      trusted: [trusted],
      selected: cards[0]!,
    });
    const client = await new ClientFactory(options).createFromAgentCard(cards[0]!);
    await client.sendMessage(userMessage('x'));
    const { records } = finish(running);
    expect(records.trusted_cards).toMatchObject([{ card_id: trusted, observer: 'profile', raw: { text: pinned } }]);
    expect(records.candidate_cards.map(({ card_id }) => card_id)[0]).toBe(trusted);
    expect(records.candidate_cards).toHaveLength(2);
    expect(records.selected_cards.map(({ card_id }) => card_id)).toEqual([trusted]);
    expect(records.endpoints).toMatchObject([{ card_id: trusted, agent: 'planner' }]);
    expect(edgesOf(records, 'DISCOVERY_CONSIDERED_CARD')).toHaveLength(2);
    expect(edgesOf(records, 'DISCOVERY_SELECTED_CARD')).toHaveLength(1);
    expect(edgesOf(records, 'DISCOVERY_REFERENCED_TRUSTED_CARD')).toHaveLength(1);
    expect(edgesOf(records, 'AGENTCARD_RESOLVES_TO_ENDPOINT')).toHaveLength(1);
    expect(edgesOf(records, 'ENDPOINT_SERVED_EXCHANGE')).toHaveLength(1);
    expect(records.trace_metadata[0]!.coverage.discovery).toBe(true);
  });

  test('a card that was never fetched is recorded as the SDK writes it; two clients of one card share it', async () => {
    const origin = await serve(
      executorOf((text) => [text]),
      undefined,
    );
    const card = cardAt(origin);
    const factory = new ClientFactory(running.client({ agent: null }));
    await factory.createFromAgentCard(card);
    await (await factory.createFromAgentCard(card)).sendMessage(userMessage('x'));
    const { refusals, records } = finish(running);
    expect(refusals).toEqual([]);
    expect(records.candidate_cards).toMatchObject([{ url: null, status: null, name: 'Planner' }]);
    expect(JSON.parse(records.candidate_cards[0]!.raw.text)).toEqual(AgentCard.toJSON(card));
    expect(records.selected_cards).toHaveLength(1);
    expect(records.endpoints).toHaveLength(1);
  });

  test('a card fetched twice is one card; a changed one is another', async () => {
    let version = 0;
    const server = await listen((app, origin) => {
      app.get('/.well-known/agent-card.json', (_request, response) => {
        const card = AgentCard.toJSON(cardAt(origin)) as object;
        response.json(version === 0 ? card : { ...card, version: '2.0.0' });
      });
    });
    servers.push(server);
    const { cardResolver } = running.client({ agent: null });
    await cardResolver.resolve(server.origin);
    await cardResolver.resolve(server.origin);
    version = 1;
    await cardResolver.resolve(server.origin);
    await expect(cardResolver.resolve(server.origin, '/missing')).rejects.toThrow('404');
    const { refusals, records } = finish(running);
    expect(refusals).toEqual([]);
    expect(records.candidate_cards.map(({ raw }) => (JSON.parse(raw.text) as AgentCard).version)).toEqual([
      '1.0.0',
      '2.0.0',
    ]);
  });

  test.each(['JSONRPC', 'HTTP+JSON'])(
    'an extended card over %s is a candidate, exactly as it came, tied to its endpoint',
    async (binding) => {
      const server = await listen((app, origin) => {
        const card = AgentCard.toJSON(cardAt(origin)) as object;
        const open = { ...card, capabilities: { extendedAgentCard: true } };
        const extended = `{"name":"Planner", "skills":[{"id":"plan"},{"id":"secret-plan"}],"x":1.50}`;
        app.get('/.well-known/agent-card.json', (_request, response) => void response.json(open));
        app.post('/rpc', (_request, response) => {
          response.type('application/json').send(`{"jsonrpc":"2.0", "id":1, "result": ${extended} }`);
        });
        app.get(
          '/rest/extendedAgentCard',
          (_request, response) => void response.type('application/json').send(extended),
        );
      });
      servers.push(server);
      const options = running.client({ agent: null });
      const client = await new ClientFactory({ ...options, preferredTransports: [binding] }).createFromUrl(
        server.origin,
      );
      await client.getAgentCard();
      const { refusals, records } = finish(running);
      expect(refusals).toEqual([]);
      expect(records.candidate_cards[1]).toMatchObject({
        extended: true,
        endpoint_id: records.endpoints[0]!.endpoint_id,
        skill_ids: ['plan', 'secret-plan'],
        raw: { text: '{"name":"Planner", "skills":[{"id":"plan"},{"id":"secret-plan"}],"x":1.50}' },
      });
      expect(edgesOf(records, 'AGENTCARD_RESOLVES_TO_ENDPOINT')).toHaveLength(2);
    },
  );

  test('0.3: the old card and the old methods, by the SDK client', async () => {
    const origin = await serve(
      executorOf((text) => [text]),
      running,
      true,
    );
    const options = running.client({ agent: 'coordinator', legacyCompat: { enabled: true } });
    const client = await new ClientFactory({ ...options, preferredTransports: ['JSONRPC'] }).createFromUrl(origin);
    for await (const _ of client.sendMessageStream(userMessage('old'))) void _;
    await client.sendMessage(userMessage('older'));
    const { refusals, records } = finish(running);
    expect(refusals).toEqual([]);
    const sent = records.exchanges.filter(({ observer }) => observer === 'sdk-client');
    expect(sent.map(({ rpc_method, protocol_version }) => [rpc_method, protocol_version])).toEqual([
      ['message/stream', '0.3'],
      ['message/send', '0.3'],
    ]);
    expect(records.endpoints).toMatchObject([{ protocol: 'JSONRPC', protocol_version: '0.3' }]);
    const states = records.task_transitions.filter(
      ({ observer, exchange_id }) => observer === 'sdk-client' && exchange_id === sent[0]!.exchange_id,
    );
    expect(states.map(({ state }) => state)).toEqual(['submitted', 'working', 'completed']);
  });
});

describe('what the application reports', () => {
  test('a capability used while serving belongs to the exchange that asked for it', async () => {
    const inner = executorOf((text) => [text]);
    const origin = await serve(
      {
        ...inner,
        execute: async (request, bus) => {
          await Promise.resolve();
          running.observe.capabilityUse({ capability: 'plan', basis: 'executed' });
          await inner.execute(request, bus);
        },
      },
      running,
    );
    const client = await new ClientFactory(running.client({ agent: 'a' })).createFromUrl(origin);
    await client.sendMessage(userMessage('x'));
    const { refusals, records } = finish(running);
    expect(refusals).toEqual([]);
    const served = records.exchanges.find(({ observer }) => observer === 'sdk-server');
    expect(records.capability_invocations).toMatchObject([{ exchange_id: served!.exchange_id, capability: 'plan' }]);
    expect(edgesOf(records, 'AGENTCARD_DECLARES_CAPABILITY')).toHaveLength(1);
  });

  test('steps are joined to the exchanges that sent them, loads to their endpoint', async () => {
    const origin = await serve(
      executorOf((text) => [text]),
      undefined,
    );
    const client = await new ClientFactory(running.client({ agent: 'a' })).createFromUrl(origin);
    const { value, exchange_ids } = await running.observe.sending(() => client.sendMessage(userMessage('x')));
    expect(value).toHaveProperty('id');
    const step = { source_agent: 'a', destination_agent: 'Planner', exchange_id: exchange_ids[0]! };
    const first = running.observe.routingStep({ ...step, predecessor: 'root' })!;
    running.observe.routingStep({ ...step, predecessor: first, progress: false });
    running.observe.taskLoad({ endpoint_id: null, agent: 'Planner', awaiting_input_count: 2, queue_depth: 1 });
    const { refusals, records } = finish(running);
    expect(refusals).toEqual([]);
    expect(records.routing_events.map(({ joined_by }) => joined_by)).toEqual([null, 'application']);
    expect(edgesOf(records, 'EXCHANGE_ROUTED_STEP')).toHaveLength(2);
    expect(edgesOf(records, 'ROUTING_STEP_FOLLOWS')).toHaveLength(1);
    expect(records.task_load_snapshots).toMatchObject([{ awaiting_input_count: 2, queue_depth: 1, latency_us: null }]);
  });

  test('a render and a sanitizer find their artifact by content or by id, and state what they received', async () => {
    const origin = await serve(
      executorOf(() => ['<p>one</p>']),
      undefined,
    );
    const client = await new ClientFactory(running.client({ agent: 'a' })).createFromUrl(origin);
    const task = (await client.sendMessage(userMessage('x'))) as { id: string };
    const input = Buffer.from('<p>one</p>');
    const sanitizer_id = running.observe.sanitizer({ name: 'strip', version: '1', input, output: Buffer.from('one') });
    running.observe.sanitizer({ name: 'bypassed', version: null, input, output: null });
    const render = { renderer: 'panel', interpreted_as: 'text/html', mode: 'interpreted' } as const;
    running.observe.render({
      ...render,
      input: Buffer.from('one'),
      task_id: task.id,
      artifact_id: 'answer',
      sanitizer_id,
    });
    running.observe.render({ ...render, input: Buffer.from('never seen') });
    const { refusals, records } = finish(running);
    expect(refusals).toEqual([]);
    const { artifact_record_id } = records.artifacts.at(-1)!;
    expect(records.sanitizers).toMatchObject([
      { artifact_record_id, applied: true, output: { text: 'one' }, input_sha256: nativeCrypto.sha256Hex(input) },
      { artifact_record_id, applied: false, output: null },
    ]);
    expect(records.artifact_renders).toMatchObject([
      { artifact_record_id, sanitizer_id, input_sha256: nativeCrypto.sha256Hex('one') },
      { artifact_record_id: null, sanitizer_id: null },
    ]);
  });

  test('an observer called wrongly says so in a gap and not to its caller', () => {
    expect(running.observe.capabilityUse({ capability: '', basis: 'executed' })).toBeNull();
    expect(running.observe.taskLoad({ endpoint_id: null, agent: null, awaiting_input_count: -1 })).toBeNull();
    const { records } = finish(running);
    expect(records.trace_metadata[0]).toMatchObject({ ended: 'incomplete', gaps: [{}, {}] });
  });
});
