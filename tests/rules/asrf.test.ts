import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { RecordOf } from '../../src/evidence/bundle.ts';
import { asrf } from '../../src/rules/asrf.ts';
import type { AsrfPolicy } from '../../src/rules/detectors/uri/policy.ts';
import { redirectTarget } from '../../src/rules/detectors/uri/readings.ts';
import { PUBLIC_ADDRESS, PUBLIC_WEB, tableRows } from './detectors/uri/policies.ts';
import {
  expectAnchored,
  expectMinimal,
  expectNothingWithoutEdges,
  expectPath,
  findings,
  level,
  profile,
  shown,
  Trace,
  told,
} from './support.ts';

type Dereference = Partial<RecordOf<'uri_dereferences'>>;

const by = (policy: Partial<AsrfPolicy> = {}) => profile({ asrf: { ...PUBLIC_WEB, ...policy } });
const judge = (trace: Trace, policy: Partial<AsrfPolicy> = {}) => asrf.judge(trace.graph(), by(policy));

const referred = (uri = 'https://allowed.example/') =>
  new Trace().add('exchanges', 'x').add('uri_references', 'r', { uri, exchange_id: 'x' });

/** Adds a hop to a public address, and its response if it has a status. */
const hop = (trace: Trace, id: string, fields: Dereference): Trace => {
  trace.add('uri_dereferences', id, { connected_address: PUBLIC_ADDRESS, ...fields });
  if (typeof fields.status === 'number') {
    trace.add('dereference_responses', `${id}-response`, { dereference_id: id, status: fields.status });
  }
  return trace;
};

const dereferenced = (uri: string, fields: Dereference = {}) =>
  hop(referred(uri), 'd', { reference_id: 'r', uri, ...fields });

const redirected = (location: string, fields: Dereference = {}) =>
  hop(
    dereferenced('https://allowed.example/start', { status: 302, response_headers: [['location', location]] }),
    'd1',
    { redirect_of: 'd', hop: 1, uri: location, ...fields },
  );

describe('condition and control', () => {
  it.each([
    ['file:///etc/passwd', 'ASRF_SCHEME_OUTSIDE_POLICY'],
    ['gopher://allowed.example/', 'ASRF_SCHEME_OUTSIDE_POLICY'],
    ['view-source:http://127.0.0.1/', 'ASRF_SCHEME_OUTSIDE_POLICY'],
    ['http://allowed.example:6379/', 'ASRF_PORT_OUTSIDE_POLICY'],
    ['http://metadata.google.internal/', 'ASRF_HOST_OUTSIDE_POLICY'],
    ['http://0251.0376.0251.0376/', 'ASRF_HOST_OUTSIDE_POLICY'],
    ['http://[64:ff9b::a9fe:a9fe]/', 'ASRF_HOST_OUTSIDE_POLICY'],
  ])('finds %s, once, also when the connection failed', (uri, reason) => {
    for (const outcome of ['connected', 'connect_failed'] as const) {
      const { triggers, statements } = judge(dereferenced(uri, { outcome }));
      expect([triggers, ...told(statements)]).toEqual([1, `${reason} d`]);
      expectMinimal(asrf.judge, statements[0]!, by());
    }
  });

  it('says nothing of a dereference inside policy', () => {
    expect(judge(dereferenced('https://allowed.example/', { status: 200 }))).toEqual({ triggers: 1, statements: [] });
  });

  it('finds the hop that left policy, by a path over every hop', () => {
    const trace = redirected('https://next.example/', { status: 302 });
    hop(trace, 'd2', { redirect_of: 'd1', hop: 2, uri: 'http://127.0.0.1/', connected_address: null, status: 200 });
    const { statements } = judge(trace);
    expect(told(statements)).toEqual(['ASRF_HOST_OUTSIDE_POLICY d2']);
    expectPath(statements[0]!);
    expect(shown(statements[0]!.path)).toEqual([
      'RuntimeExchange x',
      'EXCHANGE_REFERENCED_URI',
      'UriReferenceEvidence r',
      'URI_REFERENCE_DEREFERENCED',
      'UriDereferenceEvidence d',
      'DEREFERENCE_REDIRECTED_TO',
      'UriDereferenceEvidence d1',
      'DEREFERENCE_REDIRECTED_TO',
      'UriDereferenceEvidence d2',
    ]);
    expect(shown(expectMinimal(asrf.judge, statements[0]!, by()))).toContain('DEREFERENCE_RECEIVED_RESPONSE');
  });

  it('starts the path of a reference in an artifact at the exchange that produced it', () => {
    const trace = new Trace()
      .add('exchanges', 'x')
      .add('artifacts', 'a', { exchange_id: 'x' })
      .add('uri_references', 'r', { artifact_record_id: 'a' });
    hop(trace, 'd', { reference_id: 'r', uri: 'file:///etc/passwd' });
    const { statements } = judge(trace);
    expect(told(statements)).toEqual(['ASRF_SCHEME_OUTSIDE_POLICY d']);
    expectPath(statements[0]!);
    expect(shown(statements[0]!.path).slice(0, 4)).toEqual([
      'RuntimeExchange x',
      'EXCHANGE_PRODUCED_ARTIFACT',
      'ArtifactEvidence a',
      'ARTIFACT_REFERENCED_URI',
    ]);
    expectAnchored(asrf.judge, trace, by(), ['ARTIFACT_REFERENCED_URI', 'URI_REFERENCE_DEREFERENCED']);
  });

  it('prints the address as it stands and the IPv4 address it embeds', () => {
    const [finding] = findings(judge(dereferenced('http://[::ffff:a9fe:a9fe]/')));
    expect(finding!.explanation).toContain('::ffff:a9fe:a9fe');
    expect(finding!.explanation).toContain('169.254.169.254');
  });
});

describe('anchors', () => {
  const condition = () => redirected('http://127.0.0.1/', { connected_address: null, status: 200 });

  it('is INCONCLUSIVE without any one anchor edge, and names it', () => {
    expectAnchored(asrf.judge, condition(), by(), [
      'EXCHANGE_REFERENCED_URI',
      'URI_REFERENCE_DEREFERENCED',
      'DEREFERENCE_REDIRECTED_TO',
    ]);
    expectAnchored(asrf.judge, dereferenced('file:///', { status: 200 }), by(), ['DEREFERENCE_RECEIVED_RESPONSE']);
  });
  it('needs the response of the hop that left policy', () => {
    const trace = condition();
    const outcome = asrf.judge(
      trace.graph(({ source_id, relation }) => relation !== 'DEREFERENCE_RECEIVED_RESPONSE' || source_id !== 'd1'),
      by(),
    );
    expect(told(outcome.statements)).toEqual(['ANCHOR_MISSING d1']);
    expect(outcome.statements[0]!.missing).toEqual(['DEREFERENCE_RECEIVED_RESPONSE']);
  });
  it('is INCONCLUSIVE for every dereference on records without edges', () => {
    expectNothingWithoutEdges(asrf.judge, condition(), by());
  });
  it('does not judge a hop that stands before the one it follows', () => {
    const trace = hop(referred(), 'd1', { redirect_of: 'd', hop: 1, uri: 'file:///' });
    hop(trace, 'd', { reference_id: 'r', status: 302 });
    expect(told(judge(trace).statements)).toEqual(['ANCHOR_MISSING d1']);
  });
});

describe('the address after the text', () => {
  const EXPECTED: readonly (readonly [string, readonly string[]])[] = [
    ['no finding (only', ['ASRF_MIXED_ANSWERS']],
    ['no finding', []],
    ['ASRF_ADDRESS_OUTSIDE_POLICY', ['ASRF_ADDRESS_OUTSIDE_POLICY']],
    ['INCONCLUSIVE', ['FACT_MISSING']],
    ['observation', ['ASRF_ADDRESS_UNSEEN']],
  ];
  const rows = tableRows('rebinding.tsv');
  const list = (cell: string) => (cell === '(null)' ? null : cell.split(','));

  it.each(rows)('%s resolved %s, connected %s, proxy %s, required %s: %s', (...row) => {
    const [uri, resolved, connected, proxied, required, expected] = row as [
      string,
      string,
      string,
      string,
      string,
      string,
    ];
    const { statements } = judge(
      dereferenced(uri, {
        resolved_addresses: list(resolved),
        connected_address: list(connected)?.[0] ?? null,
        via_proxy: proxied === 'yes' ? 'http://proxy.example:3128' : null,
      }),
      { require_connected_address: required === 'yes' },
    );
    const reasons = statements.map(({ reason }) => reason);
    const known = EXPECTED.find(([text]) => expected.startsWith(text))![1];
    expect(
      reasons.filter((reason) => reason !== 'ASRF_CONNECTED_TO_ANOTHER_ANSWER' && reason !== 'ASRF_PROXIED'),
    ).toEqual(known);
    if (known.includes('FACT_MISSING')) expect(statements[0]!.missing).toEqual(['connected_address']);
    if (known.includes('ASRF_ADDRESS_UNSEEN')) expect(level(statements[0]!)).toBe('note');
  });

  it('judges the resolved address under an override that the profile lists, the connected one under another', () => {
    const fields = {
      resolved_addresses: ['169.254.169.254'],
      connected_address: '127.0.0.1',
      dial_override: { host: 'allowed.example', address: '127.0.0.1' },
    };
    const trace = dereferenced('https://allowed.example/', fields);
    const listed = { test_redirects: [{ host: 'allowed.example', address: '127.0.0.1' }] };
    const under = judge(trace, listed).statements;
    expect(told(under)).toEqual(['ASRF_ADDRESS_OUTSIDE_POLICY d', 'ASRF_DIAL_OVERRIDE_APPLIED d']);
    expect(under[0]!.explanation).toContain('169.254.169.254');
    const without = judge(trace).statements;
    expect(told(without).slice(0, 2)).toEqual(['ASRF_ADDRESS_OUTSIDE_POLICY d', 'ASRF_DIAL_OVERRIDE_UNLISTED d']);
    expect(without[0]!.explanation).toContain('127.0.0.1');
  });

  it('observes answers outside policy where the address used was not seen', () => {
    const fields = { resolved_addresses: ['10.0.0.5'], connected_address: null, outcome: 'connect_failed' as const };
    const { statements } = judge(dereferenced('https://allowed.example/', fields));
    expect(told(statements)).toEqual(['FACT_MISSING d', 'ASRF_ANSWERS_OUTSIDE_POLICY d']);
    expectMinimal(asrf.judge, statements[1]!, by());
  });

  it('lets the address connected decide between two readings of a text', () => {
    const uri = 'http://allowed.example\\@169.254.169.254/';
    expect(told(judge(dereferenced(uri)).statements)).toEqual(['ASRF_READINGS_DIFFER d']);
    expect(told(judge(dereferenced(uri, { connected_address: null })).statements)).toEqual([
      'ASRF_HOST_OUTSIDE_POLICY d',
      'ASRF_READINGS_DIFFER d',
    ]);
  });

  it('is INCONCLUSIVE where the recorded address is none', () => {
    const { statements } = judge(dereferenced('https://allowed.example/', { connected_address: 'unix:/run/x' }));
    expect(told(statements)).toEqual(['ASRF_ADDRESS_UNREADABLE d']);
    expect(level(statements[0]!)).toBe('inconclusive');
  });
});

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
    expect(told(statements.slice(0, 2))).toEqual(['ASRF_HOST_OUTSIDE_POLICY d64', 'ASRF_TOO_MANY_REDIRECTS d65']);
    expect(statements).toHaveLength(1 + 5000 - 64);
    expectMinimal(asrf.judge, statements[0]!, by());
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
