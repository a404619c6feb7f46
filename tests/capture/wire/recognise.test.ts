import { describe, expect, test } from 'vitest';
import {
  bindingOf,
  isCardRequest,
  isPushNotification,
  type RequestShape,
} from '../../../src/capture/wire/recognise.ts';

const shape = (url: string, body: unknown, more: Partial<RequestShape> = {}): RequestShape => ({
  method: body === undefined ? 'GET' : 'POST',
  url,
  headers: [['content-type', 'application/json']],
  body: Buffer.from(typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body)),
  known: null,
  ...more,
});
const call = (method: unknown) => ({ jsonrpc: '2.0', id: 1, method, params: {} });
const HOST = 'http://agent.example';

describe('what is A2A by its wire', () => {
  test.each([
    ['1.0 SendMessage', shape(`${HOST}/`, call('SendMessage')), 'JSONRPC'],
    ['1.0 stream', shape(`${HOST}/rpc`, call('SendStreamingMessage')), 'JSONRPC'],
    ['0.3 message/send', shape(`${HOST}/`, call('message/send')), 'JSONRPC'],
    ['0.3 resubscribe', shape(`${HOST}/`, call('tasks/resubscribe')), 'JSONRPC'],
    ['a batch', shape(`${HOST}/`, [call('message/send')]), 'JSONRPC'],
    ['a body that was cut', shape(`${HOST}/`, '{"jsonrpc":"2.0","method":"SendMessage","params":{"mess'), 'JSONRPC'],
    [
      'no UTF-8 in it',
      shape(`${HOST}/`, Buffer.from([...Buffer.from('{"method":"SendMessage"'), 0xff]) as never, {
        body: Buffer.from([...Buffer.from('{"method":"SendMessage"'), 0xff]),
      }),
      'JSONRPC',
    ],
    ['an unknown method at a known interface', shape(`${HOST}/`, call('x'), { known: 'JSONRPC' }), 'JSONRPC'],
    ['no JSON at a known interface', shape(`${HOST}/`, 'hello', { known: 'JSONRPC' }), 'JSONRPC'],
    ['a version header', shape(`${HOST}/`, 'hello', { headers: [['a2a-version', '1.0']] }), 'JSONRPC'],
    ['1.0 REST send', shape(`${HOST}/v/message:send`, {}), 'HTTP+JSON'],
    ['0.3 REST stream', shape(`${HOST}/v1/message:stream?x=1`, {}), 'HTTP+JSON'],
    [
      'REST task with a version',
      shape(`${HOST}/tasks/1`, undefined, { headers: [['a2a-version', '1.0']] }),
      'HTTP+JSON',
    ],
    ['REST task at a known interface', shape(`${HOST}/tasks/1`, undefined, { known: 'HTTP+JSON' }), 'HTTP+JSON'],
    ['REST cancel', shape(`${HOST}/tasks/1:cancel`, '', { method: 'POST', known: 'HTTP+JSON' }), 'HTTP+JSON'],
  ])('%s', (_, request, binding) => {
    expect(bindingOf(request)).toBe(binding);
  });

  test.each([
    ['another JSON-RPC', shape(`${HOST}/`, call('eth_call'))],
    [
      'MCP, whose methods have the same names',
      shape(`${HOST}/`, call('tasks/get'), { headers: [['mcp-session-id', '1']] }),
    ],
    [
      'MCP without its headers, which names a task otherwise',
      shape(`${HOST}/`, { jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { taskId: 't' } }),
    ],
    ['MCP, which lists tasks', shape(`${HOST}/`, call('tasks/list'))],
    ['a method that is no string', shape(`${HOST}/`, call(7))],
    ['no JSON-RPC version', shape(`${HOST}/`, { method: 'SendMessage' })],
    ['a name inside a string', shape(`${HOST}/`, { text: '"method":"SendMessage"' })],
    ['tasks of another API', shape(`${HOST}/tasks/1`, undefined)],
    ['a POST to tasks of another API', shape(`${HOST}/tasks`, {})],
    ['a page', shape(`${HOST}/`, undefined)],
    ['a page at a known interface', shape(`${HOST}/`, undefined, { known: 'JSONRPC' })],
    ['an upload', shape(`${HOST}/upload`, 'bytes', { headers: [['content-type', 'application/octet-stream']] })],
  ])('not %s', (_, request) => {
    expect(bindingOf(request)).toBeNull();
  });
});

test.each([
  ['/.well-known/agent-card.json', 'GET', true],
  ['/x/.well-known/agent-card.json?v=1', 'GET', true],
  ['/.well-known/agent.json', 'GET', true],
  ['/.well-known/agent-card.json', 'POST', false],
  ['/.well-known/agent-card.json.bak', 'GET', false],
  ['/?/.well-known/agent-card.json', 'GET', false],
])('an agent card is asked for by %s, %s: %s', (path, method, is) => {
  expect(isCardRequest({ url: `${HOST}${path}`, method })).toBe(is);
});

describe('a push notification', () => {
  const a2a = [['content-type', 'application/a2a+json; charset=utf-8']] as const;
  test.each([
    ['of 1.0', shape(`${HOST}/hook`, { statusUpdate: {} }, { headers: a2a }), true],
    ['with a token', shape(`${HOST}/hook`, { id: 't' }, { headers: [['x-a2a-notification-token', 't']] }), true],
    ['not a JSON-RPC call of that type', shape(`${HOST}/hook`, call('SendMessage'), { headers: a2a }), false],
    ['not a REST send of that type', shape(`${HOST}/message:send`, { message: {} }, { headers: a2a }), false],
    ['not any other POST', shape(`${HOST}/hook`, { task: {} }), false],
  ])('%s', (_, request, is) => {
    expect(isPushNotification(request)).toBe(is);
  });
});
