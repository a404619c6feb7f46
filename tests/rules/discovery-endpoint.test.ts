import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { RecordOf } from '../../src/evidence/bundle.ts';
import { discovery } from '../../src/rules/discovery.ts';
import { ACME, at, by, type Card, judge, said, selecting, URL } from './discovery-traces.ts';
import { expectMinimal, expectPath, findings, told } from './support.ts';

describe('the endpoint of the selected card', () => {
  const placed = (interfaces: Card['interfaces'], exchange: Partial<RecordOf<'exchanges'>>) =>
    said({ ...ACME, interfaces: interfaces ?? null }, exchange);
  const rows = readFileSync(new globalThis.URL('../cases/a2a/A7-endpoint.tsv', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('\t') as [string, 'JSONRPC' | 'HTTP+JSON', string, string]);
  test.each(rows)('%s (%s) and %s: %s', (declared, binding, url, expected) => {
    const statements = placed([at(declared, binding)], { binding, url });
    if (expected.startsWith('yes')) expect(statements).toEqual([]);
    else if (expected.includes('observation')) expect(statements).toEqual(['AS_ENDPOINT_SPELLED_OTHERWISE card']);
    else expect(statements).toEqual(['AS_ENDPOINT_NOT_IN_CARD card']);
  });

  test('another URL: one finding with its minimal evidence, however many exchanges went there', () => {
    const trace = selecting(ACME, { url: 'https://evil.example/a2a' });
    const [finding, ...others] = judge(trace).statements;
    expect([finding?.reason, others]).toEqual(['AS_ENDPOINT_NOT_IN_CARD', []]);
    expect(finding?.explanation).toContain('"https://evil.example/a2a"');
    expect(finding?.explanation).toContain(`"${URL}"`);
    expectPath(finding!);
    expect(expectMinimal(discovery.judge, finding!, by())).toHaveLength(7);
    trace.add('exchanges', 'more', { endpoint_id: 'endpoint', url: 'https://evil.example/other' });
    expect(told(judge(trace).statements)).toEqual(['AS_ENDPOINT_NOT_IN_CARD card']);
  });

  test('the binding of the exchange says how URLs are compared, not that of the interface', () => {
    const url = 'https://agent.example/rest/tasks';
    const interfaces = [at(URL), at('https://agent.example', 'GRPC'), at('https://agent.example/rest', 'HTTP+JSON')];
    expect(placed(interfaces, { url, binding: 'JSONRPC' })).toEqual(['AS_ENDPOINT_NOT_IN_CARD card']);
    expect(placed(interfaces, { url, binding: 'HTTP+JSON' })).toEqual([]);
    expect(placed([at('https://agent.example/rest', 'rest')], { url, binding: 'HTTP+JSON' })).toEqual([]);
    expect(placed([at(URL, null)], { url: URL })).toEqual([]);
    expect(placed(interfaces, { url: 'https://agent.example/rest', binding: 'JSONRPC' })).toEqual([]);
    expect(
      placed([at(URL)], { url: 'https://agent.example/lf.a2a.v1.A2AService/SendMessage', binding: 'GRPC' }),
    ).toEqual([]);
  });

  test('a later exchange elsewhere is found behind one that is only spelled otherwise', () => {
    const trace = selecting(ACME, { url: `${URL}/` }).add('exchanges', 'other', {
      endpoint_id: 'endpoint',
      url: 'http://169.254.169.254/',
    });
    expect(told(judge(trace).statements)).toEqual([
      'AS_ENDPOINT_SPELLED_OTHERWISE card',
      'AS_ENDPOINT_NOT_IN_CARD card',
    ]);
    expect(findings(judge(trace))[0]?.path[0]).toMatchObject({ id: 'other' });
  });

  test.each(['http://127.0.0.1:9998/', 'http://127.0.0.1:9999/x', 'https://127.0.0.1:9999/', 'http://10.0.0.1:9999/'])(
    'the unspecified address excuses a loopback address only, at the same scheme, port and path: %s',
    (url) => {
      expect(placed([at('http://0.0.0.0:9999/')], { url })).toEqual(['AS_ENDPOINT_NOT_IN_CARD card']);
    },
  );
});
