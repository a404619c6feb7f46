import { describe, expect, test } from 'vitest';
import { CARD, type Call, cardOf, rpc, task, world } from './world.ts';

const AGENTS = ['a', 'b', 'c'];
const urlOf = (name: string) => `http://${name}.example/`;
const peerOf = (name: string) => AGENTS[(AGENTS.indexOf(name) + 1) % AGENTS.length]!;

/** A chain of sends, each during the one before; `processOf` says where an agent runs. */
const chain = (
  hops: number,
  processOf: (name: string) => string,
  request: (hop: number) => Partial<Call> = () => ({}),
) => {
  const here = world();
  const open: ReturnType<typeof here.begin>[] = [];
  let name = 'a';
  let from: string | null = 'client';
  let cause: string | null = null;
  for (let hop = 0; hop <= hops; hop++) {
    const more = request(hop);
    const begun = here.begin({ url: urlOf(name), body: rpc('on'), from, to: processOf(name), cause, ...more });
    open.push(begun);
    [from, cause, name] = [processOf(name), begun.served, peerOf(name)];
  }
  for (const [at, begun] of open.reverse().entries())
    begun.answer({ body: task(`t-${at}`, 'COMPLETED', `part ${at}`) });
  return here.judged();
};
const steps = ({ records }: ReturnType<typeof chain>) =>
  records.routing_events.map(({ source_agent, destination_agent, predecessor, joined_by }) => [
    `${source_agent} to ${destination_agent}`,
    predecessor === 'root' || predecessor === 'unknown' ? predecessor : joined_by,
  ]);

describe('a chain of delegations of which nothing on the wire joins the hops', () => {
  test('is joined by the asynchronous context inside one process, and its loop is indicated', () => {
    const judged = chain(12, () => 'all');
    expect(steps(judged).slice(0, 3)).toEqual([
      ['a.example to b.example', 'root'],
      ['b.example to c.example', 'async_context'],
      ['c.example to a.example', 'async_context'],
    ]);
    // Each answer brings something new, and too late: the task was handed on before.
    const progress = judged.records.routing_events.map((step) => step.progress);
    expect(progress).toEqual([...Array(11).fill(false), true]);
    expect(judged.status('CO')).toBe('INDICATED');
    expect(judged.findings.map((line) => line.split(' ')[0])).toEqual(['CO_CYCLE_WITHOUT_PROGRESS']);
  });

  test('is not joined across processes: the first step is a root, the others are not known, and the trace is inconclusive', () => {
    const judged = chain(12, (name) => name);
    expect(steps(judged).slice(0, 3)).toEqual([
      ['a.example to b.example', 'root'],
      ['b.example to c.example', 'unknown'],
      ['c.example to a.example', 'unknown'],
    ]);
    expect(judged.status('CO')).toBe('INCONCLUSIVE');
    expect(judged.verdict).toBe('INCONCLUSIVE');
  });

  test('a context that was lost on the way is not known either, also in one process', () => {
    const judged = chain(
      3,
      () => 'all',
      (hop) => (hop === 0 ? {} : { from: 'worker', cause: null, to: 'worker' }),
    );
    expect(judged.status('CO')).not.toBe('CONSISTENT');
  });
});

describe('what the wire says joins processes', () => {
  const traceparent = (hop: number): Partial<Call> => ({
    headers: [
      ['content-type', 'application/json'],
      ['traceparent', `00-${'ab'.repeat(16)}-${String(hop).padStart(16, '1')}-01`],
    ],
  });
  test.each([
    ['a trace context', traceparent, 'trace_context'],
    ['a context id', () => ({ body: rpc('on', { contextId: 'shared' }) }), 'context_id'],
    ['a task id', () => ({ body: rpc('on', { taskId: 'shared' }) }), 'context_id'],
  ])('%s', (_, request, join) => {
    const judged = chain(12, (name) => name, request);
    expect(steps(judged)[1]).toEqual(['b.example to c.example', join]);
    expect(judged.status('CO')).toBe('INDICATED');
  });

  test('a trace id of zeros, or one of another form, joins nothing', () => {
    const judged = chain(
      2,
      (name) => name,
      () => ({ headers: [['traceparent', `00-${'0'.repeat(32)}-${'1'.repeat(16)}-01`]] }),
    );
    expect(steps(judged)[1]?.[1]).toBe('unknown');
  });
});

describe('progress', () => {
  /** An agent asks another one again and again in one context; `answer` makes what comes back. */
  const again = (times: number, answer: (time: number) => object) => {
    const here = world();
    const first = here.begin({ url: urlOf('a'), body: rpc('go'), to: 'p' });
    for (let time = 0; time < times; time++) {
      const body = rpc('more', { contextId: 'one' });
      here.call({ url: urlOf('b'), body, from: 'p', to: 'q', cause: first.served }, { body: answer(time) });
    }
    first.answer({ body: task('t', 'COMPLETED') });
    return here.judged();
  };

  test('new artifacts are progress, however many rounds it takes', () => {
    const judged = again(30, (time) => task('b-1', 'WORKING', `part ${time}`));
    expect(judged.status('CO')).toBe('CONSISTENT');
    expect(judged.records.routing_events.every(({ progress }) => progress === true)).toBe(true);
  });

  test('the same answer again is none, and past the limit it is indicated', () => {
    const judged = again(30, () => task('b-1', 'WORKING', 'the same'));
    expect(judged.records.routing_events.map(({ progress }) => progress)).toEqual([true, ...Array(29).fill(false)]);
    expect(judged.status('CO')).toBe('INDICATED');
  });

  test('a send that never ended is not judged', () => {
    const here = world();
    const first = here.begin({ url: urlOf('a'), body: rpc('go'), to: 'p' });
    here.begin({ url: urlOf('b'), body: rpc('on'), from: 'p', to: 'q', cause: first.served });
    const { records, verdict } = here.judged();
    expect(records.routing_events[0]).toMatchObject({ outcome: null, progress: null });
    expect(verdict).toBe('INCONCLUSIVE');
  });
});

describe('what is no step', () => {
  test('a client that serves nothing, a poll, and an error of it', () => {
    const here = world();
    const first = here.begin({ url: urlOf('a'), body: rpc('go'), to: 'p' });
    const poll = { jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id: 't' } };
    here.call({ url: urlOf('b'), body: poll, from: 'p', to: 'q', cause: first.served }, { body: task('t', 'WORKING') });
    first.answer({ body: task('t', 'COMPLETED') });
    expect(here.judged().records.routing_events).toEqual([]);
  });

  test('a failed send and its retry count once', () => {
    const here = world();
    const first = here.begin({ url: urlOf('a'), body: rpc('go'), to: 'p' });
    for (let time = 0; time < 20; time++) {
      const body = rpc('on', { contextId: 'one' });
      here.call({ url: urlOf('b'), body, from: 'p', to: 'q', cause: first.served }, { status: 503, body: 'busy' });
    }
    first.answer({ body: task('t', 'COMPLETED') });
    const judged = here.judged();
    expect(judged.records.routing_events.every(({ outcome }) => outcome === 'failed')).toBe(true);
    expect(judged.status('CO')).toBe('CONSISTENT');
  });

  test('two branches from one agent are two paths', () => {
    const here = world();
    const first = here.begin({ url: urlOf('a'), body: rpc('go'), to: 'p' });
    for (const name of ['b', 'c', 'd']) {
      here.call(
        { url: urlOf(name), body: rpc('on'), from: 'p', to: name, cause: first.served },
        { body: task(name, 'COMPLETED') },
      );
    }
    first.answer({ body: task('t', 'COMPLETED') });
    const { records } = here.judged();
    expect(records.routing_events.map(({ predecessor }) => predecessor)).toEqual(['root', 'root', 'root']);
  });
});

describe('an agent goes by the name that its own process serves', () => {
  const A = 'http://127.0.0.1:9001/';
  const B = 'http://127.0.0.1:9002/';
  const known = () => {
    const here = world();
    for (const [name, url, to] of [
      ['A', A, 'p'],
      ['B', B, 'q'],
    ] as const)
      here.call({ url: `${url.slice(0, -1)}${CARD}`, to }, { body: cardOf(name, url) });
    return here;
  };

  test('and not by that of another one, which a client of it gives as its host', () => {
    const here = known();
    here.call({ url: B, from: null, to: 'p', body: rpc('hello') }, { body: task('t', 'COMPLETED') });
    here.call({ url: B, from: null, to: 'q', body: rpc('hello') }, { body: task('u', 'COMPLETED') });
    const { records, refusals } = here.judged();
    expect(refusals).toEqual([]);
    expect(records.exchanges.slice(-2).map(({ server_agent }) => server_agent)).toEqual(['A', 'B']);
  });

  test('and a peer outside that calls itself the same goes by its host', () => {
    const here = known();
    here.call(
      { url: `http://peer.example${CARD}`, from: 'p', to: null },
      { body: cardOf('B', 'http://peer.example/') },
    );
    const serving = here.begin({ url: A, body: rpc('go'), to: 'p' });
    for (const [url, to] of [
      ['http://peer.example/', null],
      [B, 'q'],
    ] as const)
      here.call({ url, from: 'p', to, cause: serving.served, body: rpc('on') }, { body: task('t', 'COMPLETED') });
    serving.answer({ body: task('u', 'COMPLETED') });
    const judged = here.judged();
    expect(judged.refusals).toEqual([]);
    expect(steps(judged).map(([ends]) => ends)).toEqual(['A to peer.example', 'A to B']);
  });
});
