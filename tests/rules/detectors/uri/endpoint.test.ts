import { describe, expect, test } from 'vitest';
import { type Binding, isAtInterface, originOf } from '../../../../src/rules/detectors/uri/endpoint.ts';
import { tableRows } from './policies.ts';

describe('the table of endpoints', () => {
  const rows = tableRows('endpoint.tsv');
  test('every row is read', () => expect(rows).toHaveLength(13));
  test.each(rows)('%s (%s) and %s: %s', (declared, binding, exchange, expected) => {
    expect(isAtInterface(exchange!, declared!, binding as Binding)).toBe(expected!.startsWith('yes'));
  });
});

test.each([
  ['https://h.example/a2a/', 'HTTP+JSON', 'https://h.example/a2a/message:send', true],
  ['https://h.example/a2a/', 'HTTP+JSON', 'https://h.example/a2a', false],
  ['https://h.example/a2a', 'HTTP+JSON', 'https://h.example/a2a', true],
  ['https://h.example', 'HTTP+JSON', 'https://h.example/v1/message:send', true],
  ['https://h.example/rest', 'HTTP+JSON', 'https://h.example/rest%2Fx', false],
  ['https://h.example/rest', 'HTTP+JSON', 'https://h.example/rest/%2e%2e/admin', false],
  ['https://h.example/rest', 'HTTP+JSON', 'https://h.example/rest\\..\\admin', false],
  ['https://h.example/a2a', 'JSONRPC', 'https://h.example/a2a/x', false],
  ['https://h.example/a2a', 'JSONRPC', 'https://h.example/a2a?x=1', true],
  ['https://h.example/a2a?x=1', 'JSONRPC', 'https://h.example/a2a', false],
  ['https://h.example/a2a?', 'JSONRPC', 'https://h.example/a2a?x=1', true],
  ['https://h.example/rest?t=1', 'HTTP+JSON', 'https://h.example/rest/tasks?t=1', true],
  ['https://h.example/a2a', 'JSONRPC', 'https://user@h.example/a2a#x', true],
  ['https://h.example/a2a', 'JSONRPC', 'https://h.example@evil.example/a2a', false],
  ['https://b\u00fccher.example/', 'JSONRPC', 'https://xn--bcher-kva.example/', true],
  ['https://h.example:50051', 'GRPC', 'https://h.example:50051/lf.a2a.v1.A2AService/SendMessage', true],
  ['h.example:50051', 'GRPC', 'https://h.example:50051/lf.a2a.v1.A2AService/SendMessage', true],
  ['h.example:50051', 'GRPC', 'http://H.EXAMPLE:50051/x', true],
  ['h.example:443', 'GRPC', 'https://h.example/x', true],
  ['h.example', 'GRPC', 'h.example:443', true],
  ['https://h.example:50051/ignored?t=1', 'GRPC', 'h.example:50051', true],
  ['grpc://H.example:50051', 'GRPC', 'grpc://h.example:50051/x', true],
  ['[::1]:50051', 'GRPC', 'http://[::1]:50051/x', true],
  ['h.example:50051', 'GRPC', 'https://h.example:50052/x', false],
  ['h.example:50051', 'GRPC', 'https://evil.example:50051/x', false],
  ['http://h.example:50051', 'GRPC', 'https://h.example:50051/x', false],
  ['', 'GRPC', '', false],
  ['not a url', 'JSONRPC', 'not a url', false],
  ['/a2a', 'JSONRPC', '/a2a', false],
  ['data:x', 'JSONRPC', 'data:x', false],
] as const)('%s (%s) and %s: %s', (declared, binding, exchange, expected) => {
  expect(isAtInterface(exchange, declared, binding)).toBe(expected);
});

test.each([
  ['HTTP://H.example:80/a?b#c', 'http://h.example'],
  ['https://user:pw@h.example:8443/', 'https://h.example:8443'],
  ['https://[::1]/', 'https://[::1]'],
  ['http://h.example./', 'http://h.example.'],
  ['grpc://H.example:1', 'grpc://h.example:1'],
  ['blob:http://h.example/1', null],
  ['file:///x', null],
  ['data:,x', null],
  ['/x', null],
  ['', null],
])('origin of %j: %j', (url, origin) => expect(originOf(url)).toBe(origin));
