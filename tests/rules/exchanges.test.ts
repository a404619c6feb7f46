import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { encodeUtf8 } from '../../src/base/utf8.ts';
import { makeBody } from '../../src/evidence/body.ts';
import type { RecordOf } from '../../src/evidence/bundle.ts';
import { artifactFields } from '../../src/evidence/wire/artifact.ts';
import { cardFields } from '../../src/evidence/wire/card.ts';
import { ExchangeTexts, exchangeFields, responseTexts } from '../../src/evidence/wire/exchange.ts';
import { observationsIn } from '../../src/evidence/wire/observations.ts';
import { transitionFields } from '../../src/evidence/wire/transition.ts';
import { observeExchanges } from '../../src/rules/exchanges.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { body, expectMinimal, expectPath, level, profile, Trace, told } from './support.ts';

const given = (name: string): string => readFileSync(new URL(`../cases/a2a/${name}`, import.meta.url), 'utf8');
const STREAM = [['content-type', 'text/event-stream']] as const;

/** Adds an exchange with these bodies, and what a capture records of its response. */
const capture = (
  trace: Trace,
  request: string,
  response: string,
  fields: Partial<RecordOf<'exchanges'>> = {},
): Trace => {
  const wire = {
    binding: 'JSONRPC' as const,
    request_headers: [],
    response_headers: fields.response_headers ?? [],
    request_body: body(request),
    response_body: body(response),
  };
  const texts = new ExchangeTexts(wire);
  trace.add('exchanges', 'exchange', { ...wire, ...exchangeFields(wire, texts), ...fields });
  let n = 0;
  for (const { wire_event, text } of responseTexts(texts)) {
    for (const observation of observationsIn(text)) {
      const source = { exchange_id: 'exchange', wire_event };
      if (observation.kind === 'transition') {
        trace.add('task_transitions', `t${n++}`, { ...source, ...transitionFields(text) });
      } else {
        const { payload, artifact_index, part_index } = observation;
        const place = { payload, artifact_index, part_index };
        const { content: held, ...fields } = artifactFields(text, place);
        const bytes = typeof held === 'string' ? encodeUtf8(held) : held;
        const content = bytes === null ? null : makeBody(bytes, bytes.length, nativeCrypto);
        trace.add('artifacts', `a${n++}`, { ...source, ...place, ...fields, content });
      }
    }
  }
  return trace;
};
const observe = (trace: Trace) => observeExchanges(trace.graph(), profile());
const said = (trace: Trace) => told(observe(trace));
const judge = (graph: Parameters<typeof observeExchanges>[0]) => ({
  triggers: 0,
  statements: observeExchanges(graph, profile()),
});
const event = (result: object) => `data: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result })}\n\n`;
const status = (state: string, taskId = 't1') =>
  event({ kind: 'status-update', taskId, contextId: 'c1', status: { state } });
const update = (text: string, more: object = {}) =>
  event({
    kind: 'artifact-update',
    taskId: 't1',
    artifact: { artifactId: 'a1', parts: [{ kind: 'text', text }] },
    ...more,
  });
const ASKED = '{"jsonrpc":"2.0","id":1,"method":"message/stream"}';
const streamed = (events: string, fields: Partial<RecordOf<'exchanges'>> = {}) =>
  capture(new Trace(), ASKED, events, { response_headers: STREAM.map(([n, v]) => [n, v]), ...fields });

describe('ids of request and response', () => {
  const rows = given('A1-ids.tsv')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('\t') as [string, string]);
  const EXPECTED: Readonly<Record<string, readonly string[]>> = {
    null: ['RESPONSE_ID_ABSENT exchange'],
    MISSING: ['RESPONSE_ID_ABSENT exchange'],
    '{"x":1}': [],
    '1 AND DUPLICATE id 2': ['EXCHANGE_WIRE_ISSUE exchange'],
  };
  const answer = (id: string): string => {
    if (id === 'MISSING') return '{"jsonrpc":"2.0","result":{}}';
    if (id.endsWith('2') && id.includes('DUPLICATE')) return '{"jsonrpc":"2.0","id":1,"id":2,"result":{}}';
    return `{"jsonrpc":"2.0","id":${id},"result":{}}`;
  };
  const exchanged = (asked: string, answered: string) =>
    capture(new Trace(), `{"jsonrpc":"2.0","id":${asked},"method":"message/send"}`, answer(answered));

  test.each(rows)('request %s, response %s', (asked, answered) => {
    expect(said(exchanged(asked, answered))).toEqual(EXPECTED[answered] ?? ['RESPONSE_ID_DIFFERS exchange']);
  });

  test.each([
    ['1', '1'],
    ['"\\u00e9"', '"é"'],
    ['"a\\/b"', '"a/b"'],
    ['null', '7'],
  ])('request %s, response %s: nothing to say', (asked, answered) => {
    expect(said(exchanged(asked, answered))).toEqual([]);
  });

  test('both ids are told as they were sent', () => {
    const [statement] = observe(exchanged('1', '"1"'));
    expect(statement?.explanation).toContain('JSON-RPC id 1, its response "1"');
    expect(level(statement!)).toBe('warning');
    expectMinimal(judge, statement!, profile());
  });

  test('ids belong to JSON-RPC, and to a response that can be read', () => {
    const http = { binding: 'HTTP+JSON' as const, request_id: '1', response_id: '2', response_body: body('{}') };
    expect(said(new Trace().add('exchanges', 'x', http))).toEqual([]);
    expect(said(new Trace().add('exchanges', 'x', { ...http, binding: 'JSONRPC' }))).toEqual(['RESPONSE_ID_DIFFERS x']);
    const unanswered = { ...http, binding: 'JSONRPC' as const, response_id: null, response_body: null };
    expect(said(new Trace().add('exchanges', 'x', unanswered))).toEqual([]);
    expect(said(new Trace().add('exchanges', 'x', { ...unanswered, response_body: body('') }))).toEqual([]);
    const page = capture(new Trace(), ASKED, '<html>413</html>', { status: 413 });
    expect(said(page)).toEqual(['EXCHANGE_WIRE_ISSUE exchange']);
    expect(observe(page)[0]?.explanation).toContain('response: unparsable');
    expect(level(observe(page)[0]!)).toBe('note');
  });
});

describe('how an exchange ended', () => {
  test('cut in the middle of an event: a warning, two transitions, none from the unclosed event', () => {
    const trace = streamed(given('A3-cut.sse'), { ended: 'aborted' });
    expect(trace.records().task_transitions.map(({ state }) => state)).toEqual(['submitted', 'working']);
    expect(said(trace)).toEqual(['EXCHANGE_NOT_COMPLETE exchange', 'EXCHANGE_WIRE_ISSUE exchange']);
    const [statement] = observe(trace);
    expect([level(statement!), statement?.explanation]).toEqual(['warning', expect.stringContaining('"aborted"')]);
    expectMinimal(judge, statement!, profile());
  });

  test('cut by a front door that ends the response properly: the state tells', () => {
    const trace = streamed(given('A3-cut.sse'));
    expect(said(trace)).toEqual(['STREAM_WITHOUT_FINAL_STATE exchange', 'EXCHANGE_WIRE_ISSUE exchange']);
    const [statement] = observe(trace);
    expect([level(statement!), statement?.explanation]).toEqual(['warning', expect.stringContaining('working (')]);
    expect(expectMinimal(judge, statement!, profile())).toHaveLength(3);
  });

  test.each(['aborted', 'timeout', 'reset'] as const)('%s', (ended) => {
    expect(said(new Trace().add('exchanges', 'x', { ended, status: null }))).toEqual(['EXCHANGE_NOT_COMPLETE x']);
  });

  test('an HTTP error is an answer', () => {
    expect(said(new Trace().add('exchanges', 'x', { status: 503 }))).toEqual([]);
  });

  test.each([
    ['completed', []],
    ['canceled', []],
    ['failed', []],
    ['rejected', []],
    ['input-required', []],
    ['auth-required', []],
    ['TASK_STATE_COMPLETED', []],
    ['submitted', ['STREAM_WITHOUT_FINAL_STATE exchange']],
    ['working', ['STREAM_WITHOUT_FINAL_STATE exchange']],
    ['unknown', ['STREAM_WITHOUT_FINAL_STATE exchange']],
  ])('a stream whose last state is %s', (state, expected) => {
    expect(said(streamed(status('working') + status(state)))).toEqual(expected);
  });

  test('every task of a stream must have come to rest', () => {
    const trace = streamed(status('completed', 't1') + status('working', 't2') + status('completed', 't3'));
    expect(said(trace)).toEqual(['STREAM_WITHOUT_FINAL_STATE exchange']);
    expect(observe(trace)[0]?.explanation).toContain('task "t2"');
  });

  test('no event at all, or an artifact without a state; a lone message is whole', () => {
    expect(said(streamed(': keep-alive\n\n'))).toEqual(['STREAM_WITHOUT_FINAL_STATE exchange']);
    expect(said(streamed(update('x')))).toEqual(['STREAM_WITHOUT_FINAL_STATE exchange']);
    expectMinimal(judge, observe(streamed(update('x')))[0]!, profile());
    const message = event({ kind: 'message', messageId: 'm', role: 'agent', parts: [{ kind: 'text', text: 'hi' }] });
    expect(said(streamed(message))).toEqual([]);
  });

  test('a response that is no stream may leave a task at work', () => {
    const task =
      '{"jsonrpc":"2.0","id":1,"result":{"kind":"task","id":"t1","contextId":"c1","status":{"state":"working"}}}';
    expect(said(capture(new Trace(), ASKED, task))).toEqual([]);
  });
});

describe('updates after the last chunk', () => {
  test('are told once, with the part that said lastChunk', () => {
    const trace = streamed(given('A5-replace.sse'));
    expect(said(trace)).toEqual(['ARTIFACT_UPDATE_AFTER_LAST_CHUNK a3']);
    const [statement] = observe(trace);
    expectPath(statement!);
    expect(statement?.explanation).toContain('after ArtifactEvidence a2');
    expect(level(statement!)).toBe('note');
    expect(expectMinimal(judge, statement!, profile())).toHaveLength(5);
  });

  test('do not exist in a stream whose last chunk comes last, or has several parts, or belongs to another artifact', () => {
    expect(said(streamed(given('A5-snapshot.sse')))).toEqual([]);
    const parts = ['x', 'y'].map((text) => ({ kind: 'text', text }));
    const two = event({
      kind: 'artifact-update',
      taskId: 't1',
      artifact: { artifactId: 'a1', parts },
      lastChunk: true,
    });
    expect(said(streamed(two + status('completed')))).toEqual([]);
    expect(said(streamed(two + two + status('completed')))).toEqual(['ARTIFACT_UPDATE_AFTER_LAST_CHUNK a2']);
    const other = update('x', { lastChunk: true }) + update('y', { taskId: 't2' });
    expect(said(streamed(other + status('completed')))).toEqual([]);
  });

  test('two observers of one artifact are not mixed up', () => {
    const chunk = (observer: 'sdk-client' | 'sdk-server', wire_event: number | null, last_chunk: boolean) => ({
      observer,
      exchange_id: 'exchange',
      wire_event,
      raw: wire_event === null ? body(`${last_chunk}`) : null,
      task_id: 't1',
      artifact_id: 'a1',
      last_chunk,
    });
    const trace = new Trace()
      .add('exchanges', 'exchange')
      .add('artifacts', 'bus0', chunk('sdk-server', null, false))
      .add('artifacts', 'bus1', chunk('sdk-server', null, true))
      .add('artifacts', 'wire0', chunk('sdk-client', 0, false))
      .add('artifacts', 'wire1', chunk('sdk-client', 1, true));
    expect(said(trace)).toEqual([]);
    const again = new Trace()
      .add('exchanges', 'exchange')
      .add('artifacts', 'bus0', chunk('sdk-server', null, true))
      .add('artifacts', 'bus1', chunk('sdk-server', null, true));
    expect(said(again)).toEqual(['ARTIFACT_UPDATE_AFTER_LAST_CHUNK bus1']);
    const late = { ...chunk('sdk-server', null, true), raw: body('another event') };
    trace.add('artifacts', 'bus2', late).add('artifacts', 'bus3', { ...late, part_index: 1 });
    expect(said(trace)).toEqual(['ARTIFACT_UPDATE_AFTER_LAST_CHUNK bus2']);
    expect(observe(trace)[0]?.explanation).toContain('parts that came after it: 2');
  });
});

describe('cards that state interfaces in both forms', () => {
  const cards = JSON.parse(given('A7-cards.json')) as Record<string, object | string>;
  const raw = (name: string): string => {
    const card = cards[name]!;
    return typeof card === 'string' ? card.slice('RAW '.length) : JSON.stringify(card);
  };
  const holding = (text: string) => {
    const fields = { raw: body(text), ...cardFields(body(text)) };
    return new Trace().add('candidate_cards', 'card', fields).add('selected_cards', 'card', fields);
  };

  test('and disagree: one statement that names both', () => {
    const [statement, ...others] = observe(holding(raw('both_disagree')));
    expect([statement?.reason, statement?.affected.type, others]).toEqual([
      'CARD_INTERFACES_DISAGREE',
      'AgentCardSnapshot.selected',
      [],
    ]);
    expect(statement?.explanation).toContain('http://other.example/a2a');
    expect(statement?.explanation).toContain('http://127.0.0.1:9999/a2a');
    expect(level(statement!)).toBe('warning');
    expectMinimal(judge, statement!, profile());
  });

  test.each(['v03', 'v10', 'empty', 'name_number', 'two_names'])('%s: nothing to say', (name) => {
    expect(said(holding(raw(name)))).toEqual([]);
  });

  const both = (url: string, preferredTransport: string, protocolBinding: string) =>
    JSON.stringify({
      url,
      preferredTransport,
      supportedInterfaces: [{ url: 'https://h.example/a2a', protocolBinding }],
    });
  test.each([
    ['https://h.example/a2a', 'JSONRPC', 'JSONRPC', false],
    ['HTTPS://H.EXAMPLE:443/a2a', 'JSONRPC', 'JSONRPC', false],
    ['https://h.example/A2A', 'JSONRPC', 'JSONRPC', true],
    ['https://h.example/a2a', 'GRPC', 'JSONRPC', true],
  ])('%s (%s) against one of %s: %s', (url, transport, binding, disagrees) => {
    expect(said(holding(both(url, transport, binding)))).toEqual(disagrees ? ['CARD_INTERFACES_DISAGREE card'] : []);
  });
});
