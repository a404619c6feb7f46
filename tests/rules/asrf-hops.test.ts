import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { RecordOf } from '../../src/evidence/bundle.ts';
import { asrf } from '../../src/rules/asrf.ts';
import { redirectTarget } from '../../src/rules/detectors/uri/readings.ts';
import { by, dereferenced, hop, judge, redirected, referred } from './asrf-traces.ts';
import { PUBLIC_ADDRESS } from './detectors/uri/policies.ts';
import { expectMinimal, expectPath, level, told } from './support.ts';

describe('redirects', () => {
  type Case = { id: string; hops: { uri: string; status: number; location: string | null }[]; expected: string };
  const cases: Case[] = JSON.parse(readFileSync(new URL('../cases/uri/redirects.json', import.meta.url), 'utf8'));
  const trace = ({ hops }: Case, outcome: RecordOf<'uri_dereferences'>['outcome'] | null) => {
    const { uri, status, location } = hops[0]!;
    const headers: [['location', string]] | [] = location === null ? [] : [['location', location]];
    const first = dereferenced(uri, { status, response_headers: headers });
    const target = redirectTarget(uri, status, location);
    if (target === null || outcome === null) return first;
    return hop(first, 'd1', { redirect_of: 'd', hop: 1, uri: target, outcome, connected_address: null });
  };

  it.each(cases)('$id: $expected', (row) => {
    const outside = row.expected.startsWith('outside');
    const followed = judge(trace(row, 'connected')).statements;
    expect(followed.map(level)).toEqual(outside ? ['finding'] : []);
    expect(judge(trace(row, 'blocked_by_guard')).statements.map(({ reason }) => reason)).toEqual(
      outside ? ['ASRF_BLOCKED'] : [],
    );
    expect(told(judge(trace(row, null)).statements)).toEqual(
      outside ? ['ASRF_REDIRECT_OUTSIDE_POLICY_NOT_FOLLOWED d'] : [],
    );
    if (row.expected.includes('port')) expect(followed[0]!.reason).toBe('ASRF_PORT_OUTSIDE_POLICY');
    if (row.expected.includes('scheme')) expect(followed[0]!.reason).toBe('ASRF_SCHEME_OUTSIDE_POLICY');
  });

  it('resolves a relative hop against the hop before it', () => {
    expect(told(judge(redirected('/next')).statements)).toEqual([]);
    expect(told(judge(redirected('//127.0.0.1/', { connected_address: null })).statements)).toEqual([
      'ASRF_HOST_OUTSIDE_POLICY d1',
    ]);
  });

  it('resolves a relative hop against a relative one', () => {
    const chain = redirected('/next', { status: 302, response_headers: [['location', '//127.0.0.1/']] });
    expect(told(judge(chain).statements)).toEqual(['ASRF_REDIRECT_OUTSIDE_POLICY_NOT_FOLLOWED d1']);
    hop(chain, 'd2', { redirect_of: 'd1', hop: 2, uri: '../last' });
    expect(told(judge(chain).statements)).toEqual([]);
  });

  it('judges chains of redirects up to its limit, whatever their length', () => {
    const chain = dereferenced('https://allowed.example/', { status: 302 });
    for (let i = 1; i <= 5000; i++) {
      const last = i === 64 || i === 65;
      hop(chain, `d${i}`, {
        redirect_of: i === 1 ? 'd' : `d${i - 1}`,
        hop: i,
        uri: last ? 'http://127.0.0.1/' : 'https://allowed.example/',
        connected_address: last ? null : PUBLIC_ADDRESS,
      });
    }
    const { statements } = judge(chain);
    expect(told(statements)).toEqual(['ASRF_HOST_OUTSIDE_POLICY d64', 'ASRF_TOO_MANY_REDIRECTS d65']);
    for (const statement of statements) {
      expectPath(statement);
      expectMinimal(asrf.judge, statement, by());
    }
  });

  it('rests on one response of a hop, however many it has', () => {
    const trace = dereferenced('http://127.0.0.1/', { status: 200 });
    for (let i = 0; i < 5000; i++)
      trace.add('dereference_responses', `again${i}`, { dereference_id: 'd', status: 200 });
    const { statements } = judge(trace);
    expect(told(statements)).toEqual(['ASRF_HOST_OUTSIDE_POLICY d']);
    expect(expectMinimal(asrf.judge, statements[0]!, by())).toHaveLength(7);
  });
});

describe('what was not sent', () => {
  it.each([
    ['http://169.254.169.254/', 'blocked_by_guard', 'ASRF_BLOCKED', 'warning'],
    ['http://169.254.169.254/', 'not_attempted', 'ASRF_OUTSIDE_POLICY_NOT_ATTEMPTED', 'warning'],
    ['https://allowed.example/', 'not_attempted', 'ASRF_NOT_ATTEMPTED', 'note'],
  ] as const)('observes %s with outcome %s', (uri, outcome, reason, expected) => {
    const { statements } = judge(dereferenced(uri, { outcome, connected_address: null }));
    expect(statements.map((statement) => [statement.reason, level(statement)])).toEqual([[reason, expected]]);
    expectMinimal(asrf.judge, statements[0]!, by());
  });

  it.each([
    ['https://allowed.example/', 'ASRF_REFERENCE_NOT_DEREFERENCED', 'note'],
    ['http://127.1/', 'ASRF_REFERENCE_OUTSIDE_POLICY_NOT_DEREFERENCED', 'warning'],
    ['http://allowed.example\\@127.0.0.1/', 'ASRF_REFERENCE_OUTSIDE_POLICY_NOT_DEREFERENCED', 'warning'],
    ['http://[', 'ASRF_REFERENCE_UNREADABLE', 'note'],
    ['next/page', 'ASRF_REFERENCE_UNREADABLE', 'note'],
  ])('observes the reference %s that nobody followed', (uri, reason, expected) => {
    const { triggers, statements } = judge(referred(uri));
    expect([triggers, ...statements.map((s) => s.reason), ...statements.map(level)]).toEqual([0, reason, expected]);
    expectPath(statements[0]!);
    expectMinimal(asrf.judge, statements[0]!, by());
  });

  it.each(['http://[', 'next/page'])('is INCONCLUSIVE where %s was dereferenced', (uri) => {
    const { statements } = judge(dereferenced(uri));
    expect(told(statements)).toEqual(['ASRF_URI_UNREADABLE d']);
    expect(level(statements[0]!)).toBe('inconclusive');
  });
});

it('names the worst of several faults and tells them all, with who asked for what', () => {
  const [finding] = judge(dereferenced('ftp://127.0.0.1:39727/admin', { agent: 'reader', status: null })).statements;
  expect(finding!.reason).toBe('ASRF_SCHEME_OUTSIDE_POLICY');
  for (const told of [
    'agent "reader"',
    'GET "ftp://127.0.0.1:39727/admin"',
    'scheme "ftp',
    'class loopback',
    'port 39727',
  ]) {
    expect(finding!.explanation).toContain(told);
  }
  const [port] = judge(dereferenced('http://127.0.0.1:39727/admin')).statements;
  expect(port!.reason).toBe('ASRF_HOST_OUTSIDE_POLICY');
});

it('does not call a URI unfollowed that was followed from another reference', () => {
  const twice = (uri: string) =>
    dereferenced('https://allowed.example/a').add('uri_references', 'other', { exchange_id: 'x', uri });
  expect(told(judge(twice('https://allowed.example/a')).statements)).toEqual([]);
  expect(told(judge(twice('https://allowed.example/b')).statements)).toEqual(['ASRF_REFERENCE_NOT_DEREFERENCED other']);
});
