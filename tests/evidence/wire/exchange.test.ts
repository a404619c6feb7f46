import { describe, expect, it } from 'vitest';
import { ExchangeTexts, exchangeFields, isEventStream, responseTexts } from '../../../src/evidence/wire/exchange.ts';
import { observationsIn } from '../../../src/evidence/wire/observations.ts';
import { transitionFields } from '../../../src/evidence/wire/transition.ts';
import { bytesOf, caseText, fieldsOf, rpc, wireOf } from './support.ts';

const NULLS = {
  protocol_version: null,
  rpc_method: null,
  request_id: null,
  message_id: null,
  request_task_id: null,
  request_context_id: null,
  response_id: null,
  error_code: null,
  response_task_id: null,
  response_context_id: null,
  event_count: null,
  wire_issue: null,
};
const send = (method: string, message: object) =>
  JSON.stringify({ jsonrpc: '2.0', method, params: { message }, id: 1 });

describe('typed fields of an exchange', () => {
  it('come from A2A 1.0 over JSON-RPC', () => {
    const request = send('SendMessage', {
      messageId: 'm1',
      taskId: 't1',
      contextId: 'c1',
      role: 'ROLE_USER',
      parts: [],
    });
    const task = { id: 't1', contextId: 'c1', status: { state: 'TASK_STATE_WORKING' } };
    expect(fieldsOf({ request, response: rpc({ task }), version: '1.0' })).toEqual({
      ...NULLS,
      protocol_version: '1.0',
      rpc_method: 'SendMessage',
      request_id: '1',
      message_id: 'm1',
      request_task_id: 't1',
      request_context_id: 'c1',
      response_id: '1',
      response_task_id: 't1',
      response_context_id: 'c1',
    });
  });

  it.each([
    ['1.0 message', { message: { messageId: 'm', taskId: 't', contextId: 'c' } }],
    ['1.0 status update', { statusUpdate: { taskId: 't', contextId: 'c' } }],
    ['1.0 artifact update', { artifactUpdate: { taskId: 't', contextId: 'c' } }],
    ['1.0 in snake case', { status_update: { task_id: 't', context_id: 'c' } }],
    ['0.3 task', { kind: 'task', id: 't', contextId: 'c' }],
    ['0.3 message', { kind: 'message', messageId: 'm', taskId: 't', contextId: 'c' }],
    ['0.3 status update', { kind: 'status-update', taskId: 't', contextId: 'c' }],
    ['0.3 artifact update', { kind: 'artifact-update', taskId: 't', contextId: 'c' }],
    ['bare task of GetTask', { id: 't', contextId: 'c', status: {} }],
    ['bare status update', { taskId: 't', contextId: 'c', status: {} }],
    ['bare message', { messageId: 'm', taskId: 't', contextId: 'c' }],
  ])('name task and context of a response: %s', (_, result) => {
    const expected = { response_task_id: 't', response_context_id: 'c', wire_issue: null };
    expect(fieldsOf({ response: rpc(result) })).toMatchObject(expected);
    expect(fieldsOf({ response: JSON.stringify(result), binding: 'HTTP+JSON' })).toMatchObject(expected);
    expect(fieldsOf({ response: `data: ${rpc(result)}\n\n`, type: 'text/event-stream' })).toMatchObject(expected);
  });

  it.each([
    ['params.message.taskId first', { message: { taskId: 'a' }, taskId: 'b', id: 'c' }, 'a'],
    ['params.taskId, as of a push configuration whose id is its own', { taskId: 'b', id: 'c' }, 'b'],
    ['params.id', { id: 'c' }, 'c'],
    ['null is absent', { message: { taskId: null }, taskId: null, id: 'c' }, 'c'],
  ])('name the task of a request: %s', (_, params, expected) => {
    expect(fieldsOf({ request: JSON.stringify({ method: 'm', params }) })).toMatchObject({ request_task_id: expected });
  });

  it('come from HTTP+JSON without an envelope', () => {
    const request = '{"message":{"messageId":"m","taskId":"t","contextId":"c"},"method":"x","id":7}';
    const response = '{"error":{"code":404,"status":"NOT_FOUND"},"id":7}';
    expect(fieldsOf({ request, response, binding: 'HTTP+JSON' })).toEqual({
      ...NULLS,
      message_id: 'm',
      request_task_id: 't',
      request_context_id: 'c',
      error_code: 404,
    });
  });

  it('are null of gRPC bodies, and of none', () => {
    expect(fieldsOf({ request: '{"method":"m"}', response: rpc({}), binding: 'GRPC' })).toEqual(NULLS);
    expect(fieldsOf({})).toEqual(NULLS);
    expect(fieldsOf({ request: '', response: '' })).toEqual(NULLS);
  });

  it('keep JSON-RPC ids as tokens (case A1)', () => {
    const token = (id: string | undefined) => (id === 'MISSING' ? '' : `,"id":${id}`);
    const rows = caseText('A1-ids.tsv')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(rows).toHaveLength(10);
    for (const row of rows) {
      const [request, stated] = row.split('\t');
      const [response, duplicate] = stated!.split(' AND DUPLICATE id ');
      const fields = fieldsOf({
        request: `{"method":"message/send"${token(request)}}`,
        response: `{"jsonrpc":"2.0"${token(response)}${duplicate === undefined ? '' : token(duplicate)},"result":{}}`,
      });
      expect(fields).toMatchObject({
        request_id: request,
        response_id: response === 'MISSING' || duplicate !== undefined ? null : response,
        wire_issue: duplicate === undefined ? null : { response_id: 'duplicate_name' },
      });
    }
  });

  it('say why they are null', () => {
    const issue = (response: string | Uint8Array, limit?: number) =>
      fieldsOf({ response, ...(limit === undefined ? {} : { limit }) }).wire_issue;
    expect(issue('<html>502</html>')).toEqual({ response: 'unparsable' });
    expect(issue('{"id":NaN}')).toEqual({ response: 'unparsable' });
    expect(issue(`{"x":${'['.repeat(5000)}${']'.repeat(5000)}}`)).toEqual({ response: 'unparsable' });
    expect(issue(Uint8Array.of(0x7b, 0xff, 0x7d))).toEqual({ response: 'unparsable' });
    expect(issue('[1]')).toEqual({ response: 'wrong_type' });
    expect(issue('null')).toEqual({ response: 'wrong_type' });
    expect(issue('{"id":1,"result":{}}', 10)).toEqual({ response: 'truncated' });
    expect(issue('{"result":{},"result":{}}')).toEqual({
      response_task_id: 'duplicate_name',
      response_context_id: 'duplicate_name',
    });
    expect(issue('{"result":{"task":{"id":7,"contextId":"\\ud800"}}}')).toEqual({
      response_task_id: 'wrong_type',
      response_context_id: 'outside_model',
    });
    expect(issue('{"error":{"code":1e400}}')).toEqual({ error_code: 'outside_model' });
    expect(issue('{"error":{"code":"-32001"}}')).toEqual({ error_code: 'wrong_type' });
    expect(issue(`{"id":"${'x'.repeat(70_000)}"}`)).toEqual({ response_id: 'outside_model' });
    expect(issue(rpc({ task: { id: 'a' }, message: { taskId: 'b' } }))).toEqual({
      response_task_id: 'wrong_type',
      response_context_id: 'wrong_type',
    });
    expect(issue('\ufeff{"id":1}')).toBeNull();
    expect(issue('{"id":1,"error":null,"result":null}')).toBeNull();
    expect(issue('{"__proto__":{"id":2},"id":12345678901234567890}')).toBeNull();
    expect(issue('{"result":[{"taskId":"of a push configuration"}]}')).toBeNull();
    expect(fieldsOf({ request: '{"params":7}' }).wire_issue).toEqual({
      message_id: 'wrong_type',
      request_task_id: 'wrong_type',
      request_context_id: 'wrong_type',
    });
  });
});

describe('an event stream', () => {
  const event = (state: string) => `data: ${rpc({ statusUpdate: { taskId: 't', status: { state } } })}`;
  const type = 'text/event-stream';

  it('is told by the essence of the first content-type', () => {
    const types = ['text/event-stream', 'Text/Event-Stream; charset=utf-8', ' text/event-stream ;x="a;b"'];
    for (const value of types) expect(isEventStream([['content-type', value]])).toBe(true);
    for (const value of ['text/event-streams', 'application/json', ''])
      expect(isEventStream([['content-type', value]])).toBe(false);
    expect(
      isEventStream([
        ['content-type', 'application/json'],
        ['content-type', type],
      ]),
    ).toBe(false);
    expect(isEventStream([])).toBe(false);
  });

  it.each(['\n', '\r\n', '\r'])('is read with the line end %j', (end) => {
    const response = [event('working'), '', ': ping', '', event('completed'), '', ''].join(end);
    expect(fieldsOf({ response, type })).toMatchObject({
      response_id: '1',
      response_task_id: 't',
      event_count: 2,
      wire_issue: null,
    });
  });

  it('keeps two transitions of a stream cut by its server (case A3)', () => {
    const wire = wireOf({ response: caseText('A3-cut.sse'), type });
    const texts = new ExchangeTexts(wire);
    expect(exchangeFields(wire, texts)).toMatchObject({
      event_count: 2,
      response_task_id: 't1',
      wire_issue: { event_count: 'unterminated' },
    });
    expect([...responseTexts(texts)].map(({ text }) => transitionFields(text).state)).toEqual(['submitted', 'working']);
    expect(texts.response(2)?.whole).toMatchObject({ issue: 'unterminated' });
    expect(texts.response(3)).toBeNull();
    expect(texts.response(null)).toBeNull();
  });

  it('without a closed event has no response fields', () => {
    expect(fieldsOf({ response: event('working'), type })).toEqual({
      ...NULLS,
      event_count: 0,
      wire_issue: { response: 'unterminated', event_count: 'unterminated' },
    });
    expect(fieldsOf({ response: ': only a comment', type })).toEqual({ ...NULLS, event_count: 0 });
  });

  it('cut by the capture counts no events and keeps those before the cut', () => {
    const response = `${event('working')}\n\n${event('completed')}\n\n`;
    const cut = fieldsOf({ response, type, limit: response.length - 20 });
    expect(cut).toMatchObject({ response_task_id: 't', event_count: null, wire_issue: { event_count: 'truncated' } });
    const nothing = fieldsOf({ response, type, limit: 10 });
    expect(nothing.wire_issue).toEqual({ response: 'truncated', event_count: 'truncated' });
  });

  it('loses to invalid UTF-8 the event in which it stands, and no other', () => {
    const response = Buffer.concat([
      bytesOf(`\ufeff${event('working')}\n\ndata: {"a":"`),
      Buffer.of(0xff),
      bytesOf(`é"}\n\n${event('completed')}\n\n`),
    ]);
    const texts = new ExchangeTexts(wireOf({ response, type }));
    expect([0, 1, 2].map((i) => transitionFields(texts.response(i)!))).toMatchObject([
      { state: 'working', wire_issue: null },
      { state: null, wire_issue: { response: 'unparsable' } },
      { state: 'completed', wire_issue: null },
    ]);
  });

  it('reads its error frame and skips nothing of event 0', () => {
    const response = 'event: error\ndata: {"error":\ndata: {"code":-32001}}\n\n';
    expect(fieldsOf({ response, type })).toMatchObject({ error_code: -32001, event_count: 1, wire_issue: null });
    expect(fieldsOf({ response: `data: oops\n\n${response}`, type })).toMatchObject({
      error_code: null,
      event_count: 2,
      wire_issue: { response: 'unparsable' },
    });
  });
});

describe('what SDK servers were seen to send', () => {
  const seen = (parts: Parameters<typeof wireOf>[0]) => {
    const texts = new ExchangeTexts(wireOf(parts));
    return [...responseTexts(texts)].map(({ text }) => {
      const [first, ...rest] = observationsIn(text);
      return first?.kind === 'transition'
        ? [transitionFields(text).state, rest.length]
        : [first?.kind ?? 'nothing', rest.length];
    });
  };
  const status = (state: string) => rpc({ statusUpdate: { taskId: 't', status: { state } } });

  it.each([
    ['result absent', '{"jsonrpc":"2.0","id":1}', [['nothing', 0]]],
    ['result null', '{"id":1,"result":null}', [['nothing', 0]]],
    ['empty result', rpc({}), [['nothing', 0]]],
    ['error beside null result', '{"id":2,"error":{"code":-32001},"result":null}', [['nothing', 0]]],
    [
      'null error beside a good result',
      '{"id":1,"error":null,"result":{"task":{"id":"t","status":{"state":"working"}}}}',
      [['working', 0]],
    ],
    ['0.3 result under 1.0', rpc({ kind: 'task', id: 't', status: { state: 'completed' } }), [['completed', 0]]],
    ['unknown state', rpc({ task: { id: 't', status: { state: 'TASK_STATE_DREAMING' } } }), [[null, 0]]],
    ['no status', rpc({ task: { id: 't' } }), [[null, 0]]],
    [
      'unknown members and big numbers',
      '{"result":{"task":{"id":"t","x":1e400,"metadata":{"__proto__":{},"n":12345678901234567890}}}}',
      [[null, 0]],
    ],
    ['lone surrogate elsewhere', '{"result":{"task":{"id":"t","metadata":{"a":"\\ud800"}}}}', [[null, 0]]],
    [
      'two members of a part',
      rpc({ message: { messageId: 'm', parts: [{ text: 'a', url: 'b' }] } }),
      [['artifact', 0]],
    ],
    ['batch', `[${rpc({ task: { id: 't' } })}]`, [['nothing', 0]]],
    ['bare NaN', '{"id":NaN}', [['nothing', 0]]],
    ['HTML error page', '<!DOCTYPE html><pre>PayloadTooLargeError</pre>', [['nothing', 0]]],
    ['nothing', '', [['nothing', 0]]],
  ])('in one response: %s', (_, response, expected) => {
    expect(seen({ response })).toEqual(expected);
  });

  it.each([
    ['quiet end while working', `data: ${status('working')}\n\n`, [['working', 0]]],
    [
      'event after the terminal one',
      `data: ${status('completed')}\n\ndata: ${status('working')}\n\n`,
      [
        ['completed', 0],
        ['working', 0],
      ],
    ],
    ['last event without blank line', `data: ${status('working')}\n\ndata: ${status('completed')}\n`, [['working', 0]]],
    ['CRLF and no space', `data:${status('working')}\r\n\r\n`, [['working', 0]]],
    ['one event over two data lines', `data: ${status('working').replace(',', ',\ndata: ')}\n\n`, [['working', 0]]],
    [
      'an event that is no JSON between two',
      `data: ${status('working')}\n\ndata: oops\n\ndata: ${status('failed')}\n\n`,
      [
        ['working', 0],
        ['nothing', 0],
        ['failed', 0],
      ],
    ],
  ])('in a stream: %s', (_, response, expected) => {
    expect(seen({ response, type: 'text/event-stream' })).toEqual(expected);
  });
});
