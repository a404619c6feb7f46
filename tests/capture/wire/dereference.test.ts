import { describe, expect, test } from 'vitest';
import { CARD, cardOf, profileWith, rpc, task, world } from './world.ts';

const AGENT = 'http://agent.example/';
const SITE = 'http://site.example/page';
const OPEN = profileWith({ asrf: { ports: [80], allowed_classes: ['public', 'loopback'] } });

/** An agent is sent a text, and fetches while it serves. */
const served = (text: string, more: object = {}) => {
  const here = world(OPEN);
  const serving = here.begin({ url: AGENT, body: rpc(text, more), to: 'p' });
  const fetched = (url: string, answer: Parameters<typeof here.call>[1] = { body: 'a page' }, method?: string) =>
    here.call(
      { url, from: 'p', to: null, cause: serving.served, headers: [], ...(method && { method, body: 'x' }) },
      answer,
    );
  const done = () => {
    serving.answer({ body: task('t', 'COMPLETED') });
    return here.judged();
  };
  return { here, serving, fetched, done };
};

describe('a fetch of what a message names', () => {
  test('is a dereference by the agent that serves, with its response', () => {
    const { fetched, done } = served(`read ${SITE}.`);
    fetched(SITE);
    const { records, verdict } = done();
    expect(records.uri_dereferences).toMatchObject([
      { uri: SITE, agent: 'agent.example', outcome: 'connected', status: 200, hop: 0, connected_address: '127.0.0.1' },
    ]);
    expect(records.dereference_responses[0]?.body?.text).toBe('a page');
    expect(verdict).toBe('FORENSICALLY_CONSISTENT');
  });

  test.each([
    ['in capitals', 'HTTP://SITE.example/page'],
    ['with its port', 'http://site.example:80/page'],
    ['with a fragment', `${SITE}#part`],
    ['with dots in its path', 'http://site.example/x/../page'],
  ])('also when the message spells it %s', (_, written) => {
    const { fetched, done } = served(`read ${written}`);
    fetched(SITE);
    expect(done().records.uri_dereferences).toHaveLength(1);
  });

  test('goes on along its redirects, each a hop', () => {
    const { fetched, done } = served(SITE);
    fetched(SITE, { status: 302, headers: [['location', '/moved']] });
    fetched('http://site.example/moved', { status: 307, headers: [['location', 'http://10.0.0.1/']] });
    fetched('http://10.0.0.1/');
    const { records, findings } = done();
    const [first, second, third] = records.uri_dereferences;
    expect(second).toMatchObject({ reference_id: null, redirect_of: first?.dereference_id, hop: 1 });
    expect(third).toMatchObject({ redirect_of: second?.dereference_id, hop: 2 });
    expect(findings).toEqual([`ASRF_HOST_OUTSIDE_POLICY ${third?.dereference_id}`]);
  });

  test.each([
    ['of an artifact in base64', { parts: [{ raw: Buffer.from(`<a href="${SITE}">`).toString('base64') }] }],
    ['of a data part', { parts: [{ data: { link: SITE } }] }],
    ['of metadata', { metadata: { source: SITE } }],
  ])('%s as well', (what, more) => {
    const here = world(OPEN);
    const answer = {
      jsonrpc: '2.0',
      id: 1,
      result: {
        task: { id: 't', status: { state: 'TASK_STATE_COMPLETED' }, artifacts: [{ artifactId: 'a', ...more }] },
      },
    };
    if (what.includes('artifact')) here.call({ url: AGENT, body: rpc('go') }, { body: answer });
    else here.call({ url: AGENT, body: rpc('go', more) }, { body: task('t', 'COMPLETED') });
    here.call({ url: SITE, from: 'client', to: null, headers: [] }, { body: 'x' });
    const { records, verdict } = here.judged();
    expect(records.uri_dereferences).toHaveLength(1);
    expect(verdict).toBe('FORENSICALLY_CONSISTENT');
  });

  test('of a URI behind more than are recorded is not seen as one, so that nothing is consistent', () => {
    const filled = `read ${SITE} ${Array.from({ length: 1_000 }, (_, at) => `http://site.example/${at}`).join(' ')}`;
    const { fetched, done } = served(`${filled} http://10.0.0.1/secret`);
    fetched(SITE);
    fetched('http://10.0.0.1/secret');
    const { records, verdict } = done();
    expect(records.trace_metadata[0]?.gaps.map(({ what }) => what)).toContainEqual(
      expect.stringContaining('more than 1000 URIs'),
    );
    expect(verdict).toBe('INCONCLUSIVE');
  });

  test('is told although it never connected', () => {
    const { here, serving, done } = served('http://10.0.0.9/');
    here.wire.call({
      key: 'x',
      side: 'client',
      process: 'p',
      cause: serving.served,
      method: 'GET',
      url: 'http://10.0.0.9/',
      headers: [],
      local: null,
      remote: null,
    });
    here.wire.request('x', new Uint8Array(), true);
    here.wire.end('x', 'reset', 'Error ECONNREFUSED');
    const { records, findings } = done();
    expect(records.uri_dereferences).toMatchObject([{ outcome: 'connect_failed', status: null, ended: 'reset' }]);
    expect(findings).toEqual(['ASRF_HOST_OUTSIDE_POLICY dereference-5']);
  });

  test('through a proxy is stated so, and its address is not taken for that of the destination', () => {
    const { here, serving, done } = served(SITE);
    here.wire.call({
      key: 'x',
      side: 'client',
      process: 'p',
      cause: serving.served,
      method: 'GET',
      url: SITE,
      headers: [],
      local: null,
      remote: null,
    });
    here.wire.request('x', new Uint8Array(), true);
    here.wire.socket('x', {
      local: '127.0.0.1:5',
      remote: '10.1.1.1:3128',
      connected: '10.1.1.1',
      resolved: null,
      dialled: 'proxy.example',
    });
    here.wire.response('x', 200, []);
    here.wire.end('x', 'complete', null);
    const { records, findings } = done();
    expect(records.uri_dereferences[0]).toMatchObject({ via_proxy: 'proxy.example:3128' });
    expect(findings).toEqual([]);
  });
});

describe('what is no dereference', () => {
  test('a URL that is mentioned and never fetched', () => {
    const { done } = served(`see ${SITE} and http://10.0.0.1/`);
    const { records, findings, status } = done();
    expect(records.uri_references).toHaveLength(4);
    expect(records.uri_dereferences).toEqual([]);
    expect(findings).toEqual([]);
    expect(status('ASRF')).toBe('CONSISTENT');
  });

  test('a fetch of what nothing named', () => {
    const { fetched, done } = served(SITE);
    fetched('http://other.example/');
    fetched('http://site.example/page/below');
    expect(done().records.uri_dereferences).toEqual([]);
  });

  test('a message to an agent whose URL was named', () => {
    const { here, serving, done } = served('ask http://other.example/');
    here.call(
      { url: 'http://other.example/', body: rpc('hello'), from: 'p', to: 'q', cause: serving.served },
      { body: task('u', 'COMPLETED') },
    );
    const { records } = done();
    expect(records.uri_dereferences).toEqual([]);
    expect(records.exchanges).toHaveLength(4);
  });

  test('the endpoint that a card names, when it is asked for in another way', () => {
    const here = world(OPEN);
    here.call(
      { url: `http://agent.example${CARD}`, to: null },
      { body: cardOf('Planner', AGENT, { documentationUrl: SITE }) },
    );
    here.call({ url: AGENT, to: null, headers: [] }, { body: 'fine' });
    expect(here.judged().records.uri_dereferences).toEqual([]);
  });
});

test('what a card mentions beside its endpoints, and is fetched, is a dereference of the card', () => {
  const here = world(OPEN);
  here.call(
    { url: `http://agent.example${CARD}`, to: null },
    { body: cardOf('Planner', AGENT, { iconUrl: 'http://10.0.0.1/icon' }) },
  );
  here.call({ url: 'http://10.0.0.1/icon', to: null, headers: [] }, { body: 'x' });
  const { records, findings } = here.judged();
  expect(records.uri_references).toMatchObject([
    { uri: 'http://10.0.0.1/icon', exchange_id: 'exchange-1', pointer: '/iconUrl' },
  ]);
  expect(findings).toEqual([`ASRF_HOST_OUTSIDE_POLICY ${records.uri_dereferences[0]?.dereference_id}`]);
});

test('a card that lists an internal address as its interface does not hide a fetch of it that a message asked for', () => {
  const url = 'http://169.254.169.254/latest';
  const here = world(OPEN);
  here.call({ url: `http://agent.example${CARD}`, to: null }, { body: cardOf('Planner', url) });
  const serving = here.begin({ url: AGENT, body: rpc(`read ${url}`), to: 'p' });
  here.call({ url, from: 'p', to: null, cause: serving.served, headers: [] }, { body: 'x' });
  serving.answer({ body: task('t', 'COMPLETED') });
  expect(here.judged().status('ASRF')).toBe('INDICATED');
});

describe('a push notification', () => {
  const config = {
    jsonrpc: '2.0',
    id: 1,
    method: 'CreateTaskPushNotificationConfig',
    params: { taskId: 't', url: 'http://10.0.0.5/hook' },
  };
  const push = {
    url: 'http://10.0.0.5/hook',
    body: { task: { id: 't' } },
    headers: [['content-type', 'application/a2a+json']],
  } as const;

  test('is a dereference of the URL that was configured', () => {
    const here = world(OPEN);
    here.call({ url: AGENT, body: config, to: 'p' }, { body: { jsonrpc: '2.0', id: 1, result: {} } });
    here.call({ ...push, from: 'p', to: null }, { status: 204 });
    const { records, findings } = here.judged();
    expect(records.uri_dereferences).toMatchObject([{ uri: push.url, method: 'POST' }]);
    expect(findings).toEqual([`ASRF_HOST_OUTSIDE_POLICY ${records.uri_dereferences[0]?.dereference_id}`]);
  });

  test('is an exchange where no captured message configured it', () => {
    const here = world(OPEN);
    here.call({ ...push, from: 'p', to: 'receiver' }, { status: 204 });
    const { records } = here.judged();
    expect(records.uri_dereferences).toEqual([]);
    expect(records.exchanges.map(({ binding }) => binding)).toEqual(['HTTP+JSON', 'HTTP+JSON']);
  });
});

describe('a redirect of what is no dereference', () => {
  const INSIDE = 'http://10.0.0.1/secret';
  const moved = { status: 302, headers: [['location', INSIDE]] as const };
  const asked = [
    ['a card', { url: `http://evil.example${CARD}` }],
    ['a message', { url: 'http://evil.example/', body: rpc('hello') }],
  ] as const;

  test.each(asked)('that answers %s gives later fetches of the same URL no other name', (_, call) => {
    const here = world(OPEN);
    const first = here.begin({ url: AGENT, body: rpc('hello'), to: 'p' });
    here.call({ ...call, from: 'p', to: null, cause: first.served }, moved);
    here.call({ url: INSIDE, from: 'p', to: null, cause: first.served, headers: [] }, { body: 'x' });
    first.answer({ body: task('t', 'COMPLETED') });
    const second = here.begin({ url: AGENT, body: rpc(`read ${INSIDE}`), to: 'p' });
    here.call({ url: INSIDE, from: 'p', to: null, cause: second.served, headers: [] }, { body: 'x' });
    second.answer({ body: task('u', 'COMPLETED') });
    const { records, status } = here.judged();
    expect(records.uri_dereferences).toMatchObject([{ uri: INSIDE, agent: 'agent.example', hop: 0 }]);
    expect(status('ASRF')).toBe('INDICATED');
  });

  test.each(asked)('that answers %s and was not followed is none of another call', (_, call) => {
    const here = world(OPEN);
    const first = here.begin({ url: AGENT, body: rpc('hello'), to: 'p' });
    here.call({ ...call, from: 'p', to: null, cause: first.served }, moved);
    first.answer({ body: task('t', 'COMPLETED') });
    const second = here.begin({ url: AGENT, body: rpc(`read ${INSIDE}`), to: 'p' });
    here.call({ url: INSIDE, from: 'p', to: null, cause: second.served, headers: [] }, { body: 'x' });
    second.answer({ body: task('u', 'COMPLETED') });
    expect(here.judged().status('ASRF')).toBe('INDICATED');
  });
});

test('an agent that started a program nobody watched may have fetched by it: dereferences do not count as watched', () => {
  const watchedAs = (by: string) => {
    const here = world(OPEN);
    here.call({ url: AGENT, body: rpc('go'), to: 'p' }, { body: task('t', 'COMPLETED') });
    here.wire.unwatched(by, 'curl');
    return here.judged();
  };
  expect(watchedAs('p').status('ASRF')).toBe('NOT_OBSERVED');
  expect(watchedAs('client').status('ASRF')).toBe('CONSISTENT');
});
